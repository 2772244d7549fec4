"""Trained models -> how long an answer takes (the last column of Table 2).

A sample is one query and one document, as in the paper. What can be done before anybody asks is
timed apart: the non-interactive and the semi-interactive model encode documents offline and only
the query online; the interactive one has to read both together. Models take turns, one sample
each; what counts is the time of the processor, which other work on the machine does not lengthen
much, of the quickest of a few repetitions. Medians over samples are reported.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.semi_interactive.plan import Context
from dragoman.experiments.semi_interactive.runs import Material
from dragoman.experiments.semi_interactive.task import Asked
from dragoman.systems.semi_interactive import RelevanceExample, RelevanceModel, load_model
from dragoman.text.collections.splits import Split

WARM = 3  # samples that are not counted
REPEATED = 3
QUESTIONS = 12  # whose candidates are all scored


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the processor, medians."""

    sample: float  # a query and one document
    question: float  # a query and all of its candidates
    document: float  # offline; 0 where documents cannot be read alone


def timed(folders: Mapping[str, Path], material: Material, samples: int) -> dict[str, Timing]:
    """The timings of trained models, by name."""
    asked = material.task.asked[Split.TEST]
    places = [place * len(asked) // samples for place in range(min(samples, len(asked)))]
    clocks = {name: _Clock(load_model(folder), material) for name, folder in folders.items()}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in folders}
    whole: dict[str, list[float]] = {name: [] for name in folders}
    for turn, place in enumerate(places):
        for name, clock in clocks.items():
            found[name].append(clock.sample(asked[place]))
            if turn < WARM + QUESTIONS:
                whole[name].append(clock.question(asked[place]))
    return {
        name: Timing(
            float(np.median([online for online, _ in found[name][WARM:]])),
            float(np.median(whole[name][WARM:])),
            float(np.median([offline for _, offline in found[name][WARM:]])),
        )
        for name in folders
    }


class _Clock:
    def __init__(self, model: RelevanceModel, material: Material) -> None:
        self._model, self._material = model, material

    def sample(self, one: Asked) -> tuple[float, float]:
        """Milliseconds online and offline for a question and its own document."""
        examples = self._material.examples([one], Context.READY_MADE)[:1]
        return self._online(examples)

    def question(self, one: Asked) -> float:
        """Milliseconds online for a question and all its candidates."""
        return self._online(self._material.examples([one], Context.READY_MADE, related=True))[0]

    def _online(self, examples: Sequence[RelevanceExample]) -> tuple[float, float]:
        model = self._model
        if model.interactive:
            return _milliseconds(lambda: model.score_pairs(examples)), 0.0
        documents = [one.document for one in examples]
        beside = [one.relevant_queries for one in examples]
        vectors = model.encode_documents(documents, beside)
        offline = _milliseconds(lambda: model.encode_documents(documents[:1], beside[:1]))
        query = examples[0].query
        return _milliseconds(lambda: vectors @ model.encode_queries([query])[0]), offline


def _milliseconds(work: Callable[[], object]) -> float:
    found = []
    for _ in range(REPEATED):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found) * 1000
