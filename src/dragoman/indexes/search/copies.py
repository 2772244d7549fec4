"""Documents -> which of them are nearly the same, by the runs of letters that they share.

A text is represented by how often each run of ``RUN`` bytes occurs, in a long one in its beginning
and its end, counted in hashed ``BUCKETS``. Two documents are copies if their titles are equal,
their texts about equally long, and nearly all runs common to both: a few words may differ, and any
number of spaces.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.types import Document

RUN = 8  # bytes: as many Latin letters, four of most other alphabets, two or three of Chinese
BITS = 11
BUCKETS = 1 << BITS
FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, with mixed bits: spreads runs over the buckets
ENDS = 2_000  # letters of the beginning, and of the end
LONG = 4 * ENDS  # letters: of a longer text only the ends are compared
COMMON = 0.9  # share of the runs that copies have in common


def copies(documents: Sequence[Document]) -> list[tuple[int, int]]:
    """The pairs of documents that are nearly the same, as rising positions."""
    texts = [_normal(_ends(document.text)) for document in documents]
    titles = [_normal(document.title) for document in documents]
    lengths = np.array(
        [
            len(document.text) if _is_long(document.text) else len(text)
            for document, text in zip(documents, texts, strict=True)
        ],
        np.int64,
    )
    order = np.argsort(lengths, kind="stable")
    rising = lengths[order]
    counts: dict[int, NDArray[np.int16]] = {}
    pairs: list[tuple[int, int]] = []
    for place, one in enumerate(order.tolist()):
        longest = int(np.searchsorted(rising, rising[place] / COMMON, "right"))
        for other in order[place + 1 : longest].tolist() if texts[one] else ():
            if not titles[one] or not titles[other] or titles[one] == titles[other]:
                for each in (one, other):
                    if each not in counts:
                        counts[each] = run_counts(texts[each])
                if common_share(counts[one], counts[other]) >= COMMON:
                    pairs.append((min(one, other), max(one, other)))
    return sorted(pairs)


def _is_long(text: str) -> bool:
    """Whether only the ends of a text are compared, and its length with all its spaces."""
    return len(text) > LONG


def _ends(text: str) -> str:
    """The beginning and the end of a long text, all of another."""
    return text[:ENDS] + text[-ENDS:] if _is_long(text) else text


def _normal(text: str) -> str:
    """A text in lower case with single spaces."""
    return " ".join(text.casefold().split())


def run_counts(text: str) -> NDArray[np.int16]:
    """How often the runs of a text occur, by bucket."""
    data = text.encode("utf-8", "surrogatepass").ljust(RUN)
    starts = range(min(RUN, len(data) - RUN + 1))
    runs = np.concatenate(
        [np.frombuffer(data, "<u8", (len(data) - start) // RUN, start) for start in starts]
    )
    buckets = (runs * FACTOR) >> np.uint64(64 - BITS)
    return np.bincount(buckets.view(np.int64), minlength=BUCKETS).astype(np.int16)


def common_share(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    """The share of the runs that two texts have in common, of the one with more of them."""
    most = max(int(one.sum()), int(other.sum()))
    return float(np.minimum(one, other).sum()) / most
