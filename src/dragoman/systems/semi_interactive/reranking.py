"""An interactive model as a system: every document is read together with the query (eq. 1, 2).

Its place is the second stage of a search: ``--rerank MODEL``. By itself it reads the whole
collection for every query, which is exact and slow.

    tokens.npy starts.npy           the tokens of every document
    ids.*.npy languages.*.npy       by document, in the order of the ids
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import DocumentRows
from dragoman.ranking.one_by_one import OneByOne
from dragoman.systems.semi_interactive.config import Architecture
from dragoman.systems.semi_interactive.explanation import explain
from dragoman.systems.semi_interactive.inputs import Tokens
from dragoman.systems.semi_interactive.model import FACTS, RelevanceModel
from dragoman.systems.semi_interactive.prepared import cut
from dragoman.systems.semi_interactive.trained import (
    MODEL,
    PORTION,
    SearchConfig,
    TrainedSystem,
    load_kind,
)
from dragoman.training.texts import Sequences
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text


class InteractiveSystem(TrainedSystem, OneByOne):
    """A collection's tokens, and the model that reads them with a query."""

    name = Architecture.INTERACTIVE.value

    def __init__(self, model: RelevanceModel, documents: DocumentRows, tokens: Sequences) -> None:
        super().__init__(model, documents)
        self.tokens = tokens

    @classmethod
    def build(cls, documents: Iterable[Document], config: SearchConfig, advance: Advance) -> Self:
        """The system over ``documents``, which are read once; their tokens are kept."""
        model = load_kind(config.model, cls.name)
        ids: list[str] = []
        languages: list[str] = []
        tokens: list[Tokens] = []
        stream = iter(documents)
        while portion := list(islice(stream, PORTION)):
            ids += [document.doc_id for document in portion]
            languages += [document.language for document in portion]
            tokens += cut(model.reader, [document.content for document in portion])
            advance(len(portion))
        # a row is the number of its document; one without a letter cannot be found
        rows = [np.array([row], np.float32) if some else None for row, some in enumerate(tokens)]
        found = DocumentRows.arranged(ids, languages, rows)
        order = found.rows[:, 0].astype(np.int64) if len(found) else np.zeros(0, np.int64)
        return cls(model, found, Sequences.pack([tokens[row] for row in order]))

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` likeliest documents; all of them are read. Equal scores by id."""
        (asked,) = self.encode_queries([query.content])
        if not asked:
            return Ranking(query.query_id, ())

        def score(rows: IntArray) -> FloatArray:
            return self.score(asked, [self._tokens(row) for row in rows])

        return Ranking(query.query_id, self.documents.best(score, k, languages))

    def _tokens(self, row: int) -> Tokens:
        some: NDArray[np.int32] = self.tokens.words[
            self.tokens.starts[row] : self.tokens.starts[row + 1]
        ]
        tokens: list[int] = some.tolist()
        return tokens

    def encode_queries(self, texts: Sequence[Text]) -> list[Tokens]:
        """The tokens of each query; nothing more can be done without a document."""
        return cut(self.model.reader, texts)

    def encode_documents(self, texts: Sequence[Text]) -> list[Tokens]:
        """The tokens of each document."""
        return cut(self.model.reader, texts)

    def score(self, query: Tokens, documents: Sequence[Tokens]) -> FloatArray:
        """The probability of each document, those of like length read together."""
        reader = self.model.reader
        return self.model.probabilities([reader.pair(query, document) for document in documents])

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document, as the model saw them."""
        (found,) = self.encode_documents([document.content])
        reader = self.model.reader

        def scores(texts: Sequence[str]) -> FloatArray:
            asked = self.encode_queries([Text(text, query.language) for text in texts])
            return self.model.probabilities([reader.pair(one, found) for one in asked])

        return explain(self.model, query, document, (), scores)

    def save(self, folder: Path) -> None:
        """Write tokens and the model into ``folder``."""
        self.documents.save(folder)
        np.save(folder / "tokens.npy", self.tokens.words, allow_pickle=False)
        np.save(folder / "starts.npy", self.tokens.starts, allow_pickle=False)
        self.model.save(folder / MODEL)
        write_facts(folder, self.name)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, tokens mapped; or a model as it was trained, without documents."""
        read_facts(folder, cls.name)
        if (folder / FACTS).is_file():
            nothing = DocumentRows.arranged([], [], [])
            return cls(load_kind(folder, cls.name), nothing, Sequences.pack([]))
        try:
            words = np.load(folder / "tokens.npy", mmap_mode="r", allow_pickle=False)
            starts = np.load(folder / "starts.npy", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        model = load_kind(folder / MODEL, cls.name)
        return cls(model, DocumentRows.load(folder), Sequences(words, starts))
