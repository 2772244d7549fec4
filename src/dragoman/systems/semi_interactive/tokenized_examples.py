"""Examples -> numbers: every different text cut into tokens once, and which example has which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.systems.semi_interactive.config import RelevanceArchitecture, SemiInteractiveConfig
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.inputs import EncoderInput, InputBuilder, Tokens
from dragoman.types import IntArray, Query, Text

PORTION = 4096  # texts that are cut at a time


@dataclass(frozen=True, slots=True)
class TokenizedExamples:
    """Different queries and documents, and the rows of each example among them."""

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
        """How many tokens the document of each example has, its relevant queries included."""
        whole = [
            len(mine) + sum(len(one) for one in others)
            for mine, others in zip(self.documents, self.relevant, strict=True)
        ]
        return np.array(whole, dtype=np.int64)[self.document_rows]

    @property
    def pair_lengths(self) -> NDArray[np.int64]:
        """How many tokens each example has, read together."""
        queries = np.array([len(one) for one in self.queries], dtype=np.int64)
        return queries[self.query_rows] + self.document_lengths

    def query_inputs(self, reader: InputBuilder, rows: IntArray) -> list[EncoderInput]:
        """Some of the queries, each by itself."""
        return [reader.query(self.queries[row]) for row in rows]

    def document_inputs(self, reader: InputBuilder, rows: IntArray) -> list[EncoderInput]:
        """Some of the documents, each with its relevant queries."""
        return [reader.document(self.documents[row], self.relevant[row]) for row in rows]

    def pair_inputs(self, reader: InputBuilder, examples: IntArray) -> list[EncoderInput]:
        """The query and the document of some examples together."""
        pairs = zip(self.query_rows[examples], self.document_rows[examples], strict=True)
        return [reader.pair(self.queries[query], self.documents[row]) for query, row in pairs]


def tokenize_examples(
    examples: Sequence[RelevanceExample], reader: InputBuilder, config: SemiInteractiveConfig
) -> TokenizedExamples:
    """The examples in a reader's tokens."""
    asked: dict[Text, int] = {}
    found: dict[tuple[Text, tuple[Text, ...]], int] = {}
    rows = [
        (
            asked.setdefault(one.query.content, len(asked)),
            found.setdefault(_document(one, config), len(found)),
        )
        for one in examples
    ]
    beside = list(dict.fromkeys(text for _, relevant in found for text in relevant))
    tokens = dict(zip(beside, tokenize(reader, beside), strict=True))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return TokenizedExamples(
        tokenize(reader, list(asked)),
        tokenize(reader, [text for text, _ in found]),
        [[tokens[text] for text in relevant] for _, relevant in found],
        np.ascontiguousarray(columns[0]),
        np.ascontiguousarray(columns[1]),
        np.array([one.label for one in examples], dtype=np.float32),
    )


def relevant_texts(queries: Sequence[Query], config: SemiInteractiveConfig) -> tuple[Text, ...]:
    """What is read with a document: its first N relevant queries, where the model reads any."""
    if config.architecture is not RelevanceArchitecture.SEMI_INTERACTIVE:
        return ()
    return tuple(query.content for query in queries[: config.relevant_queries])


def tokenize(reader: InputBuilder, texts: Sequence[Text]) -> list[Tokens]:
    """The tokens of many texts."""
    return [
        tokens
        for start in range(0, len(texts), PORTION)
        for tokens in reader.tokens(texts[start : start + PORTION])
    ]


def _document(
    example: RelevanceExample, config: SemiInteractiveConfig
) -> tuple[Text, tuple[Text, ...]]:
    return example.document.content, relevant_texts(example.relevant_queries, config)
