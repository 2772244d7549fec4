"""Translation tables as a query rewriting transformer: queries -> queries in another language."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pyterrier as pt

from dragoman.integrations.pyterrier.frames import LANGUAGE, queries_of
from dragoman.lexicons.gloss import GlossedPiece, GlossKind, gloss
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.text.language_detection import Detector
from dragoman.text.languages import canonical


class QueryTranslation(pt.Transformer):
    """Replaces every query by its word-by-word translation; the original becomes ``query_0``.

    A word without a translation stays as it is; stop words are left out. ``tables`` are folders of
    `dragoman learn lexicon`, besides the shipped tables.
    """

    def __init__(self, target: str, *, source: str = "", tables: Sequence[str | Path] = ()) -> None:
        self.target = canonical(target)
        self.source = canonical(source) if source else ""
        self.tables = tables
        self._tables = TranslationTables([Path(folder) for folder in tables])
        self._detector = Detector(self._tables.languages())

    def __repr__(self) -> str:
        return f"dragoman.QueryTranslation({self.target!r})"

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The queries in the target language, with a column ``language``."""
        pt.validate.query_frame(inp, extra_columns=["query"], context=self)
        pushed = pt.model.push_queries(inp)
        texts = [
            self.translate(query.text, query.language) for query in queries_of(inp, self.source)
        ]
        return pushed.assign(query=pd.Series(texts, index=pushed.index, dtype="object")).assign(
            **{LANGUAGE: self.target}
        )

    def translate(self, text: str, language: str = "") -> str:
        """The translation of one query, from its own language or the one that is detected."""
        source = language or self._detector.detect(text).language
        if source == self.target:
            return text
        return " ".join(_words(gloss(text, source, self.target, self._tables)))


def _words(pieces: Iterable[GlossedPiece]) -> list[str]:
    meaningful = (GlossKind.WORD, GlossKind.ITSELF, GlossKind.UNKNOWN)
    return [piece.gloss or piece.surface for piece in pieces if piece.kind in meaningful]
