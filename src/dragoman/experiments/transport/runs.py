"""Timed runs of transport, as a search of its own and as a re-ranking stage.

Ad-hoc retrieval is the future work of Balikas et al. 2018: short queries, tens of thousands of
documents, graded relevance. Time is processor time, all threads together, of the search alone.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.experiments.index_cache import index_systems
from dragoman.experiments.tasks import DEPTH, RetrievalTask, TaskCollection
from dragoman.indexes.index import Index
from dragoman.indexes.search.reranking import Rerank, SecondStage, rerank_hits
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.system import System
from dragoman.metrics.significance import Interval, bootstrap_interval, permutation_test
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.systems.bags.nbow import NbowSystem
from dragoman.systems.bags.system import BagSystem
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.types import FloatArray, Query, Ranking

Search = Callable[[Query], Ranking]

WEIGHTS = (0.2, 0.5)  # of the second stage in the score
# systems that search the same index of bags
BAGS: Mapping[str, tuple[type[BagSystem[Any]], Mapping[str, object]]] = {
    "nBOW idf": (NbowSystem, {}),
    "nBOW idf by cosine": (NbowSystem, {"distance": "cosine"}),
    "Wass idf": (WassersteinSystem, {"epsilon": None}),
    "Entro_Wass tf": (WassersteinSystem, {"weighting": "tf"}),
    "Entro_Wass idf": (WassersteinSystem, {}),
}


@dataclass(frozen=True, slots=True)
class TimedRun:
    """One system on the queries of one task."""

    task: RetrievalTask
    label: str
    values: FloatArray  # nDCG@10 of each query
    seconds: float  # per query

    @property
    def mean(self) -> float:
        """Over the queries."""
        return float(self.values.mean())

    @property
    def interval(self) -> Interval:
        """The 95 % bootstrap interval of the mean."""
        return bootstrap_interval(self.values, np.random.default_rng(0))


@dataclass(frozen=True, slots=True)
class RerankingRuns:
    """One first stage alone and re-ranked by transport, by the weight of transport."""

    alone: TimedRun
    both: Mapping[float, TimedRun]

    def p_value(self, weight: float) -> float:
        """Two-sided, of the difference that re-ranking makes (paired randomisation test)."""
        first, second = self.alone.values, self.both[weight].values
        return permutation_test(first, second, np.random.default_rng(0))


def timed_run(task: RetrievalTask, label: str, search: Search) -> TimedRun:
    """The queries one after the other; the first one is searched once more beforehand, untimed."""
    search(task.queries[0])
    began = time.process_time()
    rankings = [search(query) for query in task.queries]
    seconds = (time.process_time() - began) / len(rankings)
    return TimedRun(task, label, task.values(label, rankings), seconds)


def in_languages(
    collection: TaskCollection, codes: Sequence[str], unsearched: Sequence[str] = ()
) -> TaskCollection:
    """The tasks that search documents in ``codes``; documents in ``unsearched`` are added."""
    documents = [d for d in collection.documents if d.language in {*codes, *unsearched}]
    tasks = [task for task in collection.tasks if task.document_language in codes]
    return TaskCollection(collection.name, tuple(documents), tuple(tasks))


def bag_systems(bags: Index) -> dict[str, BagSystem[Any]]:
    """Every system of ``BAGS`` on one index, which encodes its words once."""
    indexed: Any = bags.system
    return {
        label: kind(kind.configure(settings), indexed.source)
        for label, (kind, settings) in BAGS.items()
    }


def ad_hoc_runs(
    index: Index, bags: Index, task: RetrievalTask, advance: Advance = no_progress
) -> Iterator[TimedRun]:
    """The systems of the engine, then those of bags, on one task."""
    for searched, systems in ((index, index_systems(index)), (bags, bag_systems(bags))):
        scope = searched.scope([task.document_language])
        for label, system in systems.items():
            yield timed_run(task, label, _search(searched, system, scope))
            advance()


def reranking_runs(
    index: Index, second: SecondStage, task: RetrievalTask, advance: Advance = no_progress
) -> Iterator[RerankingRuns]:
    """Each first stage alone, and with ``second`` re-ranking its best documents."""
    scope = index.scope([task.document_language])
    for label, system in index_systems(index).items():
        alone = timed_run(task, label, _search(index, system, scope))
        advance()
        both = {}
        for weight in WEIGHTS:
            rerank = Rerank(WassersteinSystem.name, weight)
            search = _staged_search(index, system, scope, second, rerank)
            both[weight] = timed_run(task, label, search)
            advance()
        yield RerankingRuns(alone, both)


def _search(index: Index, system: System, scope: Scope) -> Search:
    def search(query: Query) -> Ranking:
        with index.snapshot() as snapshot:
            return system.search(snapshot, query, DEPTH, scope)

    return search


def _staged_search(
    index: Index, system: System, scope: Scope, second: SecondStage, rerank: Rerank
) -> Search:
    """One language is searched, so there is nothing to balance."""

    def search(query: Query) -> Ranking:
        with index.snapshot() as snapshot:
            hits = system.search(snapshot, query, rerank.depth, scope).hits
            doc_ids = [hit.doc_id for hit in hits]
            documents = snapshot.documents(snapshot.numbers_of(doc_ids))
        by_id = dict(zip(doc_ids, documents, strict=True))
        off = Balance.OFF
        best = rerank_hits(query, hits, by_id, second, rerank, first="first", balance=off)
        return Ranking(query.query_id, best.hits[:DEPTH])

    return search
