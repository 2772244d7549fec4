"""Ranks documents by how near their topics are to the query's, whatever their language.

A text becomes its distribution over the topics that all languages of the model share
(Balikas et al. 2018, section 4); a score is minus the divergence. Documents are rows of logarithms
(``divergence`` says why) in half precision, so a score of 0 may come out a little above.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import DocumentSet, LanguageSpan, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.settings import parse_settings
from dragoman.systems.bilda.config import BildaConfig, Divergence
from dragoman.systems.bilda.divergence import information, jensen_shannon
from dragoman.systems.bilda.explanation import linked
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

MODEL = "model"
ADVICE = "Train a model: dragoman train bilda COLLECTION --languages en-fr -o MODEL."
REMEMBERED = 1024  # topics of texts


class BildaSystem(VectorSearch):
    """A topic model and the divergence that compares its topics."""

    name: ClassVar[str] = "bilda"
    space: ClassVar[str] = "bilda"

    def __init__(self, model: TopicModel, divergence: Divergence) -> None:
        self.model, self.divergence = model, divergence
        self._topics = lru_cache(REMEMBERED)(model.topics_of)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BildaConfig:
        """The configuration that plain settings name."""
        return parse_settings(BildaConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: BildaConfig) -> Self:
        """The topics."""
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
        """The model that made the rows, and how they are compared."""
        return {"model": self.model.signature, "divergence": self.divergence.value}

    def treatment(self, language: str) -> str:
        """The model, which reads all languages."""
        del language
        return self.model.signature

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that the topics know nothing of."""
        return [warning for code in languages if (warning := self.model.warning(code))]

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """The logarithms of each document's topics; none where no word is known."""
        found = (self.model.topics_of(document.content) for document in documents)
        return [{} if topics is None else {self.space: np.log(topics)} for topics in found]

    def query_vector(self, text: Text) -> FloatArray:
        """The topics of a query; zero where it has no known word."""
        topics: FloatArray | None = self._topics(text)
        size = self.model.config.topics
        return np.zeros(size, np.float32) if topics is None else topics.astype(np.float32)

    def offset(self, vector: FloatArray) -> float:
        """What makes minus the relative entropy of a product."""
        return -information(vector)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` documents of the least divergence; equal scores by id."""
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
        """The selected documents of a span that have a row, by Jensen-Shannon."""
        matrix = span.reader.segment.rows(self.space)
        starts = matrix.starts[span.first : span.last + 1]
        places = np.flatnonzero(np.diff(starts))
        if len(mask := selection.mask(span)):
            places = places[mask[places]]
        scores = 0.0 - jensen_shannon(matrix.take(starts[places]), topics)  # no zero has a sign
        return ScoredDocuments(span.base + places, scores)

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """Minus the divergence of each document, encoded now; NaN without a known word."""
        del snapshot
        found = np.full(len(documents), np.nan)
        if (wanted := self._topics(query.content)) is None:
            return found
        for place, document in enumerate(documents):
            if (topics := self._topics(document.content)) is not None:
                found[place] = self._compare(wanted, topics)
        return found

    def _compare(self, query: FloatArray, document: FloatArray) -> float:
        """Minus the divergence of two texts' topics, the document's rounded as in an index."""
        row = np.log(document).astype(np.float16)
        if self.divergence is Divergence.RELATIVE_ENTROPY:
            return float(row @ query) - information(query)
        return 0.0 - float(jensen_shannon(row[None], query)[0])

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word is about the same as which word of the document.

        A text without a known word has all topics alike.
        """
        del snapshot
        texts = query.content, document.content
        uniform = np.full(self.model.config.topics, 1 / self.model.config.topics)
        sides = [uniform if (own := self._topics(text)) is None else own for text in texts]
        return Explanation(document.doc_id, self._compare(*sides), linked(self.model, *texts))

    def save(self, folder: Path) -> None:
        """Write the model and the settings: an index needs nothing else."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name, divergence=self.divergence.value)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        facts = read_facts(folder, cls.name)
        return cls(TopicModel.load(folder / MODEL), Divergence(facts["divergence"]))
