"""Training examples: a query, a document with its relevant queries, a label.

Section 4.1 of the paper: every sample is ``<query, document, relevant queries, label>``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from dragoman.types import Document, Query, Text


@dataclass(frozen=True, slots=True)
class RelevanceExample:
    """A query and a document; ``label`` is 1 if the document is relevant, else 0."""

    query: Query
    document: Document
    relevant_queries: tuple[Query, ...]
    label: float


def examples_digest(examples: Iterable[RelevanceExample]) -> str:
    """A digest, equal for the same examples in the same order."""
    return _digest(
        [_pair(example), *(query.content for query in example.relevant_queries), example.label]
        for example in examples
    )


def pairs_digest(examples: Iterable[RelevanceExample]) -> str:
    """A digest of queries and documents, the input of a teacher, in their order."""
    return _digest([_pair(example)] for example in examples)


def _pair(example: RelevanceExample) -> tuple[Text, Text]:
    return example.query.content, example.document.content


def _digest(rows: Iterable[Sequence[object]]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
