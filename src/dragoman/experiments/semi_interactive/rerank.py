"""The interactive model as the second stage of an ordinary search.

Test questions search all English documents of the task with psq; the model then reads the first
hundred together with the question, as ``dragoman search --rerank MODEL`` does. nDCG@10 by language,
before and after, with the share of the score that such a search has and with the model alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, Asked, RelevanceTask
from dragoman.experiments.semi_interactive.values import (
    NDCG,
    Difference,
    differences,
    mean,
    weighted,
)
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.parse import parse_measure
from dragoman.protocols import Advance, no_progress
from dragoman.text.collections.splits import Split
from dragoman.types import FloatArray, Hit

FIRST_STAGE, DEPTH = "psq", 100
WEIGHTS = {"both": 0.5, "alone": 1.0}  # of the second stage: that of a search, and all
FIRST = "first"

Stages = Mapping[str, Mapping[str, Sequence[float]]]  # stage -> language -> nDCG@10 of questions


def second_stage(
    task: RelevanceTask, model: Path, most: int, advance: Advance = no_progress
) -> dict[str, dict[str, list[float]]]:
    """What at most so many test questions of each language get from each of the stages."""
    documents = [item.document for item in task.items.values()]
    stages: dict[str, Rerank | None] = {FIRST: None}
    stages |= {name: Rerank(str(model), weight, DEPTH) for name, weight in WEIGHTS.items()}
    gained: dict[str, dict[str, list[float]]] = {name: {} for name in stages}
    with temporary_index(documents, FIRST_STAGE) as index:
        for one in _some(task.asked[Split.TEST], most):
            for name, rerank in stages.items():
                hits = index.rank(one.query, DEPTH, Scope(), rerank).hits
                gained[name].setdefault(one.query.language, []).append(_gain(task, one, hits))
            advance()
    return gained


def _some(asked: Sequence[Asked], most: int) -> list[Asked]:
    """The first questions of each language, in their order, at most so many."""
    counts: dict[str, int] = {}
    kept = []
    for one in asked:
        code = one.query.language
        counts[code] = counts.get(code, 0) + 1
        if counts[code] <= most:
            kept.append(one)
    return kept


def _gain(task: RelevanceTask, one: Asked, hits: Sequence[Hit]) -> float:
    """nDCG@10; what is neither asked for nor related to it counts as irrelevant."""
    item = task.items[one.items[0]]
    grades = {item.document.doc_id: RELEVANT}
    for name in item.related & task.items.keys():
        grades[task.items[name].document.doc_id] = RELATED
    ranked = np.array([grades.pop(hit.doc_id, 0) for hit in hits], dtype=np.int32)
    scores = np.array([hit.score for hit in hits], dtype=np.float64)
    left = np.array(list(grades.values()), dtype=np.int32)
    outcome = Outcome(one.query.query_id, scores, ranked, left)
    return float(parse_measure(NDCG).values([outcome], None)[0])


@dataclass(frozen=True, slots=True)
class Gain:
    """What a way to use the second stage brings on average, and in each language."""

    name: str
    weight: float
    means: Mapping[str, float]  # by language
    whole: Difference


def gains(stages: Stages) -> list[Gain]:
    """Every way to use the second stage against the first alone; paired, Holm over the ways."""
    values = {name: _arrays(found) for name, found in stages.items()}
    codes = list(values[FIRST])
    pairs = [
        (name, weighted(values[name], codes), weighted(values[FIRST], codes)) for name in WEIGHTS
    ]
    return [
        Gain(name, WEIGHTS[name], {code: mean(values[name], (code,)) for code in codes}, whole)
        for name, whole in zip(WEIGHTS, differences(pairs), strict=True)
    ]


def _arrays(found: Mapping[str, Sequence[float]]) -> dict[str, FloatArray]:
    return {code: np.array(some) for code, some in found.items()}


def markdown(stages: Stages) -> list[str]:
    """The table of nDCG@10, a sentence before it."""
    first = {code: float(np.mean(some)) for code, some in stages[FIRST].items()}
    count = sum(map(len, stages[FIRST].values()))
    lines = [
        f"INTERACT as a second stage: {count:,} test questions search all English documents with"
        f" {FIRST_STAGE}, and the model reads the first {DEPTH} with each"
        " (`dragoman search --rerank`). p is of a paired bootstrap over the questions, both ways,"
        " after Holm.",
        "",
        f"| second stage: {NDCG} | {' | '.join(first)} | mean | gain | p above | p below |",
        f"|---|{'---:|' * (len(first) + 4)}",
        _row(FIRST_STAGE, first, "", "", ""),
    ]
    for gain in gains(stages):
        whole = gain.whole
        name = f"{FIRST_STAGE}, then INTERACT with weight {gain.weight:g}"
        told = (f"{whole.gain:+.4f}", f"{whole.above:.4f}", f"{whole.below:.4f}")
        lines.append(_row(name, gain.means, *told))
    return lines


def _row(name: str, means: Mapping[str, float], *told: str) -> str:
    cells = [f"{value:.4f}" for value in (*means.values(), float(np.mean(list(means.values()))))]
    return f"| {name} | {' | '.join([*cells, *told])} |"
