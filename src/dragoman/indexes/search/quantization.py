"""Rows -> 4-bit product-quantised codes that faiss scans: a shortlist that is refined exactly.

faiss's ``IndexIVFPQFastScan`` with one list is the form that takes a selector, so that deleted
documents and filters are one bitmap. The codebook is trained on rows of the segment that it belongs
to and stored in it: segments share nothing, and a merge never mixes centres.

Measured on rows of the default encoder (512 numbers, one thread, 70,000 rows a language) with
questions to which no document is near, which is hardest: six rows refined for each document find
.996 of the fifty nearest, three .974 in 95 % of the time. Half as many subspaces find .963 with
sixteen rows, in 95 % of the time too. More than one list loses more than it saves: in 32 lists,
scanning 16 took 60 % of the time for .956.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.types import FloatArray

CODED = 5_000  # rows of a language in a segment; fewer are scanned exactly
TRAINED_ON = 4096  # rows; more do not raise the recall
BITS = 4
ITERATIONS = 5  # of k-means: .9939 of the fifty nearest, with 25 .9936, with 2 .9893

# A shortlist has ``WIDER`` rows for each document wanted, for ``FEWEST`` documents at least, and
# for one document in ``SPARSE`` rows: the more rows, the more of them look as near.
WIDER, FEWEST, SPARSE = 6, 50, 1000


@cache
def is_available() -> bool:
    """Whether faiss is installed: it has no wheels for some platforms, where rows are scanned."""
    return find_spec("faiss") is not None


def _faiss() -> ModuleType:
    import faiss  # noqa: PLC0415 - .15 s, and many processes have few rows

    faiss.omp_set_num_threads(1)  # of this thread: searches come from several
    return faiss


def trained(sample: FloatArray) -> Any:  # noqa: ANN401 - faiss has no types
    """An empty index with a codebook."""
    faiss = _faiss()
    size = sample.shape[1]
    quantizer = faiss.IndexFlatIP(size)
    subspaces = size // 2 if size % 2 == 0 else size
    index = faiss.IndexIVFPQFastScan(
        quantizer, size, 1, subspaces, BITS, faiss.METRIC_INNER_PRODUCT
    )
    index.by_residual = False
    index.pq.cp.niter = ITERATIONS
    index.train(np.ascontiguousarray(sample, np.float32))
    return index


def write_codes(
    empty: Any,  # noqa: ANN401
    chunks: Iterable[NDArray[np.float16]],
    stream: IO[bytes],
) -> None:
    """Write the codes of rows, as the bytes that ``Codes`` reads."""
    faiss = _faiss()
    index = faiss.clone_index(empty)
    for chunk in chunks:
        index.add(chunk.astype(np.float32))
    faiss.write_index(index, faiss.PyCallbackIOWriter(stream.write))


class Codes:
    """The codes of one language's rows in a segment."""

    def __init__(self, data: NDArray[np.uint8], owners: NDArray[np.int32]) -> None:
        self._index = _faiss().deserialize_index(data)
        self.owners = owners  # the document of each row
        self._size = int(self._index.ntotal)

    def __len__(self) -> int:
        return self._size

    def shortlist_size(self, k: int, wider: int) -> int:
        """How many rows are shortlisted where ``k`` documents are wanted."""
        return wider * max(k, FEWEST, self._size // SPARSE)

    def shortlist(
        self, queries: FloatArray, count: int, allowed: NDArray[np.bool_]
    ) -> list[NDArray[np.int64]]:
        """For each query the ``count`` rows that look nearest, rising; of those allowed.

        An empty ``allowed`` allows all.
        """
        faiss, options = _faiss(), None
        if len(allowed):
            selector = faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            options = faiss.SearchParametersIVF(sel=selector)
        _, rows = self._index.search(queries, min(count, len(self)), params=options)
        rows.sort(axis=1)
        return [mine[np.searchsorted(mine, 0) :] for mine in rows]  # -1 stands for none


def training_places(spans: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Places of rows to train on, spread evenly over spans of rows."""
    starts = np.array([first for first, _ in spans])
    before = np.cumsum([0, *(last - first for first, last in spans)])
    total = int(before[-1])
    chosen = np.linspace(0, total - 1, min(TRAINED_ON, total)).astype(np.int64)
    span = np.searchsorted(before, chosen, "right") - 1
    places: NDArray[np.int64] = starts[span] + chosen - before[span]
    return places
