"""Ranks documents by the divergence between their topics and the query's, across languages.

A text is represented by its distribution over topics that all languages of the model share
(Balikas et al. 2018, section 4); a score is minus the divergence. An index stores the logarithms
of the topics (see ``divergence``) in half precision, so rounding may raise a score of 0 above 0.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import DocumentSet, LanguageSpan, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.settings import parse_settings
from dragoman.systems.bilda.config import BildaConfig, Divergence
from dragoman.systems.bilda.divergence import jensen_shannon, negative_entropy
from dragoman.systems.bilda.explanation import topic_links
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

MODEL = "model"
ADVICE = "Train a model: dragoman train bilda COLLECTION --languages en-fr -o MODEL."
CACHED_TEXTS = 1024


class BildaSystem(VectorSearch):
    """A topic model and a divergence."""

    name: ClassVar[str] = "bilda"
    space: ClassVar[str] = "bilda"

    def __init__(self, model: TopicModel, divergence: Divergence) -> None:
        self.model, self.divergence = model, divergence
        self._topics = lru_cache(CACHED_TEXTS)(model.infer_topics)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BildaConfig:
        """The configuration that ``settings`` describe."""
        return parse_settings(BildaConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: BildaConfig) -> Self:
        """The system with its topic model."""
        return cls(TopicModel.load(config.model), config.divergence)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per document."""
        return (Space(self.space, SpaceKind.ROWS, self.model.config.topics),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.model.languages

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to be comparable."""
        return {"model": self.model.signature, "divergence": self.divergence.value}

    def treatment(self, language: str) -> str:
        """The signature of the model, the same for all languages."""
        del language
        return self.model.signature

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that the model was not trained on."""
        return [warning for code in languages if (warning := self.model.warning(code))]

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """The logarithms of each document's topics; none for a document without a known word."""
        inferred = (self.model.infer_topics(document.content) for document in documents)
        return [{} if topics is None else {self.space: np.log(topics)} for topics in inferred]

    def query_vector(self, text: Text) -> FloatArray:
        """The topics of a query; zeros if it has no known word."""
        topics: FloatArray | None = self._topics(text)
        size = self.model.config.topics
        return np.zeros(size, np.float32) if topics is None else topics.astype(np.float32)

    def offset(self, vector: FloatArray) -> float:
        """What is added to an inner product to give minus the relative entropy."""
        return -negative_entropy(vector)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` documents with the lowest divergence; equal scores by id."""
        if self.divergence is Divergence.RELATIVE_ENTROPY:
            return super().search(snapshot, query, k, scope)
        topics = self.query_vector(query.content)
        if not topics.any():
            return Ranking(query.query_id, ())

        def best(most: int, selection: DocumentSet) -> ScoredDocuments:
            spans = [self._scan(span, selection, topics) for span in selection.spans]
            return snapshot.merge_top_k(spans, most)

        return Ranking(query.query_id, scope.rank(snapshot, best, k))

    def _scan(
        self, span: LanguageSpan, selection: DocumentSet, topics: FloatArray
    ) -> ScoredDocuments:
        """The selected documents of a span that have a row, scored by Jensen-Shannon divergence."""
        matrix = span.reader.segment.rows(self.space)
        starts = matrix.starts[span.first : span.last + 1]
        positions = np.flatnonzero(np.diff(starts))
        if len(mask := selection.mask(span)):
            positions = positions[mask[positions]]
        # subtracted from 0 instead of negated, so that no score is -0.0
        scores = 0.0 - jensen_shannon(matrix.take(starts[positions]), topics)
        return ScoredDocuments(span.base + positions, scores)

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """Minus the divergence of each document; NaN for one without a known word."""
        del snapshot
        scores = np.full(len(documents), np.nan)
        if (query_topics := self._topics(query.content)) is None:
            return scores
        for row, document in enumerate(documents):
            if (topics := self._topics(document.content)) is not None:
                scores[row] = self._compare(query_topics, topics)
        return scores

    def _compare(self, query: FloatArray, document: FloatArray) -> float:
        """Minus the divergence, the document's topics rounded as in an index."""
        row = np.log(document).astype(np.float16)
        if self.divergence is Divergence.RELATIVE_ENTROPY:
            return float(row @ query) - negative_entropy(query)
        return 0.0 - float(jensen_shannon(row[None], query)[0])

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The links between words that probably have the same topic.

        A text without a known word has the uniform distribution over topics.
        """
        del snapshot
        texts = query.content, document.content
        uniform = np.full(self.model.config.topics, 1 / self.model.config.topics)
        topics = [uniform if (own := self._topics(text)) is None else own for text in texts]
        return Explanation(document.doc_id, self._compare(*topics), topic_links(self.model, *texts))

    def save(self, folder: Path) -> None:
        """Write the model and the settings."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name, divergence=self.divergence.value)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        facts = read_facts(folder, cls.name)
        return cls(TopicModel.load(folder / MODEL), Divergence(facts["divergence"]))
