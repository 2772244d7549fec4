"""Trained models -> the processor time of a search (the last column of Table 2).

A sample is one query and one document, as in the paper. Work that can be done before a query is
known is timed apart: the non-interactive and the semi-interactive model encode documents offline
and only the query online; the interactive one reads both together. Models take turns, one sample
each. Processor time is little affected by other work on the machine; the shortest of a few
repetitions counts, and medians over samples are reported.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.semi_interactive.plan import QueryContext
from dragoman.experiments.semi_interactive.runs import RelevanceData
from dragoman.experiments.semi_interactive.task import QueryCandidates
from dragoman.systems.semi_interactive import RelevanceExample, RelevanceModel, load_model
from dragoman.text.collections.splits import Split

WARM_UP = 3  # samples that are not counted
REPETITIONS = 3
WHOLE_QUERIES = 12  # whose candidates are all scored


@dataclass(frozen=True, slots=True)
class InferenceTiming:
    """Milliseconds of processor time, medians."""

    sample: float  # a query and one document
    query: float  # a query and all of its candidates
    document: float  # offline; 0 where documents cannot be encoded alone


def time_models(
    folders: Mapping[str, Path], data: RelevanceData, samples: int
) -> dict[str, InferenceTiming]:
    """The timings of trained models, by name."""
    queries = evenly_spaced(data.task.queries[Split.TEST], samples)
    clocks = {name: _InferenceClock(load_model(folder), data) for name, folder in folders.items()}
    single: dict[str, list[tuple[float, float]]] = {name: [] for name in folders}
    whole: dict[str, list[float]] = {name: [] for name in folders}
    for turn, one in enumerate(queries):
        for name, clock in clocks.items():
            single[name].append(clock.time_sample(one))
            if turn < WARM_UP + WHOLE_QUERIES:
                whole[name].append(clock.time_query(one))
    return {
        name: InferenceTiming(
            float(np.median([online for online, _ in single[name][WARM_UP:]])),
            float(np.median(whole[name][WARM_UP:])),
            float(np.median([offline for _, offline in single[name][WARM_UP:]])),
        )
        for name in folders
    }


class _InferenceClock:
    def __init__(self, model: RelevanceModel, data: RelevanceData) -> None:
        self._model, self._data = model, data

    def time_sample(self, one: QueryCandidates) -> tuple[float, float]:
        """Milliseconds online and offline for a query and its own document."""
        return self._time(self._data.examples([one], QueryContext.READY_MADE)[:1])

    def time_query(self, one: QueryCandidates) -> float:
        """Milliseconds online for a query and all its candidates."""
        return self._time(self._data.examples([one], QueryContext.READY_MADE, related=True))[0]

    def _time(self, examples: Sequence[RelevanceExample]) -> tuple[float, float]:
        model = self._model
        if model.interactive:
            return _milliseconds(lambda: model.score_pairs(examples)), 0.0
        documents = [one.document for one in examples]
        relevant = [one.relevant_queries for one in examples]
        vectors = model.encode_documents(documents, relevant)
        offline = _milliseconds(lambda: model.encode_documents(documents[:1], relevant[:1]))
        query = examples[0].query
        return _milliseconds(lambda: vectors @ model.encode_queries([query])[0]), offline


def _milliseconds(work: Callable[[], object]) -> float:
    """The shortest processor time of a few repetitions."""
    seconds = []
    for _ in range(REPETITIONS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds) * 1000
