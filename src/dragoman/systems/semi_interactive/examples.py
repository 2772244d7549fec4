"""What the models learn from: a query, a document with its relevant queries, a label.

Section 4.1 of the paper: every sample is ``<query, document, relevant queries, label>``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from dragoman.types import Document, Query, Text


@dataclass(frozen=True, slots=True)
class RelevanceExample:
    """A query and a document; ``label`` is 1 where it is relevant, 0 where it is not."""

    query: Query
    document: Document
    relevant_queries: tuple[Query, ...]
    label: float


def examples_digest(examples: Iterable[RelevanceExample]) -> str:
    """Equal for the same examples in the same order."""
    return _digest(
        [_pair(one), *(query.content for query in one.relevant_queries), one.label]
        for one in examples
    )


def pairs_digest(examples: Iterable[RelevanceExample]) -> str:
    """Equal for the same queries and documents in the same order: all that a teacher reads."""
    return _digest([_pair(one)] for one in examples)


def _pair(example: RelevanceExample) -> tuple[Text, Text]:
    return example.query.content, example.document.content


def _digest(rows: Iterable[Sequence[object]]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
