"""Documents that come and go as weighed bags of words with vectors, and questions read likewise.

Section 3.2 of Balikas et al. 2018: a text is the set of its words' points, weighed by tf or idf.
What depends on all documents, the idf, is worked out when a search follows a change; nothing is
read or encoded again for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dragoman.lexicons.tables import Tables
from dragoman.lexicons.wording import Forms, Wording
from dragoman.types import Document, FloatArray, IntArray, Text
from dragoman.vectors.bag_config import BagConfig
from dragoman.vectors.counted import Documents, Vocabulary, joined, starts
from dragoman.vectors.reading import Read, Reader
from dragoman.vectors.weighting import Weighting, word_weights
from dragoman.vectors.word_sources import WordSource, source_of

ANY = ""  # the language of a question that documents of every language are compared with


class WeighedWords(NamedTuple):
    """The known words of one text: points of length one, and weights of 0 or more."""

    words: tuple[str, ...]
    points: FloatArray
    weights: FloatArray


@dataclass(frozen=True, eq=False)
class Weighed:
    """A collection at one moment, its documents in the order of their ids."""

    ids: tuple[str, ...]
    languages: NDArray[np.str_]  # by document
    bags: csr_array  # (documents, rows of the vocabulary), not scaled
    frequencies: IntArray  # by row of the vocabulary: how many documents have it
    weights: FloatArray  # by row of the vocabulary
    unmet: float  # the weight of a word that no document has
    forms: dict[str, Forms] = field(default_factory=dict)  # by language, as they are asked for

    @cached_property
    def _places(self) -> dict[str, int]:
        return {doc_id: row for row, doc_id in enumerate(self.ids)}

    def rows(self, doc_ids: Iterable[str]) -> IntArray:
        """The rows of those of the documents that are here, rising."""
        found = (self._places.get(doc_id) for doc_id in doc_ids)
        return np.sort(np.array([row for row in found if row is not None], dtype=np.int64))

    def rows_in(self, languages: Iterable[str]) -> IntArray:
        """The rows of documents in ``languages``, rising."""
        return np.flatnonzero(np.isin(self.languages, list(languages)))

    @classmethod
    def of(cls, documents: Documents, vocabulary: Vocabulary, weighting: Weighting) -> Self:
        """The bags of all documents, weighed by the frequencies known now."""
        listed = documents.in_order()
        rows = joined([one.rows for one in listed], np.int32)
        frequencies = np.bincount(rows, minlength=len(vocabulary.numbers))
        weights = word_weights(frequencies, len(listed), weighting) * vocabulary.known
        data = joined([one.counts for one in listed], np.float64) * weights[rows]
        shape = (len(listed), len(vocabulary.numbers))
        return cls(
            tuple(one.doc_id for one in listed),
            np.array([one.language for one in listed], dtype=np.str_),
            csr_array((data, rows, starts([one.rows for one in listed])), shape=shape),
            frequencies,
            weights,
            float(word_weights(np.zeros(1), len(listed), weighting)[0]),
        )


class BagCollection:
    """Counted documents, the points of their words, and the source of both."""

    def __init__(
        self, config: BagConfig, source: WordSource, vocabulary: Vocabulary, documents: Documents
    ) -> None:
        self._config, self.source = config, source
        self.vocabulary, self.documents = vocabulary, documents
        self.reader = Reader(source, config)

    @classmethod
    def empty(cls, config: BagConfig) -> Self:
        """No document yet."""
        source = source_of(config)
        return cls(config, source, Vocabulary(source), Documents())

    def add(self, documents: Sequence[Document]) -> None:
        """Count documents, each in the place of an earlier one of its id."""
        for counted in self.reader.counted(documents, self.vocabulary):
            self.documents.add(counted)
        self.__dict__.pop("weighed", None)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Count documents no longer."""
        for doc_id in doc_ids:
            self.documents.remove(doc_id)
        self.__dict__.pop("weighed", None)

    @cached_property
    def weighed(self) -> Weighed:
        """The documents' bags by the frequencies of this moment."""
        return Weighed.of(self.documents, self.vocabulary, self._config.weighting)

    def parts(self, rows: IntArray | None) -> Iterator[tuple[str, IntArray | None]]:
        """The rows that one form of a question is compared with, and the language of that form."""
        if not self._config.translate:
            yield ANY, rows
            return
        chosen = np.arange(len(self.weighed.ids)) if rows is None else rows
        languages = self.weighed.languages[chosen]
        for code in np.unique(languages):
            yield str(code), chosen[languages == code]

    def question(self, text: Text, searched: str = ANY) -> WeighedWords:
        """The bag of a question as documents in ``searched`` meet it, translated if need be."""
        if not self._config.translate or searched == ANY:
            return self.read(text)
        words = " ".join(self._wording.translated(text, self._forms(searched)))
        return self.read(Text(words, searched))

    def read(self, text: Text) -> WeighedWords:
        """The bag of a text, weighed by the frequencies of this moment."""
        return self._weighed_words(self.reader.read(self.reader.words(text), text.language))

    def _weighed_words(self, read: Read) -> WeighedWords:
        rows = self.vocabulary.rows(read.keys)
        points = self.vocabulary.points_of(read.keys, rows)
        weights = np.where(points.any(axis=1), self.weighed.unmet, 0.0)
        weights[rows >= 0] = self.weighed.weights[rows[rows >= 0]]
        counts = np.array(read.counts, dtype=np.float64)
        return WeighedWords(read.surfaces, points, weights * counts)

    @cached_property
    def _wording(self) -> Wording:
        return Wording(Tables(self._config.lexicons))

    def _forms(self, language: str) -> Forms:
        """The documents' words in ``language``, counted again after a change."""
        known = self.weighed.forms
        if language not in known:
            words = self.vocabulary.words(language, self.weighed.frequencies)
            known[language] = Forms.of(language, words, self._wording.read)
        return known[language]

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words have no vector, or no translation where one is asked for."""
        codes = list(languages)
        told = [notice for code in codes if (notice := self.source.notice(code))]
        if self._config.translate:
            tables = Tables(self._config.lexicons)
            told += [
                f"no translation table for {code}; questions and documents in it meet only in words"
                " that are spelt alike"
                for code in codes
                if code not in tables.languages()
            ]
        return told

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        tables = Tables(self._config.lexicons)
        codes = sorted(tables.languages()) if self._config.translate else ()
        return {
            "words": self.source.signature,
            "reading": self.reader.signature,
            "weighting": self._config.weighting.value,
            "lexicons": {code: tables.fingerprint(code) for code in codes},
        }

    def save(self, folder: Path) -> None:
        """Write vocabulary and counts."""
        self.vocabulary.save(folder)
        self.documents.save(folder)

    @classmethod
    def load(cls, folder: Path, config: BagConfig) -> Self:
        """What ``save`` wrote; arrays are mapped, not read."""
        source = source_of(config)
        return cls(config, source, Vocabulary.load(folder, source), Documents.load(folder))
