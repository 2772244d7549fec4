"""Documents -> counts of words: one pass, after which only packed arrays are left.

Every language has its own namespace of words, so that its document frequencies are its own and
a search in some languages touches the postings of those languages alone.
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from dragoman.errors import InputError
from dragoman.protocols import Advance, Tokenizer
from dragoman.scores.impacts import Rows
from dragoman.text.strings import Strings
from dragoman.types import Document, FloatArray, IntArray


@dataclass(frozen=True)
class LanguageRows:
    """The documents of one language: rows over the language's own words."""

    language: str
    words: tuple[str, ...]
    rows: Rows
    numbers: IntArray  # of each row's document, in the order of all documents' ids

    @cached_property
    def lengths(self) -> FloatArray:
        """How many words each document has."""
        return np.add.reduceat(
            np.append(self.rows.values, 0.0), self.rows.starts[:-1], dtype=np.float64
        ) * (np.diff(self.rows.starts) > 0)

    @property
    def mean_length(self) -> float:
        """Over the documents that have any word."""
        filled = self.lengths[self.lengths > 0]
        return float(filled.mean()) if len(filled) else 0.0

    @cached_property
    def document_frequencies(self) -> FloatArray:
        """In how many documents each word occurs."""
        return np.bincount(self.rows.dimensions, minlength=len(self.words)).astype(np.float64)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Collected:
    """All documents; their numbers follow the order of their ids, so that ties break by id."""

    doc_ids: Strings
    parts: tuple[LanguageRows, ...]  # by language code


class _Growing:
    """The rows of one language while documents come in."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.starts = array("q", [0])
        self.dimensions = array("i")
        self.counts = array("f")
        self.arrivals = array("q")

    def add(self, words: Iterable[str], arrival: int) -> None:
        known = self.words
        for word, count in Counter(words).items():
            self.dimensions.append(known.setdefault(word, len(known)))
            self.counts.append(count)
        self.starts.append(len(self.dimensions))
        self.arrivals.append(arrival)


def collect(documents: Iterable[Document], tokenize: Tokenizer, advance: Advance) -> Collected:
    """Count the words of every document; an id that comes twice is an error."""
    growing: dict[str, _Growing] = {}
    doc_ids: list[str] = []
    for arrival, document in enumerate(documents):
        content = document.content
        part = growing.setdefault(content.language, _Growing())
        part.add(tokenize(content.body, content.language), arrival)
        doc_ids.append(document.doc_id)
        advance()
    order = sorted(range(len(doc_ids)), key=doc_ids.__getitem__)
    _refuse_duplicates(doc_ids, order)
    numbers = np.empty(len(order), dtype=np.int32)
    numbers[order] = np.arange(len(order), dtype=np.int32)
    parts = tuple(_packed(language, growing[language], numbers) for language in sorted(growing))
    return Collected(Strings.pack(doc_ids[row] for row in order), parts)


def _packed(language: str, part: _Growing, numbers: IntArray) -> LanguageRows:
    rows = Rows(
        np.frombuffer(part.starts, dtype=np.int64),
        np.frombuffer(part.dimensions, dtype=np.int32),
        np.frombuffer(part.counts, dtype=np.float32),
    )
    arrivals = np.frombuffer(part.arrivals, dtype=np.int64)
    return LanguageRows(language, tuple(part.words), rows, numbers[arrivals])


def _refuse_duplicates(doc_ids: list[str], order: list[int]) -> None:
    for row, following in pairwise(order):
        if doc_ids[row] == doc_ids[following]:
            raise InputError(
                "documents",
                following + 1,
                found=f"the id {doc_ids[row]!r} a second time",
                expected="every id once",
            )
