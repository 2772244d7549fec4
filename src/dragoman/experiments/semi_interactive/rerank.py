"""The interactive model as the second stage of an ordinary search.

Test queries search all English documents of the task with psq; the model then re-ranks the first
hundred, as ``dragoman search --rerank MODEL`` does. nDCG@10 by language before and after, with the
default weight of a second stage and with the model alone.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from dragoman.experiments.claims import ClaimedGain
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.semi_interactive.task import (
    RELATED,
    RELEVANT,
    QueryCandidates,
    RelevanceTask,
)
from dragoman.experiments.semi_interactive.values import NDCG
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.metrics.outcomes import Outcome
from dragoman.metrics.parser import parse_measure
from dragoman.protocols import Advance, no_progress
from dragoman.text.collections.splits import Split
from dragoman.types import Hit

FIRST_STAGE, DEPTH = "psq", 100
WEIGHTS = {"both": 0.5, "alone": 1.0}  # of the second stage in the score
FIRST = "first"

StageValues = Mapping[str, Mapping[str, Sequence[float]]]  # stage -> language -> nDCG@10 of queries


def measure_stages(
    task: RelevanceTask, model: Path, most: int, advance: Advance = no_progress
) -> dict[str, dict[str, list[float]]]:
    """nDCG@10 of each stage, for the first ``most`` test queries of each language."""
    documents = [item.document for item in task.items.values()]
    stages: dict[str, Rerank | None] = {FIRST: None}
    stages |= {name: Rerank(str(model), weight, DEPTH) for name, weight in WEIGHTS.items()}
    values: dict[str, dict[str, list[float]]] = {name: {} for name in stages}
    with temporary_index(documents, FIRST_STAGE) as index:
        for one in _first_queries(task.queries[Split.TEST], most):
            for name, rerank in stages.items():
                hits = index.rank(one.query, DEPTH, Scope(), rerank).hits
                values[name].setdefault(one.query.language, []).append(_value(task, one, hits))
            advance()
    return values


def _first_queries(queries: Sequence[QueryCandidates], most: int) -> list[QueryCandidates]:
    """At most ``most`` queries of each language, the first ones, in their order."""
    counts: dict[str, int] = {}
    chosen = []
    for one in queries:
        code = one.query.language
        counts[code] = counts.get(code, 0) + 1
        if counts[code] <= most:
            chosen.append(one)
    return chosen


def _value(task: RelevanceTask, one: QueryCandidates, hits: Sequence[Hit]) -> float:
    """nDCG@10; documents other than the relevant and the related ones count as irrelevant."""
    item = task.items[one.items[0]]
    grades = {item.document.doc_id: RELEVANT}
    for name in item.related & task.items.keys():
        grades[task.items[name].document.doc_id] = RELATED
    ranked = np.array([grades.pop(hit.doc_id, 0) for hit in hits], dtype=np.int32)
    scores = np.array([hit.score for hit in hits], dtype=np.float64)
    left = np.array(list(grades.values()), dtype=np.int32)
    outcome = Outcome(one.query.query_id, scores, ranked, left)
    return float(parse_measure(NDCG).values([outcome], None)[0])


def stage_gains(stages: StageValues) -> list[ClaimedGain]:
    """The claims that the second stage is above the first alone, at each weight."""
    values = {
        name: {code: np.array(column) for code, column in by_language.items()}
        for name, by_language in stages.items()
    }
    first = values[FIRST]
    return [
        ClaimedGain(
            f"{FIRST_STAGE}, then INTERACT with weight {weight:g}, is above {FIRST_STAGE} alone",
            NDCG,
            {code: (values[name][code], first[code]) for code in first},
            digits=4,
            extension=True,
        )
        for name, weight in WEIGHTS.items()
    ]


def stages_markdown(stages: StageValues) -> list[str]:
    """The table of nDCG@10, a sentence before it."""
    languages = list(stages[FIRST])
    count = sum(map(len, stages[FIRST].values()))
    labels = {FIRST: FIRST_STAGE}
    labels |= {n: f"{FIRST_STAGE}, then INTERACT with weight {w:g}" for n, w in WEIGHTS.items()}
    lines = [
        f"INTERACT as a second stage: {count:,} test queries search all English documents with"
        f" {FIRST_STAGE}, and the model reads the first {DEPTH} with each"
        " (`dragoman search --rerank`).",
        "",
        f"| second stage: {NDCG} | {' | '.join(languages)} | mean |",
        f"|---|{'---:|' * (len(languages) + 1)}",
    ]
    for name, label in labels.items():
        means = [float(np.mean(stages[name][code])) for code in languages]
        cells = " | ".join(f"{value:.4f}" for value in (*means, float(np.mean(means))))
        lines.append(f"| {label} | {cells} |")
    return lines
