"""What systems share that rank documents by a distance between weighed bags of words.

The index keeps counts and points. What depends on all documents, the idf and with it every bag, is
worked out once for a snapshot; nothing is read or encoded again for it. A room says what the
distance is. A score is minus the distance.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.kinds.layout import ranges
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.segment import SegmentReader
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Bag, Space, SpaceKind, Vector
from dragoman.lexicons.query_translation import DocumentForms, QueryTranslator
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.ranking.topk import top_k
from dragoman.settings import parse_settings
from dragoman.systems.bags.collection import BagCollection, WeighedWords
from dragoman.systems.bags.config import BagConfig
from dragoman.systems.bags.counts import CountedPart
from dragoman.systems.bags.reader import Reader
from dragoman.systems.bags.word_sources import WordSource, source_of
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text

UNREACHABLE = -3.0  # the score of a text without a known word; no two points are farther than 2
ANY = ""  # the language of a query that documents of every language are compared with

Config = TypeVar("Config", bound=BagConfig)


class Near(NamedTuple):
    """Rows of a collection and how far they are; ``inf`` for a document without a known word."""

    rows: IntArray
    distances: FloatArray


class BagSystem(ABC, Generic[Config]):
    """A source of word vectors, and a distance; what was counted is in the index."""

    name: ClassVar[str]
    config_class: ClassVar[type[BagConfig]]
    space: ClassVar[str] = "bags"  # of all rooms, so that several can search one index

    def __init__(self, config: Config, source: WordSource) -> None:
        self.config, self.source = config, source
        self.reader = Reader(source, config)
        self._tables = TranslationTables(config.lexicons)

    @abstractmethod
    def nearest(self, snapshot: Snapshot, query: WeighedWords, k: int, rows: IntArray) -> Near:
        """The ``k`` nearest of these rows of the snapshot's collection; equal distances by row."""

    @abstractmethod
    def distances(self, query: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """How far each document is; ``inf`` for one without a known word."""

    @abstractmethod
    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which word of the query met which word of the document."""

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BagConfig:
        """The configuration that plain settings name."""
        return parse_settings(cls.config_class, settings)

    @classmethod
    def create(cls, config: Config) -> Self:
        """The system with its word vectors."""
        return cls(config, source_of(config))

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
        """What must be equal for an index and a query to fit each other."""
        return {
            "words": self.source.signature,
            "reading": self.reader.signature,
            "weighting": self.config.weighting.value,
            "translate": self.config.translate,
        }

    def treatment(self, language: str) -> str:
        """The vectors of its words, the preparation, and the table that queries go through."""
        table = self._tables.fingerprint(language) if self.config.translate else ""
        return f"{self.source.treatment(language)}|{self.reader.signature}|{table}"

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words have no vector, or no translation where one is needed."""
        codes = list(languages)
        warnings = [warning for code in codes if (warning := self.source.warning(code))]
        if self.config.translate:
            warnings += [
                f"no translation table for {code}; queries and documents in it meet only in words"
                " that are spelt alike"
                for code in codes
                if code not in self._tables.languages()
            ]
        return warnings

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's bag; one without a known word has none."""
        read = [self.reader(document.content) for document in documents]
        keys = list(dict.fromkeys(key for one in read for key in one.keys))
        points = self.source.points(keys)
        rows = {key: row for row, key in enumerate(keys)}
        return [
            {self.space: Bag(one.keys, np.array(one.counts), points[[rows[k] for k in one.keys]])}
            if one.keys
            else {}
            for one in read
        ]

    def collection(self, snapshot: Snapshot) -> BagCollection:
        """The documents of a snapshot, weighed by their document frequencies."""
        weighting, size = self.config.weighting, self.source.dimension

        def weighed() -> BagCollection:
            parts = [_live(reader, self.space) for reader in snapshot.readers]
            return BagCollection.of(parts, size, weighting)

        return snapshot.cached((self.space, weighting), weighed)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` nearest documents; equal scores by id; none without a known word."""
        collection = self.collection(snapshot)

        def best(most: int, selection: DocumentSet) -> ScoredDocuments:
            chosen = np.flatnonzero(_selected(snapshot, selection)[collection.numbers])
            return self._best(snapshot, query.content, most, chosen)

        return Ranking(query.query_id, scope.rank(snapshot, best, k))

    def _best(self, snapshot: Snapshot, text: Text, k: int, rows: IntArray) -> ScoredDocuments:
        collection = self.collection(snapshot)
        near = [Near(rows[:0], np.zeros(0))]
        for language, mine in self._by_form(collection, rows).items():
            words = self.query_words(snapshot, text, language)
            if words.weights.any():
                near.append(self.nearest(snapshot, words, k, mine))
        numbers = np.concatenate([one.rows for one in near])
        scores = scores_of(np.concatenate([one.distances for one in near]))
        best = top_k(scores, k, numbers)
        return ScoredDocuments(collection.numbers[numbers[best]], scores[best])

    def _by_form(self, collection: BagCollection, rows: IntArray) -> dict[str, IntArray]:
        """The rows that each form of a query is compared with, by the language of the form."""
        if not self.config.translate:
            return {ANY: rows}
        languages = collection.languages[rows]
        return {str(code): rows[languages == code] for code in np.unique(languages)}

    def query_words(self, snapshot: Snapshot, text: Text, language: str = ANY) -> WeighedWords:
        """A query's bag as documents in ``language`` meet it, translated where that is set."""
        if not self.config.translate or language == ANY:
            return self.document_words(snapshot, text)
        words = " ".join(self._translator.translate(text, self._forms(snapshot, language)))
        return self.document_words(snapshot, Text(words, language))

    def document_words(self, snapshot: Snapshot, text: Text) -> WeighedWords:
        """The bag of a text, weighed by the frequencies of the snapshot."""
        return self.collection(snapshot).weighed(self.reader(text), self.source)

    @cached_property
    def _translator(self) -> QueryTranslator:
        return QueryTranslator(self._tables)

    def _forms(self, snapshot: Snapshot, language: str) -> DocumentForms:
        """The documents' words in a language."""

        def forms() -> DocumentForms:
            words = self.collection(snapshot).words(language)
            return DocumentForms.from_frequencies(language, words, self._translator.analyzer)

        return snapshot.cached((self.space, self.config.lexicons, language), forms)

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """Minus the distance of each document; ``UNREACHABLE`` where one side knows no word."""
        assert snapshot is not None, "words are weighed by the documents of an index"
        distances = np.full(len(documents), np.inf)
        codes = [document.language if self.config.translate else ANY for document in documents]
        for code in set(codes):
            words = self.query_words(snapshot, query.content, code)
            places = [place for place, mine in enumerate(codes) if mine == code]
            if words.weights.any():
                bags = [self.document_words(snapshot, documents[i].content) for i in places]
                distances[places] = self.distances(words, bags)
        return scores_of(distances)

    def save(self, folder: Path) -> None:
        """Write the settings; vectors and tables that were given stay where they are."""
        write_facts(folder, self.name, config=self.config.plain)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        config = cls.configure(read_facts(folder, cls.name)["config"])
        return cls.create(config)  # type: ignore[arg-type]  # of the class that the room names


def scores_of(distances: FloatArray) -> FloatArray:
    """Minus the distances, in float32; ``UNREACHABLE`` where infinite."""
    scores = np.where(np.isinf(distances), UNREACHABLE, 0.0 - distances)
    return scores.astype(np.float32)


def _live(reader: SegmentReader, space: str) -> CountedPart:
    """The documents of a segment that are not deleted."""
    segment, bags = reader.segment, reader.segment.bags(space)
    places = np.flatnonzero(~reader.deleted) if len(reader.deleted) else np.arange(len(segment))
    sizes = np.diff(bags.starts)[places]
    entries = ranges(bags.starts[places], sizes)
    languages = np.empty(len(segment), object)
    for code, (first, last) in segment.languages.items():
        languages[first:last] = code
    ids = [*segment.ids]
    return CountedPart(
        places + reader.base,
        [ids[place] for place in places.tolist()],
        languages[places].tolist(),
        sizes,
        bags.keys[entries],
        bags.counts[entries],
        [*bags.strings],
        bags.points,
    )


def _selected(snapshot: Snapshot, selection: DocumentSet) -> NDArray[np.bool_]:
    """Which documents may be found, by number."""
    chosen = np.zeros(snapshot.size, np.bool_)
    for span in selection.spans:
        first, mask = span.reader.base, selection.mask(span)
        chosen[first + span.first : first + span.last] = mask if len(mask) else True
    return chosen
