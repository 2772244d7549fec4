"""Stored positions and a query's terms -> the exact logit of every selected document.

Documents are processed in portions, so that their rows and dot products stay in the CPU cache while
one term after the other is multiplied with them. A document is as relevant as its best sentence
(section 3). The lengths of sentences are a space of their own, one number per row; half precision
is exact for integers up to ``config.LONGEST_SENTENCE``.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes import kernels
from dragoman.indexes.snapshot import DocumentSet, LanguageSpan
from dragoman.storage.gathering import starts_of
from dragoman.systems.searcher.config import Pooling
from dragoman.systems.searcher.kernels import best_sentences

POSITIONS, SENTENCES = "positions", "sentences"  # spaces: a row per position, a length per sentence
AT_ONCE = 1 << 14  # positions


class Positions(NamedTuple):
    """The positions of some documents, and the starts of sentences and documents."""

    rows: NDArray[np.float16]  # (positions, p)
    sentences: NDArray[np.int64]  # starts in rows, and the end of the last
    documents: NDArray[np.int64]  # starts in sentences, and the end of the last

    @classmethod
    def of(cls, span: LanguageSpan) -> "Positions":
        """What a segment keeps of the documents of a span."""
        positions, lengths = (span.reader.segment.rows(name) for name in (POSITIONS, SENTENCES))
        rows, documents = (
            matrix.starts[span.first : span.last + 1] for matrix in (positions, lengths)
        )
        positions.check(rows[:1], rows[-1:])
        lengths.check(documents[:1], documents[-1:])
        sizes = lengths.rows[documents[0] : documents[-1]].ravel().astype(np.int64)
        return cls(positions.rows, starts_of(sizes) + rows[0], documents - documents[0])

    @classmethod
    def pack(
        cls, documents: Iterable[tuple[NDArray[np.float32], NDArray[np.int64]]]
    ) -> "Positions":
        """Documents that are not in an index: the rows and the sentence lengths of each."""
        rows, lengths = zip(*documents, strict=True)
        return cls(
            np.concatenate(rows).astype(np.float16),
            starts_of(np.concatenate(lengths)),
            starts_of([len(sizes) for sizes in lengths]),
        )


class DocumentLogits(NamedTuple):
    """Documents by number, and the logit of each term in their best sentences."""

    numbers: NDArray[np.int64]
    logits: NDArray[np.float32]  # (terms, documents)


def scan(selection: DocumentSet, terms: NDArray[np.float32], pooling: Pooling) -> DocumentLogits:
    """The logits of all selected documents that have a position, for terms (n, p + 1).

    The last column of ``terms`` is the bias. Numbers ascend within a span.
    """
    numbers, logits = [np.zeros(0, np.int64)], [np.zeros((len(terms), 0), np.float32)]
    for span in selection.spans:
        positions, mask = Positions.of(span), selection.mask(span)
        wanted = np.diff(positions.documents) > 0
        if len(mask):
            wanted &= mask
        span_logits = document_logits(positions, terms, pooling, wanted)
        numbers.append(np.flatnonzero(wanted) + span.base)
        logits.append(span_logits[:, wanted])
    return DocumentLogits(np.concatenate(numbers), np.concatenate(logits, axis=1))


def document_logits(
    positions: Positions,
    terms: NDArray[np.float32],
    pooling: Pooling,
    wanted: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """(n, documents): the logits of terms (n, p + 1) in the best sentence of wanted documents."""
    vectors, soft = np.ascontiguousarray(terms[:, :-1]), pooling is Pooling.SOFTMAX
    starts = positions.sentences[positions.documents]  # of documents among rows, and the end
    best = np.full((len(terms), len(wanted)), -np.inf, np.float32)
    first = 0
    while first < len(wanted):
        limit = int(np.searchsorted(starts, starts[first] + AT_ONCE, "right")) - 1
        last = max(first + 1, limit)
        if wanted[first:last].any():
            dots = _products(positions.rows, int(starts[first]), int(starts[last]), vectors)
            documents = positions.documents[first : last + 1]
            sentences = positions.sentences[documents[0] : documents[-1] + 1] - starts[first]
            best_sentences(dots, sentences, documents - documents[0], soft, best[:, first:last])
        first = last
    return best + terms[:, -1:]


def _products(
    rows: NDArray[np.float16], first: int, last: int, vectors: NDArray[np.float32]
) -> NDArray[np.float32]:
    """(n, last - first): dot products row by row, so that scores do not depend on other rows."""
    multiply = kernels.active().span_products
    return np.stack([multiply(rows, first, last, vector) for vector in vectors])
