"""Probabilistic structured queries: BM25 on the counts that a translation table expects.

Darwish & Oard 2003, turned round: documents are mapped into the pivot language once, when they are
indexed. Each word f of a document gives its count to the pivot words e that it may stand for,
tf(e, d) = sum over f of tf(f, d) p(e | f), and BM25 saturates the expected count. A dimension is a
pair (language of the documents, word), so idf is the language's own and sits on the query's side.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Counts, Space, SpaceKind, Vector
from dragoman.lexicons.translation_tables import PIVOT
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.dimensions import Side, dimension, word_dimensions
from dragoman.systems.lexical.evidence import lexical_evidence
from dragoman.systems.lexical.expected_counts import Pairs
from dragoman.systems.lexical.maxsim import SimilarWords, maxsim
from dragoman.systems.lexical.pivoting import PivotMapper
from dragoman.systems.lexical.query_expansion import (
    CACHED_WORDS,
    MOST_NAMES,
    SPREAD,
    Alternatives,
    Expansion,
    resembling,
)
from dragoman.systems.lexical.system import LexicalSystem, QueryTerms
from dragoman.types import FloatArray, IntArray, Query, Text

WORDS = "words"  # the space of the documents' own words, by their sound


class Psq(LexicalSystem):
    """Queries in any language to documents in any language, through the pivot."""

    name: ClassVar[str] = "psq"
    space: ClassVar[str] = "psq"

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Counts, and the words that they are of."""
        return (*super().spaces, Space(WORDS, SpaceKind.WORDS))

    @cached_property
    def _mapper(self) -> PivotMapper:
        return PivotMapper(self.tables)

    @cached_property
    def _expansions(self) -> dict[tuple[str, str], Expansion]:
        return {}

    def translates(self, language: str, other: str) -> bool:
        """Whether words of one language can meet those of the other through tables."""
        has = self.tables.has
        return language == other or all(code == PIVOT or has(code) for code in (language, other))

    def dimensions_of(self, language: str) -> Callable[[str], Pairs]:
        """A word counts once for itself, and by its probabilities for pivot words."""
        meanings = self._mapper.meanings(language)
        own, pivot = (word_dimensions(language, side) for side in (Side.OWN, Side.PIVOT))

        def find(word: str) -> list[tuple[int, float]]:
            pairs = [(own[word], 1.0)]
            if language != PIVOT:
                pairs += [(pivot[e], p) for e, p in meanings[word].items()]
            return pairs

        return find

    def represent(self, words: Collection[str], counts: Counts) -> Mapping[str, Vector]:
        """Expected counts, and the distinct words, which may be names."""
        return {self.space: counts, WORDS: [*words]}

    def expand(
        self,
        postings: SnapshotPostings,
        words: Sequence[str],
        language: str,
        searched: Sequence[str],
    ) -> QueryTerms:
        """The documents' own words for a query in their language, else pivot words and names."""
        chosen = [code for code in searched if code in postings.snapshot.languages]
        sets: list[tuple[int, str, Alternatives]] = []
        for code in chosen:
            expansion = self._expansion(language, code)
            sets += [(position, code, expansion[word]) for position, word in enumerate(words)]
        names = [(position, code, words[position]) for position, code, mine in sets if mine.is_name]
        return _weighed(postings, sets + _live_names(postings, names))

    def maxsim(
        self, snapshot: Snapshot, text: Text, searched: Sequence[str], numbers: IntArray
    ) -> FloatArray:
        """Word MaxSim of these documents, which are in the ``searched`` languages."""
        words = [*dict.fromkeys(self.analyzer(text.body, text.language))]
        sets = []
        for code in searched:
            if code in snapshot.languages:
                similar = self._similar_words(text.language, code)
                sets += [(code, similar[word]) for word in words]
        if not sets:
            return np.zeros(len(numbers), np.float32)
        return maxsim(self.postings(snapshot), sets, numbers)

    def evidence(self, snapshot: Snapshot, query: Query, numbers: IntArray) -> FloatArray:
        """The share of the query that each document covers, and its margin."""
        return lexical_evidence(self, snapshot, query, numbers)

    @cached_property
    def _similar(self) -> dict[tuple[str, str], SimilarWords]:
        return {}

    def _similar_words(self, language: str, searched: str) -> SimilarWords:
        similar = self._similar.get((language, searched))
        if similar is None:
            made = SimilarWords(self._mapper, language, searched)
            similar = self._similar.setdefault((language, searched), made)
        return similar

    def _expansion(self, language: str, searched: str) -> Expansion:
        expansion = self._expansions.get((language, searched))
        if expansion is None:
            made = Expansion(self._mapper, language, searched)
            expansion = self._expansions.setdefault((language, searched), made)
        return expansion


Names = dict[tuple[str, str], Alternatives]  # by word and language


def _live_names(
    postings: SnapshotPostings, names: Sequence[tuple[int, str, str]]
) -> list[tuple[int, str, Alternatives]]:
    """For words of a query and languages, the names of live documents that are most alike."""
    known: Names = postings.snapshot.cached("live names", dict)
    new = {(word, code) for _, code, word in names if (word, code) not in known}
    if new:
        if len(known) + len(new) > CACHED_WORDS:
            known.clear()
        known.update(_find_names(postings, sorted(new)))
    names_of = [(position, code, known[word, code]) for position, code, word in names]
    return [one for one in names_of if one[2].dimensions]


def _find_names(postings: SnapshotPostings, names: Sequence[tuple[str, str]]) -> Names:
    """The names in live documents that are most alike to words, by word and language."""
    near = {one: postings.snapshot.same_names(WORDS, *one) for one in names}
    dimensions = {
        dimension(code, Side.OWN, other) for (_, code), mine in near.items() for other, _ in mine
    }
    located = postings.locate(np.array(sorted(dimensions), np.int64))
    live = {*located.dimensions[located.frequencies > 0].tolist()}

    def is_live(code: str, word: str) -> bool:
        return dimension(code, Side.OWN, word) in live

    return {
        (word, code): resembling([o for o in mine if is_live(code, o[0])][:MOST_NAMES], code)
        for (word, code), mine in near.items()
    }


def _weighed(
    postings: SnapshotPostings, sets: Sequence[tuple[int, str, Alternatives]]
) -> QueryTerms:
    """Each set of alternatives by the idf of its common document frequency.

    The frequency of a set of synonyms is at most the sum of theirs (Pirkola 1998).
    """
    sizes = [len(mine.dimensions) for _, _, mine in sets]
    dimensions = np.array([d for _, _, mine in sets for d in mine.dimensions], np.int64)
    probabilities = np.array([p for _, _, mine in sets for p in mine.probabilities], np.float64)
    counts = postings.snapshot.languages
    documents = np.array([counts[code] for _, code, _ in sets], np.float64)
    groups = np.repeat(np.arange(len(sets)), sizes)
    located = postings.locate(dimensions)
    together = np.minimum(np.bincount(groups, located.frequencies, len(sets)), documents)
    idf = inverse_document_frequency(together, documents)
    words = np.array([position for position, _, _ in sets], np.int64)
    weights = probabilities**SPREAD * idf[groups] * (located.frequencies > 0)
    return QueryTerms(words[groups], dimensions, probabilities, weights, located)
