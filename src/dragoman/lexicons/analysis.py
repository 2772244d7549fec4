"""Texts -> terms, by the analysis that translation tables are learnt with."""

from typing import NamedTuple

from dragoman.lexicons.translation_tables import PIVOT, TranslationTables
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

DEFAULT_ANALYSIS = AnalyzerConfig()  # tables are learnt with it unless another one is given


class Token(NamedTuple):
    """A term and its form in the text."""

    term: str
    surface: str


class LexicalAnalyzer:
    """One analyzer per language, with the compound splitter of its translation table."""

    def __init__(self, tables: TranslationTables) -> None:
        self.tables = tables
        self._analyzers: dict[str, Analyzer] = {}

    def __call__(self, text: str, language: str) -> list[str]:
        """The terms of ``text``, in order."""
        return self._analyzer(language)(text, language)

    def tokens(self, text: str, language: str) -> list[Token]:
        """The terms of ``text`` with their surface forms, in order."""
        pairs = self._analyzer(language).analyse_with_surface(text, language)
        return [Token(term, surface) for term, surface in pairs]

    def signature(self, language: str) -> str:
        """Two analyzers with the same signature give the same terms."""
        return self._analyzer(language).signature(language)

    def signature_without_splitter(self, language: str) -> str:
        """``signature`` without the compound splitter, which belongs to the table.

        Loads no table, so that opening an index of many languages does not wait for theirs.
        """
        return without_splitter(Analyzer(DEFAULT_ANALYSIS).signature(language))

    def _analyzer(self, language: str) -> Analyzer:
        if language not in self._analyzers:
            table = None if language == PIVOT else self.tables.table(language)
            if table is not None:
                table.check_analysis(DEFAULT_ANALYSIS)
            splitters = {} if table is None else table.splitters
            self._analyzers[language] = Analyzer(DEFAULT_ANALYSIS, splitters)
        return self._analyzers[language]


def without_splitter(signature: str) -> str:
    """An analyzer's signature without its last field, the compound splitter."""
    return signature.rpartition("|compounds:")[0]
