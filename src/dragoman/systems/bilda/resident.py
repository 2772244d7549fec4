"""Topics over a store: one vector per document, which no other document changes.

Minus the relative entropy is an inner product and a number of the question's own:

    -KL(q || d) = sum_k q_k ln d_k - sum_k q_k ln q_k

so the store keeps the logarithms ln d and is asked for the largest products with q.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.errors import ConfigError
from dragoman.indexes.filters import Filter
from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.indexes.store import Store
from dragoman.systems.bilda.config import BildaConfig, Divergence
from dragoman.systems.bilda.model import TopicModel
from dragoman.systems.bilda.system import MODEL, BildaSystem
from dragoman.types import Document, Explanation, FloatArray, Hit, Query, Text

REMEMBERED = 1024  # question vectors kept, for fusion and for people who ask again


class ResidentBilda(OneSpace):
    """Topics of documents that come and go; nothing about all of them is counted."""

    space = "bilda"

    def __init__(self, model: TopicModel) -> None:
        self._model = model
        self._question = lru_cache(REMEMBERED)(self._topics)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BildaConfig:
        """The configuration that plain settings name."""
        config = BildaConfig.from_settings(settings)
        if config.divergence is not Divergence.RELATIVE_ENTROPY:
            raise ConfigError(
                f"an index of topics is searched by {Divergence.RELATIVE_ENTROPY.value}, which is"
                f" an inner product; {config.divergence.value} is not. Use it as a second stage or"
                " from Python"
            )
        return config

    @classmethod
    def prepare(cls, config: BildaConfig) -> Self:
        """The topics."""
        return cls(TopicModel.load(config.model))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One dense space."""
        return (Space(self.space, SpaceKind.DENSE, self._model.config.topics),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return self._model.languages

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the vectors."""
        return {"model": self._model.signature}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages that the topics know nothing of."""
        return [notice for code in languages if (notice := self._model.notice(code))]

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """The logarithms of each document's topics; none where no word is known."""
        found = (self._model.topics_of(document.content) for document in documents)
        return [
            {} if topics is None else {self.space: np.log(topics).astype(np.float32)}
            for topics in found
        ]

    def _topics(self, text: Text) -> FloatArray:
        found = self._model.topics_of(text)
        size = self._model.config.topics
        return np.zeros(size, np.float32) if found is None else found.astype(np.float32)

    def question(self, text: Text) -> FloatArray:
        """The topics of a question; zero where it has no known word."""
        found: FloatArray = self._question(text)
        return found

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` documents of the least relative entropy."""
        own = _information(self.question(query.content))
        hits = super().nearest(store, query, k, allowed)
        return [Hit(hit.doc_id, hit.score - own, hit.parts) for hit in hits]

    def scores(self, store: Store, query: Query, documents: Mapping[str, str]) -> dict[str, float]:
        """Minus the relative entropy of each document; none where it has no known word."""
        own = _information(self.question(query.content))
        found = super().scores(store, query, documents)
        return {doc_id: score - own for doc_id, score in found.items()}

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is about the same as which word of the document."""
        return BildaSystem.empty(self._model).explain(query, document)

    def save(self, folder: Path) -> None:
        """Write the model, so that the index needs nothing else."""
        self._model.save(folder / MODEL)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        return cls(TopicModel.load(folder / MODEL))


def _information(topics: FloatArray) -> float:
    """The sum of q ln q; 0 for a question of no topics."""
    asked = topics.astype(np.float64)
    return float(asked @ np.log(np.where(asked > 0, asked, 1.0)))
