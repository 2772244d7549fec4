"""How the lexical systems read a text: by the analysis that translation tables are learnt with."""

from typing import NamedTuple

from dragoman.lexicons.tables import PIVOT, Tables
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

ANALYSIS = AnalyzerConfig()  # the one that tables are learnt with unless told otherwise


class Word(NamedTuple):
    """A word as systems count it and as it stood in the text."""

    term: str
    surface: str


class Reader:
    """Texts -> words; an analyser per language, with the compound splitter of its table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._analyzers: dict[str, Analyzer] = {}

    def __call__(self, text: str, language: str) -> list[str]:
        """The words of ``text``, in order."""
        return self._analyzer(language)(text, language)

    def words(self, text: str, language: str) -> list[Word]:
        """The words of ``text`` with their forms in it, in order."""
        pairs = self._analyzer(language).analyse_with_surface(text, language)
        return [Word(term, surface) for term, surface in pairs]

    def signature(self, language: str) -> str:
        """What must be equal for two texts to be read alike."""
        return self._analyzer(language).signature(language)

    def signature_beside_table(self, language: str) -> str:
        """``signature`` without the compound splitter, which is part of the table.

        It reads no table: opening an index of many languages would wait for all of theirs.
        """
        return without_splitter(Analyzer(ANALYSIS).signature(language))

    def _analyzer(self, language: str) -> Analyzer:
        if language not in self._analyzers:
            table = None if language == PIVOT else self.tables.table(language)
            if table is not None:
                table.check_analysis(ANALYSIS)
            splitters = {} if table is None else table.splitters
            self._analyzers[language] = Analyzer(ANALYSIS, splitters)
        return self._analyzers[language]


def without_splitter(signature: str) -> str:
    """A reader's signature without its last field."""
    return signature.rpartition("|compounds:")[0]
