"""The settings of the lexical systems, checked once; the same for every language and collection."""

from dataclasses import dataclass, field
from pathlib import Path

from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.scores.bm25 import Bm25Config
from dragoman.settings import FLATTENED


@dataclass(frozen=True, kw_only=True, slots=True)
class LexicalConfig:
    """How documents are weighed and words translated."""

    lexicons: tuple[Path, ...] = ()  # the user's own tables; they come before the shipped ones
    translate: bool = True  # False: words meet only in their own form
    bm25: Bm25Config = field(default_factory=Bm25Config, metadata=FLATTENED)

    def tables(self) -> TranslationTables:
        """The tables that these settings ask for."""
        return (
            TranslationTables(self.lexicons)
            if self.translate
            else TranslationTables(use_shipped=False)
        )
