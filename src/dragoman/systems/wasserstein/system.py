"""Ranks documents by the transport cost of a query's words onto theirs; a score is minus the cost.

Algorithm 1 of Balikas et al. 2018: weigh by tf or idf, scale to sum to one, solve equation 1 or 2.
The k best are exact: what is left out is left out by proof (docs/transport.md).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.lexicons.tables import Tables
from dragoman.lexicons.wording import Forms, Wording
from dragoman.protocols import Advance
from dragoman.ranking.topk import top_k
from dragoman.scores.transport import Weighted, distances, nearest, plan
from dragoman.systems.wasserstein.config import WassersteinConfig
from dragoman.systems.wasserstein.counted import Documents, Vocabulary, Weighed, stacked
from dragoman.systems.wasserstein.explanation import linked
from dragoman.systems.wasserstein.reading import Read, Reader
from dragoman.systems.wasserstein.words import WordSource, source_of
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking, Text

BATCH = 1024
UNREACHABLE = -3.0  # the score of a text without a known word; no two points are farther than 2


class Wasserstein:
    """Counted documents, the points of their words, and the source of both."""

    name: ClassVar[str] = "wasserstein"

    def __init__(
        self,
        config: WassersteinConfig,
        source: WordSource,
        vocabulary: Vocabulary,
        documents: Documents,
    ) -> None:
        self.config, self.source = config, source
        self.vocabulary, self.documents = vocabulary, documents
        self.reader = Reader(source, config)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> WassersteinConfig:
        """The configuration that plain settings name."""
        return WassersteinConfig.from_settings(settings)

    @classmethod
    def empty(cls, config: WassersteinConfig) -> Self:
        """The system without a document."""
        source = source_of(config)
        return cls(config, source, Vocabulary(source), Documents())

    @classmethod
    def build(
        cls, documents: Iterable[Document], config: WassersteinConfig, advance: Advance
    ) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        built = cls.empty(config)
        stream = iter(documents)
        while batch := list(islice(stream, BATCH)):
            built.add(batch)
            advance(len(batch))
        return built

    def add(self, documents: Sequence[Document]) -> None:
        """Count documents, each in the place of an earlier one of its id."""
        for counted in self.reader.counted(documents, self.vocabulary):
            self.documents.add(counted)
        self.__dict__.pop("weighed", None)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Count documents no longer."""
        for doc_id in doc_ids:
            self.documents.remove(doc_id)
        self.__dict__.pop("weighed", None)

    @cached_property
    def weighed(self) -> Weighed:
        """The documents' bags by the frequencies of this moment."""
        return Weighed.of(self.documents, self.vocabulary, self.config.weighting)

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` nearest documents; equal scores by id."""
        chosen = None if languages is None else np.isin(self.weighed.languages, list(languages))
        rows = None if chosen is None else np.flatnonzero(chosen)
        return Ranking(query.query_id, tuple(self.hits(query.content, k, rows)))

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """``search`` for every query."""
        return [self.search(query, k, languages) for query in queries]

    def hits(self, text: Text, k: int, rows: IntArray | None = None) -> list[Hit]:
        """The ``k`` nearest of all documents or of ``rows``; none without a known word."""
        found: list[tuple[IntArray, FloatArray]] = []
        for searched, part in self._parts(rows):
            asked = self.question(text, searched)
            if asked.weights.any():
                near = nearest(self.weighed.corpus, asked, k, self.config.epsilon, part)
                found.append((near.rows, scores_of(near.distances)))
        if not found:
            return []
        numbers = np.concatenate([one for one, _ in found])
        scores = np.concatenate([one for _, one in found])
        best = top_k(scores, k, numbers)
        return [Hit(self.weighed.ids[numbers[i]], float(scores[i])) for i in best]

    def _parts(self, rows: IntArray | None) -> Iterator[tuple[str, IntArray | None]]:
        """The rows that one form of the question is compared with."""
        if not self.config.translate:
            yield "", rows
            return
        chosen = np.arange(len(self.weighed.ids)) if rows is None else rows
        languages = self.weighed.languages[chosen]
        for code in np.unique(languages):
            yield str(code), chosen[languages == code]

    def question(self, text: Text, searched: str = "") -> Weighted:
        """The bag of a query, as documents in ``searched`` meet it."""
        return self._weighted(self.read_query(text, searched))

    def read_query(self, text: Text, searched: str = "") -> Read:
        """The known words of a query, translated into ``searched`` where the settings say so."""
        if not self.config.translate or not searched:
            return self.reader.read(self.reader.words(text), text.language)
        words = " ".join(self._wording.translated(text, self._forms(searched)))
        return self.reader.read(self.reader.words(Text(words, searched)), searched)

    @cached_property
    def _wording(self) -> Wording:
        return Wording(Tables(self.config.lexicons))

    def _forms(self, language: str) -> Forms:
        """The documents' words in ``language``, counted again after a change."""
        known = self.weighed.forms
        if language not in known:
            words = self.vocabulary.words(language, self.weighed.frequencies)
            known[language] = Forms.of(language, words, self._wording.read)
        return known[language]

    def _weighted(self, read: Read) -> Weighted:
        rows = self.vocabulary.rows(read.keys)
        points = self.vocabulary.points_of(read.keys, rows)
        weights = np.where(points.any(axis=1), self.weighed.unmet, 0.0)
        weights[rows >= 0] = self.weighed.weights[rows[rows >= 0]]
        return Weighted(points, weights * np.array(read.counts, dtype=np.float64))

    def encode_queries(self, texts: Sequence[Text]) -> list[Weighted]:
        """One bag per query."""
        return [self.question(text) for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[Weighted]:
        """One bag per text, weighed by the frequencies of this moment."""
        read = [self.reader.read(self.reader.words(text), text.language) for text in texts]
        return [self._weighted(one) for one in read]

    def score(self, query: Weighted, documents: Sequence[Weighted]) -> FloatArray:
        """Minus the distance of each document."""
        corpus = stacked(documents, self.source.dimension)
        if not query.weights.any():
            return np.full(len(documents), UNREACHABLE, dtype=np.float32)
        return scores_of(distances(corpus, query, self.config.epsilon))

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word went where: the transport plan as links."""
        return self.plans(query, document, [self.config.epsilon])[0]

    def plans(
        self, query: Query, document: Document, epsilons: Sequence[float | None]
    ) -> list[Explanation]:
        """The explanation under each regularisation (Figure 1 of the paper)."""
        asked = self.read_query(query.content, document.language)
        found = self.reader.read(self.reader.words(document.content), document.language)
        here, there = self._weighted(asked), self._weighted(found)
        told = []
        for epsilon in epsilons:
            moved = plan(here, there, epsilon)
            score = float(scores_of(np.array([moved.distance]))[0])
            links = linked(moved.plan, asked.surfaces, found.surfaces)
            told.append(Explanation(document.doc_id, score, links))
        return told

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {
            "words": self.source.signature,
            "reading": self.reader.signature,
            "epsilon": self.config.epsilon,
            "weighting": self.config.weighting.value,
            "translate": self.config.translate,
        }

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words have no vector, or no translation where one is asked for."""
        told = [notice for code in languages if (notice := self.source.notice(code))]
        if self.config.translate:
            tables = Tables(self.config.lexicons)
            told += [
                f"no translation table for {code}; questions and documents in it meet only in words"
                " that are spelt alike"
                for code in languages
                if code not in tables.languages()
            ]
        return told

    def save(self, folder: Path) -> None:
        """Write settings, vocabulary and counts into ``folder``."""
        write_facts(folder, self.name, config=self.config.plain)
        self.vocabulary.save(folder)
        self.documents.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; arrays are mapped, not read."""
        facts = read_facts(folder, cls.name)
        config = WassersteinConfig.from_settings(facts["config"])
        source = source_of(config)
        return cls(config, source, Vocabulary.load(folder, source), Documents.load(folder))


def scores_of(distances: FloatArray) -> FloatArray:
    """Minus the distances, in float32 as both homes give them; ``UNREACHABLE`` where infinite."""
    scores = np.where(np.isinf(distances), UNREACHABLE, -distances)
    return scores.astype(np.float32)
