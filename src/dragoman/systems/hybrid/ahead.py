"""The vectors of a build's first documents, encoded while the words of all are surveyed.

A survey reads every text on one core before the first vector of words can be made. What is encoded
on the other one meanwhile is kept, and given back when its document comes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from threading import Event

from dragoman.indexes.engine import batches
from dragoman.indexes.spaces import Vector
from dragoman.types import Document, Text

Vectors = Mapping[str, Vector]

MOST = 16_384  # documents, whose vectors take some ten megabytes of memory
PORTION = 64  # that are begun together, and finished when the survey ends


class Ahead:
    """Encodes documents in their order until it is stopped; what it has, it gives once."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Text, Vectors]] = {}
        self._stopped = Event()

    def encode(
        self,
        documents: Iterable[Document],
        vectors: Callable[[Sequence[Document]], Sequence[Vectors]],
    ) -> None:
        """Encode in another thread than the one that stops it."""
        for portion in batches(islice(documents, MOST), PORTION):
            if self._stopped.is_set():
                return
            for document, mine in zip(portion, vectors(portion), strict=True):
                self._found[document.doc_id] = document.content, mine

    def stop(self) -> None:
        """Begin with no further documents."""
        self._stopped.set()

    def take(self, document: Document) -> Vectors | None:
        """The vectors of a document; None where it is not known, or not with this text."""
        text, vectors = self._found.pop(document.doc_id, (None, None))
        return vectors if text == document.content else None
