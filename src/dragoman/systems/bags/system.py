"""The base of the systems that rank documents by a distance between weighted bags of words.

An index stores counts and points. The idf, and with it every bag, depends on all documents and is
computed once for a snapshot, without reading or encoding a text again. A subclass defines the
distance; a score is minus the distance.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.segment import SegmentReader
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Bag, Space, SpaceKind, Vector
from dragoman.lexicons.query_translation import DocumentForms, QueryTranslator
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.ranking.topk import top_k
from dragoman.settings import parse_settings, plain_settings
from dragoman.storage.gathering import ranges
from dragoman.systems.bags.collection import BagCollection, WeightedWords
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.systems.bags.counts import SegmentBags
from dragoman.systems.bags.reader import BagReader
from dragoman.systems.bags.word_sources import WordSource, open_source
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text

UNREACHABLE = -3.0  # the score of a text without a known word; no two points are farther than 2
ANY_LANGUAGE = ""  # of a query that is compared with documents of every language

Config = TypeVar("Config", bound=BagSystemConfig)


class NearestDocuments(NamedTuple):
    """Rows of a collection and their distances; ``inf`` for a document without a known word."""

    rows: IntArray
    distances: FloatArray


class BagSystem(ABC, Generic[Config]):
    """A source of word vectors and a distance; the documents are in an index."""

    name: ClassVar[str]
    config_class: ClassVar[type[BagSystemConfig]]
    space: ClassVar[str] = (
        "bags"  # the same in all subclasses, so that several can search one index
    )

    def __init__(self, config: Config, source: WordSource) -> None:
        self.config, self.source = config, source
        self.reader = BagReader(source, config)
        self._tables = TranslationTables(config.lexicons)

    @abstractmethod
    def nearest(
        self, snapshot: Snapshot, query: WeightedWords, k: int, rows: IntArray
    ) -> NearestDocuments:
        """The ``k`` nearest of these rows of the snapshot's collection; equal distances by row."""

    @abstractmethod
    def distances(self, query: WeightedWords, documents: Sequence[WeightedWords]) -> FloatArray:
        """The distance of each document; ``inf`` for one without a known word."""

    @abstractmethod
    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The links between query words and document words."""

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BagSystemConfig:
        """The configuration that ``settings`` describe."""
        return parse_settings(cls.config_class, settings)

    @classmethod
    def create(cls, config: Config) -> Self:
        """The system with its word vectors."""
        return cls(config, open_source(config))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space of bags."""
        return (Space(self.space, SpaceKind.BAGS, self.source.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.source.languages

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to be comparable."""
        return {
            "words": self.source.signature,
            "reading": self.reader.signature,
            "weighting": self.config.weighting.value,
            "translate": self.config.translate,
        }

    def treatment(self, language: str) -> str:
        """The source of the language's word vectors, the preparation, and its translation table."""
        table = self._tables.fingerprint(language) if self.config.translate else ""
        return f"{self.source.treatment(language)}|{self.reader.signature}|{table}"

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """Languages whose words have no vectors, or no translations although queries need them."""
        codes = list(languages)
        warnings = [warning for code in codes if (warning := self.source.warning(code))]
        if self.config.translate:
            warnings += [
                f"no translation table for {code}; its queries and documents match only words"
                " that are spelt alike"
                for code in codes
                if code not in self._tables.languages()
            ]
        return warnings

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """The bag of each document; none for a document without a known word."""
        counted = [self.reader(document.content) for document in documents]
        keys = list(dict.fromkeys(key for bag in counted for key in bag.keys))
        points = self.source.points(keys)
        rows = {key: row for row, key in enumerate(keys)}
        return [
            {self.space: Bag(bag.keys, np.array(bag.counts), points[[rows[k] for k in bag.keys]])}
            if bag.keys
            else {}
            for bag in counted
        ]

    def collection(self, snapshot: Snapshot) -> BagCollection:
        """The documents of a snapshot, weighted by their document frequencies."""
        weighting, size = self.config.weighting, self.source.dimension

        def build() -> BagCollection:
            segments = [_live_bags(reader, self.space) for reader in snapshot.readers]
            return BagCollection.build(segments, size, weighting)

        return snapshot.cached((self.space, weighting), build)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` nearest documents, equal scores by id; none if the query has no known word."""
        collection = self.collection(snapshot)

        def best(most: int, selection: DocumentSet) -> ScoredDocuments:
            rows = np.flatnonzero(_mask(snapshot, selection)[collection.numbers])
            return self._best(snapshot, query.content, most, rows)

        return Ranking(query.query_id, scope.rank(snapshot, best, k))

    def _best(self, snapshot: Snapshot, text: Text, k: int, rows: IntArray) -> ScoredDocuments:
        collection = self.collection(snapshot)
        nearest = [NearestDocuments(rows[:0], np.zeros(0))]
        for language, mine in self._rows_by_language(collection, rows).items():
            bag = self.query_bag(snapshot, text, language)
            if bag.weights.any():
                nearest.append(self.nearest(snapshot, bag, k, mine))
        candidates = np.concatenate([one.rows for one in nearest])
        scores = scores_of(np.concatenate([one.distances for one in nearest]))
        best = top_k(scores, k, candidates)
        return ScoredDocuments(collection.numbers[candidates[best]], scores[best])

    def _rows_by_language(self, collection: BagCollection, rows: IntArray) -> dict[str, IntArray]:
        """Language that the query is translated to -> the rows that it is compared with."""
        if not self.config.translate:
            return {ANY_LANGUAGE: rows}
        languages = collection.languages[rows]
        return {str(code): rows[languages == code] for code in np.unique(languages)}

    def query_bag(
        self, snapshot: Snapshot, text: Text, language: str = ANY_LANGUAGE
    ) -> WeightedWords:
        """The bag of a query for documents in ``language``, translated if the settings say so."""
        if not self.config.translate or language == ANY_LANGUAGE:
            return self.document_bag(snapshot, text)
        words = " ".join(self._translator.translate(text, self._forms(snapshot, language)))
        return self.document_bag(snapshot, Text(words, language))

    def document_bag(self, snapshot: Snapshot, text: Text) -> WeightedWords:
        """The bag of a text, weighted by the document frequencies of the snapshot."""
        return self.collection(snapshot).weighted(self.reader(text), self.source)

    @cached_property
    def _translator(self) -> QueryTranslator:
        return QueryTranslator(self._tables)

    def _forms(self, snapshot: Snapshot, language: str) -> DocumentForms:
        """The surface forms of the documents in a language."""

        def forms() -> DocumentForms:
            words = self.collection(snapshot).words(language)
            return DocumentForms.from_frequencies(language, words, self._translator.analyzer)

        return snapshot.cached((self.space, self.config.lexicons, language), forms)

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """Minus the distance of each document; ``UNREACHABLE`` if a side has no known word."""
        assert snapshot is not None, "words are weighted by the documents of an index"
        distances = np.full(len(documents), np.inf)
        translate = self.config.translate
        codes = [document.language if translate else ANY_LANGUAGE for document in documents]
        for code in set(codes):
            bag = self.query_bag(snapshot, query.content, code)
            indices = [index for index, mine in enumerate(codes) if mine == code]
            if bag.weights.any():
                bags = [self.document_bag(snapshot, documents[i].content) for i in indices]
                distances[indices] = self.distances(bag, bags)
        return scores_of(distances)

    def save(self, folder: Path) -> None:
        """Write the settings; the user's vectors and tables stay in their folders."""
        write_facts(folder, self.name, config=plain_settings(self.config))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        config = cls.configure(read_facts(folder, cls.name)["config"])
        return cls.create(config)  # type: ignore[arg-type]  # of config_class


def scores_of(distances: FloatArray) -> FloatArray:
    """Minus the distances, in float32; ``UNREACHABLE`` where infinite."""
    scores = np.where(np.isinf(distances), UNREACHABLE, 0.0 - distances)
    return scores.astype(np.float32)


def _live_bags(reader: SegmentReader, space: str) -> SegmentBags:
    """The documents of a segment that are not deleted."""
    segment, bags = reader.segment, reader.segment.bags(space)
    live = np.flatnonzero(~reader.deleted) if len(reader.deleted) else np.arange(len(segment))
    sizes = np.diff(bags.starts)[live]
    entries = ranges(bags.starts[live], sizes)
    languages = np.empty(len(segment), object)
    for code, (first, last) in segment.languages.items():
        languages[first:last] = code
    ids = [*segment.ids]
    return SegmentBags(
        live + reader.base,
        [ids[position] for position in live.tolist()],
        languages[live].tolist(),
        sizes,
        bags.keys[entries],
        bags.counts[entries],
        [*bags.strings],
        bags.points,
    )


def _mask(snapshot: Snapshot, selection: DocumentSet) -> NDArray[np.bool_]:
    """By document number, whether it is selected."""
    chosen = np.zeros(snapshot.size, np.bool_)
    for span in selection.spans:
        first, mask = span.reader.base, selection.mask(span)
        chosen[first + span.first : first + span.last] = mask if len(mask) else True
    return chosen
