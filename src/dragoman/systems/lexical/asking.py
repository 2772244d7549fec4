"""A query's word -> the dimensions that psq asks documents of one language for, with weights."""

from dragoman.lexicons.tables import PIVOT
from dragoman.systems.lexical.pivoting import Meanings, PivotMapper
from dragoman.systems.lexical.postings import ABSENT
from dragoman.systems.lexical.searched import Searched, Space

# A translation's weight is this power of its probability. A sum of impacts that were saturated one
# by one undervalues a word whose probability is spread over several translations in a document.
SPREAD = 0.5

RESEMBLANCE = 0.8  # how far a word that only sounds like the query's is trusted

CACHED_WORDS = 1 << 16

Asked = tuple[int, float, float]  # a dimension, the probability that it is meant, its weight


class Asking(dict[str, tuple[Asked, ...]]):
    """Word -> what is asked for it; each is worked out when it first comes."""

    def __init__(
        self, searched: Searched, mapper: PivotMapper, language: str, documents_in: str
    ) -> None:
        super().__init__()
        own = searched.own(documents_in)
        self._own, self._pivot = own, own if documents_in == PIVOT else searched.pivot(documents_in)
        self._same_language = language == documents_in
        self._names, self._documents_in = searched.names, documents_in
        if not self._same_language:
            self._translatable = mapper.translatable(language, documents_in)
            self._meanings = None if language == PIVOT else mapper.meanings(language)

    def __missing__(self, word: str) -> tuple[Asked, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        asked = self[word] = tuple(self._asked(word))
        return asked

    def _asked(self, word: str) -> list[Asked]:
        """The documents' own word for a query in their language, else pivot words."""
        if self._own is None:
            return []
        if self._same_language:
            return _itself(self._own, word)
        assert self._pivot is not None, "every language but the pivot has both namespaces"
        meanings = {word: 1.0} if self._meanings is None else self._meanings[word]
        asked = _together(self._pivot, meanings)
        if word not in self._translatable:
            asked += _together(self._own, self._resembling(word))
        return asked

    def _resembling(self, word: str) -> Meanings:
        """Words of the documents that may be the same name."""
        near = self._names[self._documents_in].nearest(word)
        return {other: RESEMBLANCE * resemblance for other, resemblance in near}


def _itself(space: Space, word: str) -> list[Asked]:
    """The word with its idf."""
    dimension = space.find(word)
    return [] if dimension == ABSENT else [(dimension, 1.0, space.idf_at(dimension))]


def _together(space: Space, meanings: Meanings) -> list[Asked]:
    """The meanings that the documents know, all with the idf of their common frequency.

    The frequency of a set of synonyms is at most the sum of theirs (Pirkola 1998).
    """
    known = []
    together = 0.0
    for meaning, probability in meanings.items():
        dimension = space.find(meaning)
        if dimension != ABSENT and (frequency := space.frequency_at(dimension)) > 0:
            known.append((dimension, probability))
            together += frequency
    if not known:
        return []
    idf = space.idf_of(min(together, space.documents))
    return [(dimension, p, p**SPREAD * idf) for dimension, p in known]
