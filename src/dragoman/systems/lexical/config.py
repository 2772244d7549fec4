"""The settings of the lexical systems, checked once; the same for every language and collection."""

from dataclasses import dataclass, field
from pathlib import Path

from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.scores.bm25 import Bm25Config
from dragoman.settings import FLATTENED


@dataclass(frozen=True, kw_only=True, slots=True)
class LexicalConfig:
    """How terms are weighted and translated."""

    lexicons: tuple[Path, ...] = ()  # the user's own translation tables, before the shipped ones
    translate: bool = True  # False: only equal terms match
    bm25: Bm25Config = field(default_factory=Bm25Config, metadata=FLATTENED)

    def tables(self) -> TranslationTables:
        """The translation tables in use; none without ``translate``."""
        if not self.translate:
            return TranslationTables(use_shipped=False)
        return TranslationTables(self.lexicons)
