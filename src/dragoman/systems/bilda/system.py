"""Ranks documents by how near their topics are to the query's, whatever their language.

A text becomes its distribution over the topics that all languages of the model share
(Balikas et al. 2018, section 4); a score is minus the divergence, at most 0.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import DocumentRows, rounded
from dragoman.ranking.one_by_one import OneByOne
from dragoman.systems.bilda.config import BildaConfig, Divergence
from dragoman.systems.bilda.divergence import jensen_shannon, relative_entropies
from dragoman.systems.bilda.explanation import linked
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text

MODEL = "model"


class BildaSystem(OneByOne):
    """A topic model and the topics of a collection's documents."""

    name: ClassVar[str] = "bilda"

    def __init__(
        self,
        config: BildaConfig,
        model: TopicModel,
        documents: DocumentRows,
        notices: Sequence[str] = (),
    ) -> None:
        self.config, self.model, self.documents = config, model, documents
        self.notices = tuple(notices)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> BildaConfig:
        """The configuration that plain settings name."""
        return BildaConfig.from_settings(settings)

    @classmethod
    def empty(cls, model: TopicModel) -> Self:
        """The system without a document, by relative entropy."""
        return cls(BildaConfig(model=Path(MODEL)), model, DocumentRows.arranged([], [], []))

    @classmethod
    def build(cls, documents: Iterable[Document], config: BildaConfig, advance: Advance) -> Self:
        """The system over ``documents``; those without a word that the model knows stay out."""
        model = TopicModel.load(config.model)
        ids: list[str] = []
        languages: list[str] = []
        rows: list[FloatArray | None] = []
        for document in documents:
            ids.append(document.doc_id)
            languages.append(document.language)
            rows.append(model.topics_of(document.content))
            advance()
        found = DocumentRows.arranged(ids, languages, rows)
        return cls(config, model, found, _notices(model, languages, rows))

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` nearest documents; equal scores by id. Without a known word there is none."""
        asked = self.model.topics_of(query.content)
        if asked is None:
            return Ranking(query.query_id, ())
        vector = asked.astype(np.float32)
        hits = self.documents.best(lambda rows: -self._distances(vector, rows), k, languages)
        return Ranking(query.query_id, hits)

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        return self.model.notice(query.language)

    def _distances(self, query: FloatArray, rows: IntArray) -> FloatArray:
        return divergences(self.documents.rows, rows, query, self.config.divergence, self._logs)

    @cached_property
    def _logs(self) -> FloatArray:
        """The logarithms of all rows, which relative entropy reads for every query."""
        return np.log(self.documents.rows)

    def encode_queries(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One distribution over topics per text; all topics alike where no word is known."""
        uniform = np.full(self.model.config.topics, 1 / self.model.config.topics)
        found = (self.model.topics_of(text) for text in texts)
        return [(uniform if one is None else one).astype(np.float32) for one in found]

    def encode_documents(self, texts: Sequence[Text]) -> list[FloatArray]:
        """As queries: the model knows no difference."""
        return self.encode_queries(texts)

    def score(self, query: FloatArray, documents: Sequence[FloatArray]) -> FloatArray:
        """Minus the divergence of each document from the query."""
        if not documents:
            return np.zeros(0)
        rows = np.array(documents, dtype=np.float32)
        places = np.arange(len(rows), dtype=np.int64)
        kind = self.config.divergence
        return rounded(-divergences(rows, places, query, kind, np.log(rows)))

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is about the same as which word of the document."""
        asked, found = (
            self.encode_queries([content])[0] for content in (query.content, document.content)
        )
        links = linked(self.model, query.content, document.content)
        return Explanation(document.doc_id, float(self.score(asked, [found])[0]), links)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {"model": self.model.signature, "divergence": self.config.divergence.value}

    def save(self, folder: Path) -> None:
        """Write the model, the documents' topics and the settings into ``folder``."""
        self.documents.save(folder)
        self.model.save(folder / MODEL)
        kind = self.config.divergence.value
        write_facts(folder, self.name, divergence=kind, notices=self.notices)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; rows are mapped, not read."""
        facts = read_facts(folder, cls.name)
        config = BildaConfig(model=folder / MODEL, divergence=Divergence(facts["divergence"]))
        model = TopicModel.load(folder / MODEL)
        return cls(config, model, DocumentRows.load(folder), facts["notices"])


def divergences(
    rows: FloatArray, chosen: IntArray, query: FloatArray, kind: Divergence, logs: FloatArray
) -> FloatArray:
    """How far the chosen rows are from ``query``; ``logs`` are the logarithms of all rows."""
    if kind is Divergence.RELATIVE_ENTROPY:
        return relative_entropies(logs, chosen, query)
    found: FloatArray = jensen_shannon(rows, chosen, query.astype(np.float64))
    return found


def _notices(
    model: TopicModel, languages: Sequence[str], rows: Sequence[FloatArray | None]
) -> list[str]:
    found = [notice for code in sorted(set(languages)) if (notice := model.notice(code))]
    lost = sum(
        row is None and code in model.languages for code, row in zip(languages, rows, strict=True)
    )
    if lost:
        found.append(f"{lost:,} documents have no word that the topics know and cannot be found")
    return found
