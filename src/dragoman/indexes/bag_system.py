"""What systems share that rank documents by a distance between weighed bags of words.

A room says what the distance is; reading, weighing, translating, ranking, saving are done here, in
``BagCollection`` and in ``ResidentBags``, the same in a store. A score is minus the distance.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from dragoman.errors import IndexFault
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.one_by_one import OneByOne
from dragoman.ranking.topk import top_k
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking, Text
from dragoman.vectors.bag_collection import ANY, BagCollection, WeighedWords
from dragoman.vectors.bag_config import BagConfig

BATCH = 1024
UNREACHABLE = -3.0  # the score of a text without a known word; no two points are farther than 2

Config = TypeVar("Config", bound=BagConfig)

# language -> bag; a document has its own, a question ANY or one for each language it is put in
Bags = Mapping[str, WeighedWords]


class Near(NamedTuple):
    """Documents and how far they are; ``inf`` where nothing can be said."""

    rows: IntArray
    distances: FloatArray


class BagSystem(OneByOne, ABC, Generic[Config]):
    """A collection of bags, and a distance."""

    name: ClassVar[str]
    settled: ClassVar[type[BagConfig]]  # the class of its configuration

    def __init__(self, config: Config, bags: BagCollection) -> None:
        self.config, self.bags = config, bags

    @abstractmethod
    def nearest(self, asked: WeighedWords, k: int, rows: IntArray | None) -> Near:
        """The ``k`` nearest of all documents or of ``rows``; equal distances by row."""

    @abstractmethod
    def distances(self, asked: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """How far each document is; ``inf`` for one without a known word."""

    @abstractmethod
    def explain(self, query: Query, document: Document) -> Explanation:
        """Which word of the question met which word of the document."""

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BagConfig:
        """The configuration that plain settings name."""
        return cls.settled.from_settings(settings)

    @classmethod
    def empty(cls, config: Config) -> Self:
        """The system without a document."""
        return cls(config, BagCollection.empty(config))

    @classmethod
    def build(cls, documents: Iterable[Document], config: Config, advance: Advance) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        built = cls.empty(config)
        stream = iter(documents)
        while batch := list(islice(stream, BATCH)):
            built.add(batch)
            advance(len(batch))
        return built

    def add(self, documents: Sequence[Document]) -> None:
        """Count documents, each in the place of an earlier one of its id."""
        self.bags.add(documents)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Count documents no longer."""
        self.bags.remove(doc_ids)

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` nearest documents; equal scores by id."""
        rows = None if languages is None else self.bags.weighed.rows_in(languages)
        return Ranking(query.query_id, tuple(self.hits(query.content, k, rows)))

    def hits(self, text: Text, k: int, rows: IntArray | None = None) -> list[Hit]:
        """The ``k`` nearest of all documents or of ``rows``; none without a known word."""
        found: list[Near] = []
        for searched, part in self.bags.parts(rows):
            asked = self.bags.question(text, searched)
            if asked.weights.any():
                found.append(self.nearest(asked, k, part))
        if not found:
            return []
        numbers = np.concatenate([near.rows for near in found])
        scores = scores_of(np.concatenate([near.distances for near in found]))
        best = top_k(scores, k, numbers)
        return [Hit(self.bags.weighed.ids[numbers[i]], float(scores[i])) for i in best]

    def encode_queries(self, texts: Sequence[Text]) -> list[Bags]:
        """The bag of each text, once or in each language of the collection."""
        codes = [ANY]
        if self.config.translate:
            codes = [str(code) for code in np.unique(self.bags.weighed.languages)]
        return [{code: self.bags.question(text, code) for code in codes} for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[Bags]:
        """The bag of each text, weighed by the frequencies of this moment."""
        return [{text.language: self.bags.read(text)} for text in texts]

    def score(self, query: Bags, documents: Sequence[Bags]) -> FloatArray:
        """Minus the distance of each document; ``UNREACHABLE`` where one side knows no word."""
        read = [next(iter(document.items())) for document in documents]
        found = np.full(len(read), np.inf)
        for code in {code for code, _ in read}:
            asked = query.get(code, query.get(ANY))
            if asked is not None and asked.weights.any():
                places = [place for place, (mine, _) in enumerate(read) if mine == code]
                found[places] = self.distances(asked, [read[place][1] for place in places])
        return scores_of(found)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return self.bags.settings

    def notices(self, languages: Iterable[str]) -> list[str]:
        """What a person should know of texts in these languages."""
        return self.bags.notices(languages)

    def save(self, folder: Path) -> None:
        """Write settings, vocabulary and counts; given vectors stay where they are."""
        words = self.bags.source.signature
        write_facts(folder, self.name, config=self.config.plain, words=words)
        self.bags.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, arrays mapped; vectors that changed in the meantime are refused."""
        facts = read_facts(folder, cls.name)
        config = cls.settled.from_settings(facts["config"])
        try:
            bags = BagCollection.load(folder, config)
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        if bags.source.signature != facts["words"]:
            raise IndexFault(
                f"{folder}: was built with the vectors {facts['words']}; found"
                f" {bags.source.signature}. Build the index again."
            )
        return cls(config, bags)  # type: ignore[arg-type]  # of the class that ``settled`` names


def scores_of(distances: FloatArray) -> FloatArray:
    """Minus the distances, in float32 as both homes give them; ``UNREACHABLE`` where infinite."""
    scores = np.where(np.isinf(distances), UNREACHABLE, 0.0 - distances)
    return scores.astype(np.float32)
