"""Transport as a search of its own and as a second stage, beside the systems of the engine.

Ad-hoc retrieval is the future work of Balikas et al. 2018: short questions, tens of thousands of
documents, graded relevance. Questions are those of the test split; time is processor time, all
threads together, of the search alone.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dragoman.experiments.engine.pooled import parts
from dragoman.experiments.lexical.experiment import Collection, Task
from dragoman.experiments.sampling import spread
from dragoman.indexes.index import Index
from dragoman.indexes.search.reranking import Rerank, SecondStage, rerank_hits
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.system import System
from dragoman.metrics.measured import measure_run
from dragoman.metrics.parse import parse_measure
from dragoman.metrics.significance import Interval, bootstrap_interval, randomisation_test
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.systems.bags.nbow import NbowSystem
from dragoman.systems.bags.system import BagSystem
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.types import FloatArray, Query, Ranking

Search = Callable[[Query], Ranking]

MEASURE, DEPTH = "nDCG@10", 10
WEIGHTS = (0.2, 0.5)  # the second stage's share of the score
# systems that search one index of bags
BAGS: Mapping[str, tuple[type[BagSystem[Any]], Mapping[str, object]]] = {
    "nBOW idf": (NbowSystem, {}),
    "nBOW idf by cosine": (NbowSystem, {"distance": "cosine"}),
    "Wass idf": (WassersteinSystem, {"epsilon": None}),
    "Entro_Wass tf": (WassersteinSystem, {"weighting": "tf"}),
    "Entro_Wass idf": (WassersteinSystem, {}),
}


@dataclass(frozen=True, slots=True)
class Answered:
    """One system's answers to the questions of one task."""

    task: Task
    label: str
    values: FloatArray  # of the measure, by question
    seconds: float  # a question

    @property
    def mean(self) -> float:
        """Over the questions."""
        return float(self.values.mean())

    @property
    def interval(self) -> Interval:
        """Where the mean lies, by the bootstrap."""
        return bootstrap_interval(self.values, np.random.default_rng(0))


@dataclass(frozen=True, slots=True)
class Staged:
    """One first stage alone and with transport as its second, by the second's weight."""

    alone: Answered
    both: Mapping[float, Answered]

    def chance(self, weight: float) -> float:
        """How likely so large a difference is if there is none, by random exchange."""
        first, second = self.alone.values, self.both[weight].values
        return randomisation_test(first, second, np.random.default_rng(0))


def answered(task: Task, label: str, search: Search) -> Answered:
    """The questions asked one after the other; one is asked beforehand, untimed."""
    search(task.queries[0])
    began = time.process_time()
    rankings = [search(query) for query in task.queries]
    seconds = (time.process_time() - began) / len(rankings)
    judged = {query.query_id: task.judgments[query.query_id] for query in task.queries}
    measured = measure_run(label, rankings, judged, [parse_measure(MEASURE)])
    return Answered(task, label, measured.overall.values[MEASURE], seconds)


def fewer(task: Task, most: int | None) -> Task:
    """The task with at most ``most`` questions, spread evenly."""
    return replace(task, queries=spread(task.queries, most))


def in_languages(collection: Collection, codes: Sequence[str], beside: Sequence[str]) -> Collection:
    """The documents in ``codes`` and ``beside``, and the tasks that search ``codes``."""
    documents = [d for d in collection.documents if d.language in {*codes, *beside}]
    tasks = [task for task in collection.tasks if task.searched in codes]
    return Collection(collection.name, tuple(documents), tuple(tasks))


def bag_systems(bags: Index) -> dict[str, BagSystem[Any]]:
    """Every system of ``BAGS`` for one index, whose words are encoded once."""
    indexed: Any = bags.system
    return {
        label: kind(kind.configure(settings), indexed.source)
        for label, (kind, settings) in BAGS.items()
    }


def ad_hoc(
    index: Index, bags: Index, task: Task, advance: Advance = no_progress
) -> Iterator[Answered]:
    """The systems of the engine, then those of bags, on one task."""
    for searched, systems in ((index, parts(index)), (bags, bag_systems(bags))):
        scope = searched.scope([task.searched])
        for label, system in systems.items():
            yield answered(task, label, _search(searched, system, scope))
            advance()


def two_stages(
    index: Index, second: SecondStage, task: Task, advance: Advance = no_progress
) -> Iterator[Staged]:
    """Each first stage alone, and with ``second`` reading its best documents once more."""
    scope = index.scope([task.searched])
    for label, system in parts(index).items():
        alone = answered(task, label, _search(index, system, scope))
        advance()
        both = {}
        for weight in WEIGHTS:
            rerank = Rerank(WassersteinSystem.name, weight)
            search = _staged_search(index, system, scope, second, rerank)
            both[weight] = answered(task, label, search)
            advance()
        yield Staged(alone, both)


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
