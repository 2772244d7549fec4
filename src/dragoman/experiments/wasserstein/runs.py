"""The rows of Table 2 and of the lambda sweep of Balikas et al. 2018, and their runs.

A row is a registered system with settings, except tf and idf (``frequency_distance.py``). Queries
of the rows that rely on translations come translated (``translated_queries.py``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.encoders.models import UNIVERSAL
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.wasserstein.frequency_distance import ranks_by_frequency
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.resources import PairResources
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.metrics.significance import Interval, bootstrap_interval
from dragoman.protocols import Advance, no_progress
from dragoman.systems.bags.weighting import Weighting
from dragoman.types import FloatArray, Query

EPSILON = 0.1
LAMBDAS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 10.0, 100.0)
TOPICS, TRANSLATED, SHARED, REPAIRED = (
    "Systems that rely on topic models",
    "Systems that rely on translations",
    "Systems that rely on cross-lingual embeddings",
    "Handling OOV words & cross-lingual embeddings",
)
OOV: Mapping[str, object] = {"misspelt": 1, "collapse": True}
WHOLE_LISTS: Mapping[str, object] = {"stop": "listed"}
PRINTED_IDF: Mapping[str, object] = {"weighting": "bare-idf"}
FREQUENCIES = "frequencies"
DEPTHS = (1, 10, 40, 160)  # tried in turn until the right document is among the hits; then all
SWEPT_QUERIES = 50  # of the lambda sweep, evenly spaced


@dataclass(frozen=True, slots=True)
class TableSystem:
    """One row of Table 2: a system with settings, under its section and label."""

    section: str
    label: str
    system: str  # a registered one, or FREQUENCIES
    settings: Mapping[str, object]

    @property
    def translated(self) -> bool:
        """Whether the queries of the row are translated word by word."""
        return self.section == TRANSLATED


@dataclass(frozen=True, slots=True)
class RankRun:
    """The ranks of the right documents by one system in one direction."""

    system: TableSystem
    query_language: str
    document_language: str
    ranks: FloatArray  # inf where the right document was not retrieved

    @property
    def direction(self) -> str:
        """Both languages, that of the queries first."""
        return f"{self.query_language}-{self.document_language}"

    @property
    def reciprocal_rank(self) -> float:
        """The mean reciprocal rank."""
        return float((1 / self.ranks).mean())

    @property
    def first(self) -> float:
        """P@1: the share of queries whose first hit is right."""
        return float((self.ranks == 1).mean())

    @property
    def interval(self) -> Interval:
        """The 95 % bootstrap interval of the mean reciprocal rank."""
        return bootstrap_interval(1 / self.ranks, np.random.default_rng(0))


def table_systems(
    resources: PairResources, query_language: str, document_language: str
) -> Iterator[TableSystem]:
    """The 21 rows of Table 2, for queries in one language and documents in the other."""
    both = _folders(resources.vectors, query_language, document_language)
    own = {"vectors": [str(resources.vectors[document_language])]}
    repaired = {"vectors": both, **OOV}
    yield TableSystem(TOPICS, "BiLDA", "bilda", {"model": str(resources.topics)})
    for weighting in ("tf", "idf"):
        yield TableSystem(TRANSLATED, weighting, FREQUENCIES, {"weighting": weighting})
    yield from _vector_systems(TRANSLATED, own, "")
    yield from _vector_systems(SHARED, {"vectors": both}, "")
    yield from _vector_systems(REPAIRED, repaired, "+")


def _vector_systems(
    section: str, settings: Mapping[str, object], mark: str
) -> Iterator[TableSystem]:
    """nBOW, exact and entropic transport, each by tf and idf."""
    systems: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("nBOW", "nbow", {}),
        ("Wass", "wasserstein", {"epsilon": None}),
        ("Entro_Wass", "wasserstein", {"epsilon": EPSILON}),
    )
    for label, system, own in systems:
        for weighting in ("tf", "idf"):
            chosen = {**settings, **own, "weighting": weighting}
            yield TableSystem(section, f"{label} {weighting}{mark}", system, chosen)


def lambda_systems(
    resources: PairResources, query_language: str, document_language: str
) -> Iterator[TableSystem]:
    """Entropic transport by idf with the OOV protocol, for each regularisation."""
    both = _folders(resources.vectors, query_language, document_language)
    for epsilon in LAMBDAS:
        settings = {"vectors": both, **OOV, "weighting": "idf", "epsilon": epsilon}
        yield TableSystem("The regularisation", f"{epsilon:g}", "wasserstein", settings)


def variant_systems(
    resources: PairResources, query_language: str, document_language: str
) -> Iterator[TableSystem]:
    """Choices that the paper leaves open or that we would make otherwise, always by idf."""
    given = {"vectors": _folders(resources.vectors, query_language, document_language), **OOV}
    entropic: dict[str, object] = {"epsilon": EPSILON}
    repaired = {**given, **entropic}
    rows: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("nBOW idf+ by cosine", "nbow", {**given, "distance": "cosine"}),
        ("Entro_Wass idf+, substitutes alone", "wasserstein", {**repaired, "collapse": False}),
        ("Entro_Wass idf+, shared spellings alone", "wasserstein", {**repaired, "misspelt": 0}),
        ("Entro_Wass idf+, whole stop lists", "wasserstein", {**repaired, **WHOLE_LISTS}),
        ("Entro_Wass idf+, idf as printed", "wasserstein", {**repaired, **PRINTED_IDF}),
    )
    if UNIVERSAL.installed:
        rows += (("Entro_Wass idf, words by the sentence encoder", "wasserstein", entropic),)
    for label, system, settings in rows:
        yield TableSystem("Variants", label, system, settings)


def _folders(vectors: Mapping[str, Path], *languages: str) -> list[str]:
    return [str(vectors[code]) for code in languages]


def run_system(
    pairs: PairedDocuments,
    system: TableSystem,
    queries: Sequence[Query],
    query_side: int,
    advance: Advance = no_progress,
) -> RankRun:
    """The ranks of the right documents for queries that come from the language of ``query_side``.

    Queries of a row that relies on translations are in the language of the documents.
    """
    document_side = 1 - query_side
    languages = pairs.languages[query_side], pairs.languages[document_side]
    right = [next(iter(pairs.judgments(document_side)[query.query_id])) for query in queries]
    if system.system == FREQUENCIES:
        weighting = Weighting(str(system.settings["weighting"]))
        searched, size = pairs.documents(document_side), 2 * len(pairs.test)
        ranks = ranks_by_frequency(queries, searched, right, weighting, size)
        advance(len(queries))
        return RankRun(system, *languages, ranks)
    # both sides, so that the idf of either language is known; one of them is searched
    documents = [*pairs.documents(0), *pairs.documents(1)]
    scope, found = Scope(Filter((languages[1],))), []
    with temporary_index(documents, system.system, system.settings) as index:
        for query, doc_id in zip(queries, right, strict=True):
            found.append(_rank(index, query, doc_id, scope, len(pairs.test)))
            advance()
    return RankRun(system, *languages, np.array(found))


def _rank(index: Index, query: Query, doc_id: str, scope: Scope, count: int) -> float:
    """The rank of a document among ``count``; inf where it is not ranked."""
    with index.snapshot() as snapshot:
        for k in (*DEPTHS, count):
            hits = [hit.doc_id for hit in index.system.search(snapshot, query, k, scope).hits]
            if doc_id in hits:
                return hits.index(doc_id) + 1.0
    return np.inf
