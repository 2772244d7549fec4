"""Examples -> tokens: every distinct text is tokenized once; examples are rows of texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.systems.semi_interactive.config import SemiInteractiveConfig
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.inputs import EncoderInput, InputBuilder, Tokens
from dragoman.types import IntArray, Query, Text

PORTION = 4096  # texts tokenized at a time


@dataclass(frozen=True, slots=True)
class TokenizedExamples:
    """The distinct queries and documents, and their rows for each example."""

    queries: Sequence[Tokens]
    documents: Sequence[Tokens]
    relevant: Sequence[Sequence[Tokens]]  # by document
    query_rows: NDArray[np.int64]
    document_rows: NDArray[np.int64]
    labels: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def document_lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each example's document, with its relevant queries."""
        lengths = [
            len(document) + sum(len(query) for query in queries)
            for document, queries in zip(self.documents, self.relevant, strict=True)
        ]
        return np.array(lengths, dtype=np.int64)[self.document_rows]

    @property
    def pair_lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each example's query and document together."""
        queries = np.array([len(query) for query in self.queries], dtype=np.int64)
        return queries[self.query_rows] + self.document_lengths

    def query_inputs(self, builder: InputBuilder, rows: IntArray) -> list[EncoderInput]:
        """The inputs of some queries."""
        return [builder.query(self.queries[row]) for row in rows]

    def document_inputs(self, builder: InputBuilder, rows: IntArray) -> list[EncoderInput]:
        """The inputs of some documents with their relevant queries."""
        return [builder.document(self.documents[row], self.relevant[row]) for row in rows]

    def pair_inputs(self, builder: InputBuilder, examples: IntArray) -> list[EncoderInput]:
        """The inputs of some examples: query and document together, and relevant queries if any."""
        pairs = zip(self.query_rows[examples], self.document_rows[examples], strict=True)
        return [
            builder.pair(self.queries[query], self.documents[row], self.relevant[row])
            for query, row in pairs
        ]


def tokenize_examples(
    examples: Sequence[RelevanceExample], builder: InputBuilder, config: SemiInteractiveConfig
) -> TokenizedExamples:
    """The examples, tokenized by ``builder``."""
    queries: dict[Text, int] = {}
    documents: dict[tuple[Text, tuple[Text, ...]], int] = {}
    rows = [
        (
            queries.setdefault(example.query.content, len(queries)),
            documents.setdefault(_document(example, config), len(documents)),
        )
        for example in examples
    ]
    relevant = list(dict.fromkeys(text for _, texts in documents for text in texts))
    tokens = dict(zip(relevant, tokenize(builder, relevant), strict=True))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return TokenizedExamples(
        tokenize(builder, list(queries)),
        tokenize(builder, [text for text, _ in documents]),
        [[tokens[text] for text in texts] for _, texts in documents],
        np.ascontiguousarray(columns[0]),
        np.ascontiguousarray(columns[1]),
        np.array([example.label for example in examples], dtype=np.float32),
    )


def relevant_texts(queries: Sequence[Query], config: SemiInteractiveConfig) -> tuple[Text, ...]:
    """The first N relevant queries of a document, if the model uses any."""
    if not config.reads_relevant_queries:
        return ()
    return tuple(query.content for query in queries[: config.relevant_queries])


def tokenize(builder: InputBuilder, texts: Sequence[Text]) -> list[Tokens]:
    """The tokens of texts, tokenized in portions."""
    return [
        tokens
        for start in range(0, len(texts), PORTION)
        for tokens in builder.tokens(texts[start : start + PORTION])
    ]


def _document(
    example: RelevanceExample, config: SemiInteractiveConfig
) -> tuple[Text, tuple[Text, ...]]:
    return example.document.content, relevant_texts(example.relevant_queries, config)
