"""Counted rows -> namespaces with BM25 impacts, one index over all of them."""

from collections.abc import Sequence

import numpy as np

from dragoman.scores.bm25 import Bm25Config, length_norm, saturate
from dragoman.scores.impacts import ImpactIndex, Rows
from dragoman.systems.lexical.collected import Collected, LanguageRows
from dragoman.systems.lexical.postings import Namespace, Postings
from dragoman.systems.lexical.searched import Space
from dragoman.systems.lexical.sounds import Sounds
from dragoman.text.strings import Strings
from dragoman.types import FloatArray


class Assembly:
    """Namespaces added one after the other, each with its postings."""

    def __init__(self, collected: Collected) -> None:
        self._collected = collected
        self._spaces: list[Namespace] = []
        self._parts: list[ImpactIndex] = []
        self._first = 0

    def add_own(self, part: LanguageRows, rows: Rows) -> None:
        """The documents' own words."""
        self._add("own", part, part.words, part.document_frequencies.astype(np.float32), rows)

    def add_pivot(
        self, part: LanguageRows, words: tuple[str, ...], frequencies: FloatArray, rows: Rows
    ) -> None:
        """The pivot words that the documents stand for."""
        self._add("pivot", part, words, frequencies, rows)

    def _add(
        self,
        kind: str,
        part: LanguageRows,
        words: tuple[str, ...],
        frequencies: FloatArray,
        rows: Rows,
    ) -> None:
        facts = (len(part), part.mean_length, self._first)
        space = Namespace(part.language, kind, Strings.pack(words), frequencies, *facts)
        count = len(self._collected.doc_ids)
        self._spaces.append(space)
        self._parts.append(ImpactIndex.from_rows(rows, part.numbers, count, len(words)))
        self._first += len(words)

    def postings(self, *, with_names: bool = False) -> Postings:
        """Everything added so far; ``with_names`` where words are to be found by sound."""
        index = ImpactIndex.joined(self._parts) if self._parts else ImpactIndex.empty()
        names = {
            space.language: Sounds.of(space.words)
            for space in self._spaces
            if with_names and space.kind == "own"
        }
        return Postings(self._collected.doc_ids, tuple(self._spaces), index, names)


def saturated(rows: Rows, part: LanguageRows, config: Bm25Config) -> Rows:
    """The rows' counts as BM25 impacts, by the lengths of the documents in own words."""
    norms = length_norm(part.lengths, part.mean_length, config).astype(np.float32)
    return rows._replace(values=saturate(rows.values, np.repeat(norms, np.diff(rows.starts))))


def norms_of(space: Space, lengths: Sequence[int], config: Bm25Config) -> FloatArray:
    """BM25's length norms of documents with so many words."""
    return length_norm(np.array(lengths, dtype=np.float64), space.mean_length, config)
