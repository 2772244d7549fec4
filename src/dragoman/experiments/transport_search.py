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

from dragoman.experiments.lexical import Collection, Task
from dragoman.experiments.pooled import parts
from dragoman.experiments.spreading import spread
from dragoman.indexes.bag_system import BagSystem
from dragoman.indexes.engine import Index
from dragoman.indexes.resident import Resident
from dragoman.indexes.scope import Scope
from dragoman.indexes.second import Rerank, reranked
from dragoman.metrics.measured import measure_run
from dragoman.metrics.parse import parse_measure
from dragoman.metrics.significance import Interval, bootstrap_interval, randomisation_test
from dragoman.protocols import Advance, System, silent
from dragoman.ranking.balance import Balance
from dragoman.systems.nbow.system import NbowSystem
from dragoman.systems.wasserstein.system import Wasserstein
from dragoman.types import Document, FloatArray, Query, Ranking
from dragoman.vectors.bag_collection import BagCollection

Search = Callable[[Query], Ranking]

MEASURE, DEPTH = "nDCG@10", 10
WEIGHTS = (0.2, 0.5)  # the second stage's share of the score
# systems of bags over one reading of the documents
BAGS: Mapping[str, tuple[type[BagSystem[Any]], Mapping[str, object]]] = {
    "nBOW idf": (NbowSystem, {}),
    "nBOW idf by cosine": (NbowSystem, {"distance": "cosine"}),
    "Wass idf": (Wasserstein, {"epsilon": None}),
    "Entro_Wass tf": (Wasserstein, {"weighting": "tf"}),
    "Entro_Wass idf": (Wasserstein, {}),
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


def bag_systems(documents: Sequence[Document]) -> dict[str, BagSystem[Any]]:
    """Every system of ``BAGS``; the documents are read and their words encoded once."""
    read = Wasserstein.build(documents, Wasserstein.settled.from_settings({}), silent).bags
    systems: dict[str, BagSystem[Any]] = {}
    for label, (kind, settings) in BAGS.items():
        config = kind.settled.from_settings(settings)
        bags = BagCollection(config, read.source, read.vocabulary, read.documents)
        systems[label] = kind(config, bags)
    return systems


def ad_hoc(
    index: Index, systems: Mapping[str, BagSystem[Any]], task: Task, advance: Advance = silent
) -> Iterator[Answered]:
    """The systems of the engine, then those of bags, on one task."""
    scope = index.scope([task.searched])
    for label, part in parts(index).items():
        yield answered(task, label, _engine_search(index, part, scope))
        advance()
    for label, system in systems.items():
        yield answered(task, label, _bag_search(system, task.searched))
        advance()


def two_stages(
    index: Index, second: System[Any], task: Task, advance: Advance = silent
) -> Iterator[Staged]:
    """Each first stage alone, and with ``second`` reading its best documents once more."""
    scope = index.scope([task.searched])
    for label, part in parts(index).items():
        alone = answered(task, label, _engine_search(index, part, scope))
        advance()
        both = {}
        for weight in WEIGHTS:
            rerank = Rerank(Wasserstein.name, weight)
            first = _engine_search(index, part, scope, rerank.depth)
            both[weight] = answered(task, label, _staged_search(index, first, second, rerank))
            advance()
        yield Staged(alone, both)


def _engine_search(index: Index, part: Resident, scope: Scope, k: int = DEPTH) -> Search:
    return lambda query: part.search(index.store, query, k, scope)


def _bag_search(system: BagSystem[Any], searched: str) -> Search:
    return lambda query: system.search(query, DEPTH, [searched])


def _staged_search(index: Index, first: Search, second: System[Any], rerank: Rerank) -> Search:
    """One language is searched, so there is nothing to balance."""

    def search(query: Query) -> Ranking:
        hits = first(query).hits
        found = index.store.documents([hit.doc_id for hit in hits])
        documents = {document.doc_id: document for document in found if document is not None}
        off = Balance.OFF
        best = reranked(query, hits, documents, second, rerank, first="first", balance=off)
        return Ranking(query.query_id, best.hits[:DEPTH])

    return search
