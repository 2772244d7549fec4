"""A word of a language -> the dimension that its postings are under.

A dimension is a hash, so that no vocabulary has to follow added and deleted documents.
A collection of a million distinct words meets about a hundred collisions among 2**32, each of which
adds the postings of one more word to a rare query.
"""

from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b


class Side(StrEnum):
    """Which words a dimension is of."""

    OWN = "own"  # the documents' own
    PIVOT = "pivot"  # those of the pivot language that they stand for


@lru_cache(maxsize=1_000_000)
def dimension(language: str, side: Side, word: str) -> int:
    """32 bits of the hash of a word of documents in ``language``."""
    digest = blake2b(f"{language}\t{side}\t{word}".encode("utf-8", "surrogatepass"), digest_size=4)
    return int.from_bytes(digest.digest(), "little")
