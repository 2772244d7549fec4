"""A trained model in a store: one row per position, found by the best, judged by the sentence.

The store's best row of a document is what max pooling asks for, and an upper bound of softmax
pooling. So the store proposes for every term the documents with the highest rows, and these are
scored as the model does it, from the rows that the store keeps.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.filters import Filter
from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.indexes.spaces import Record, Space, SpaceKind, Vector
from dragoman.indexes.store import Store
from dragoman.systems.searcher.corpus import encoded
from dragoman.systems.searcher.decisions import Combination, combined, scaling_of
from dragoman.systems.searcher.explanation import Match, explain, matches
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.sentences import sentences
from dragoman.systems.searcher.system import (
    MODEL,
    Encoded,
    SearchConfig,
    asked_terms,
    document_notices,
    query_notice,
)
from dragoman.types import Document, Explanation, FloatArray, Hit, Query, Text

REMEMBERED = 1024  # questions kept, for fusion and for people who ask again
WIDER = 4  # documents proposed for each one wanted
FEWEST = 50  # documents proposed at least


class ResidentSearcher(OneSpace):
    """Positions of documents that come and go; nothing about all of them is counted."""

    space = "searcher"
    gives_probabilities: ClassVar[bool] = True

    def __init__(self, model: SearcherModel, combination: Combination) -> None:
        self._model, self._combination = model, combination
        self._scaling = scaling_of(model.facts)
        self._asked = lru_cache(REMEMBERED)(lambda text: asked_terms(model, text))

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return SearchConfig.from_settings(settings)

    @classmethod
    def prepare(cls, config: SearchConfig) -> Self:
        """The model."""
        return cls(SearcherModel.load(config.model), config.combination)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per position."""
        return (Space(self.space, SpaceKind.PASSAGES, self._model.config.size),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return self._model.terms.languages

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the positions, and what it makes of several terms."""
        return {"model": self._model.signature, "combination": str(self._combination)}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages that the model reads neither in documents nor in queries."""
        others = [code for code in languages if code not in self._model.terms.languages]
        return document_notices(self._model, others)

    def query_notice(self, query: Query) -> str | None:
        """What a person should know of the words of a query; None if nothing."""
        return query_notice(self._model, query)

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A row per position; none for a document that the model cannot read."""
        cut = [self._cut(document) for document in documents]
        rows = encoded([sentence for one in cut for sentence in one], self._model)
        ends = np.cumsum([sum(map(len, one)) for one in cut])
        parts = np.split(rows, ends[:-1]) if documents else []
        return [{self.space: part} if len(part) else {} for part in parts]

    def _cut(self, document: Document) -> list[tuple[str, ...]]:
        content = document.content
        if content.language not in self._model.words.languages:
            return []
        return [one.words for one in sentences(content, self._model.config.longest)]

    def question(self, text: Text) -> FloatArray:
        """The vector of the first term of a question; zero where it has none."""
        asked = self._asked(text)
        if not len(asked.vectors):
            return np.zeros(self._model.config.size, dtype=np.float32)
        first: FloatArray = asked.vectors[0, :-1]
        return first

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` likeliest of the documents that the store proposes for any term."""
        asked = self._asked(query.content)
        wanted = max(FEWEST, WIDER * k)
        proposed = {
            hit.doc_id
            for term in asked.vectors[:, :-1]
            for hit in store.nearest(self.space, term, wanted, allowed)
        }
        scores = self._probabilities(store.find(sorted(proposed), [self.space]), asked)
        best = sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:k]
        return [Hit(doc_id, score) for doc_id, score in best]

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """The probability of each document; none where it has no position."""
        asked = self._asked(query.content)
        return self._probabilities(store.find(sorted(documents), [self.space]), asked)

    def _probabilities(self, records: Iterable[Record], asked: Encoded) -> dict[str, float]:
        found: dict[str, float] = {}
        terms = asked.vectors
        for record in records:
            rows = record.vectors.get(self.space)
            if rows is None or not len(terms):
                continue
            lengths = [len(sentence) for sentence in self._cut(record.document)]
            starts = np.cumsum([0, *lengths], dtype=np.int64)
            dots = terms[:, :-1] @ np.asarray(rows, dtype=np.float32).T
            logits = pool_array(dots, starts, self._model.config.pooling).max(axis=1)
            value = combined((logits + terms[:, -1])[:, None], self._scaling, self._combination)
            found[record.document.doc_id] = float(value[0])
        return found

    def explain(self, query: Query, document: Document) -> Explanation:
        """The attention of each term over the words of its best sentence."""
        return explain(self._model, query, document, self._combination)

    def matches(self, query: Query, document: Document) -> list[Match]:
        """The sentence that matched each term, with the attention over all of its words."""
        return matches(self._model, query, document)

    def save(self, folder: Path) -> None:
        """Write the model, so that the index needs nothing else."""
        self._model.save(folder / MODEL)
        write_facts(folder, self.space, combination=str(self._combination))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        combination = Combination(read_facts(folder, cls.space)["combination"])
        return cls(SearcherModel.load(folder / MODEL), combination)
