"""Documents -> passage vectors: read once, encoded in portions, spooled to a temporary file.

Memory does not grow with the vectors: they go to disk as they come and are brought into the order
of the search (language, document id) through memory maps.
"""

import tempfile
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError
from dragoman.protocols import Advance
from dragoman.systems.dense.passages import BLOCK, PassageVectors
from dragoman.text.strings import Strings
from dragoman.types import Document, IntArray, Text
from dragoman.vectors.family import EncoderFamily
from dragoman.vectors.passages import PassageConfig, split

PORTION = 4096  # passages that are encoded at a time


def document_passages(document: Document, config: PassageConfig) -> list[Text]:
    """The passages of a document, title and text together."""
    content = document.content
    return [Text(passage.text, content.language) for passage in split(content.body, config)]


@dataclass
class _Spool:
    """Passages on their way: waiting to be encoded, or vectors on disk."""

    family: EncoderFamily
    file: IO[bytes]
    waiting: list[Text] = field(default_factory=list)
    written: int = 0

    def add(self, passages: list[Text]) -> None:
        self.waiting += passages
        if len(self.waiting) >= PORTION:
            self.encode()

    def encode(self) -> None:
        vectors = self.family.encode(self.waiting)
        self.file.write(np.ascontiguousarray(vectors, dtype=np.float32).tobytes())
        self.written += len(vectors)
        self.waiting.clear()

    def finish(self) -> NDArray[np.float32]:
        self.encode()
        return _mapped(self.file, (self.written, self.family.dimension))


def _mapped(file: IO[bytes], shape: tuple[int, int]) -> NDArray[np.float32]:
    """The rows in a temporary file, which lives as long as the map."""
    file.flush()
    if not shape[0]:
        return np.zeros(shape, dtype=np.float32)
    return np.memmap(file, dtype=np.float32, mode="r", shape=shape)


def collect(
    documents: Iterable[Document], family: EncoderFamily, config: PassageConfig, advance: Advance
) -> PassageVectors:
    """The passage vectors of all documents; an id that comes twice is an error."""
    ids: list[str] = []
    languages: list[str] = []
    counts = array("q")
    with tempfile.TemporaryFile(prefix="dragoman-") as file:
        spool = _Spool(family, file)
        for document in documents:
            passages = document_passages(document, config)
            spool.add(passages)
            ids.append(document.doc_id)
            languages.append(document.language)
            counts.append(len(passages))
            advance()
        vectors = spool.finish()
    order = sorted(range(len(ids)), key=ids.__getitem__)
    _refuse_duplicates(ids, order)
    return _arranged(vectors, np.array(counts, dtype=np.int64), ids, languages, order)


def _arranged(
    vectors: NDArray[np.float32],
    counts: NDArray[np.int64],
    ids: list[str],
    languages: list[str],
    order: list[int],
) -> PassageVectors:
    """The passages by language and id; documents without a passage cannot be found by one."""
    number = np.empty(len(ids), dtype=np.int64)
    number[order] = np.arange(len(ids))
    chosen = [row for row in order if counts[row]]
    chosen.sort(key=lambda row: languages[row])  # stable: within a language by id
    spans: dict[str, tuple[int, int]] = {}
    for place, row in enumerate(chosen):
        first = spans.get(languages[row], (place, place))[0]
        spans[languages[row]] = (first, place + 1)
    rows = np.array(chosen, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts[rows])]).astype(np.int64)
    arranged = _gathered(vectors, _sources(counts, rows))
    return PassageVectors(
        arranged, starts, number[rows], Strings.pack([ids[row] for row in order]), spans
    )


def _sources(counts: NDArray[np.int64], rows: IntArray) -> NDArray[np.int64]:
    """For each passage in its new place, where it stands in the order of arrival."""
    arrived = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else counts
    sizes = counts[rows]
    ends = np.cumsum(sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
    return (np.repeat(arrived[rows], sizes) + within).astype(np.int64)


def _gathered(vectors: NDArray[np.float32], sources: NDArray[np.int64]) -> NDArray[np.float32]:
    if np.array_equal(sources, np.arange(len(vectors))):
        return vectors
    with tempfile.TemporaryFile(prefix="dragoman-") as file:
        for start in range(0, len(sources), BLOCK):
            file.write(vectors[sources[start : start + BLOCK]].tobytes())
        return _mapped(file, (len(sources), vectors.shape[1]))


def _refuse_duplicates(ids: list[str], order: list[int]) -> None:
    for row, following in pairwise(order):
        if ids[row] == ids[following]:
            raise InputError(
                "documents",
                following + 1,
                found=f"the id {ids[row]!r} a second time",
                expected="every id once",
            )
