"""What each step of the hybrid ranking adds, on two halves of XQuAD-R's articles.

Settings were chosen on the articles of even number (and on other collections); those of odd number
are the untouched half. A step is compared with the one before it, by a bootstrap over articles: the
questions of one article are not independent. A question's own paragraph is the only right one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.tasks import DEPTH, MEASURE, RetrievalTask, TaskCollection
from dragoman.indexes.index import Index
from dragoman.indexes.system import System
from dragoman.metrics.significance import Interval, bootstrap_interval
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray

OWN = 2  # the grade of a question's own paragraph
HALVES = ("even articles", "odd articles")  # chosen on, untouched
LONG_PASSAGES = {"letters": 400, "overlap": 100}


@dataclass(frozen=True, slots=True)
class AblationStep:
    """A part, or the fusion with some of its settings."""

    label: str
    part: str = "hybrid"
    fusion: Mapping[str, float] = field(default_factory=dict)
    passages: Mapping[str, int] = field(default_factory=dict)


NO_MAXSIM = {"maxsim_weight": 0.0}
STEPS = (
    AblationStep("psq", "psq"),
    AblationStep("dense", "dense"),
    AblationStep(
        "hybrid: one weight, best passage of 400 letters",
        fusion={
            "question_weight": 0.3,
            "student_question_weight": 0.3,
            "document_share": 0.0,
            **NO_MAXSIM,
        },
        passages=LONG_PASSAGES,
    ),
    AblationStep(
        "+ weight of questions", fusion={"document_share": 0.0, **NO_MAXSIM}, passages=LONG_PASSAGES
    ),
    AblationStep("+ mean of the passages", fusion=NO_MAXSIM, passages=LONG_PASSAGES),
    AblationStep("+ passages of 250 letters", fusion=NO_MAXSIM),
    AblationStep("+ word MaxSim (default)"),
)


@dataclass(frozen=True, slots=True)
class AblationRow:
    """One step: the means of both halves, and the difference to the step before on the second."""

    step: AblationStep
    means: tuple[float, float]
    gain: tuple[float, Interval] | None  # None for parts and the first fusion


def compare_steps(
    collection: TaskCollection, most: int | None = None, advance: Advance = no_progress
) -> list[AblationRow]:
    """A row for each of ``STEPS`` over all tasks of XQuAD-R, ``most`` queries of each."""
    tasks = [_own_paragraphs(task, most) for task in collection.tasks]
    values: dict[str, list[dict[int, FloatArray]]] = {}
    for passages in ({}, LONG_PASSAGES):
        mine = [step for step in STEPS if step.passages == passages]
        settings = {"dense": passages} if passages else {}
        with temporary_index(collection.documents, "hybrid", settings) as index:
            for step in mine:
                values[step.label] = [_by_article(index, step, task) for task in tasks]
                advance()
    return [*_rows(values)]


def _own_paragraphs(task: RetrievalTask, most: int | None) -> RetrievalTask:
    judgments = {
        query_id: {doc_id: 1 for doc_id, grade in grades.items() if grade == OWN}
        for query_id, grades in task.judgments.items()
    }
    judged = tuple(query for query in task.queries if judgments[query.query_id])
    return replace(task, queries=evenly_spaced(judged, most), judgments=judgments)


def _by_article(index: Index, step: AblationStep, task: RetrievalTask) -> dict[int, FloatArray]:
    """The values of a task's queries by the number of the article that answers them."""
    scope = index.scope([task.document_language])
    system = _system(index, step)
    with index.snapshot() as snapshot:
        rankings = [system.search(snapshot, query, DEPTH, scope) for query in task.queries]
    measured = task.values(step.label, rankings)
    articles = [_article(next(iter(task.judgments[query.query_id]))) for query in task.queries]
    return {article: measured[np.equal(articles, article)] for article in {*articles}}


def _article(doc_id: str) -> int:
    """The number of the article in an id: language-article-paragraph."""
    return int(doc_id.split("-")[1])


def _system(index: Index, step: AblationStep) -> System:
    hybrid = index.system
    if step.part != "hybrid":
        part: System = getattr(hybrid, step.part)
        return part
    config = replace(hybrid.config, **step.fusion)  # type: ignore[attr-defined]
    changed: System = type(hybrid)(config, *hybrid.parts)  # type: ignore[call-arg, attr-defined]
    return changed


def _rows(values: Mapping[str, Sequence[Mapping[int, FloatArray]]]) -> Sequence[AblationRow]:
    rows: list[AblationRow] = []
    before: Sequence[Mapping[int, FloatArray]] | None = None
    for step in STEPS:
        mine = values[step.label]
        means = tuple(
            float(np.mean([_mean(task, half) for task in mine])) for half in range(len(HALVES))
        )
        gain = None
        if step.part == "hybrid":
            gain = _gain(mine, before) if before else None
            before = mine
        rows.append(AblationRow(step, (means[0], means[1]), gain))
    return rows


def _mean(task: Mapping[int, FloatArray], half: int) -> float:
    return float(np.concatenate([v for article, v in task.items() if article % 2 == half]).mean())


def _gain(
    mine: Sequence[Mapping[int, FloatArray]], before: Sequence[Mapping[int, FloatArray]]
) -> tuple[float, Interval]:
    """The mean difference on the untouched half, and its interval over articles."""
    articles = sorted({article for task in mine for article in task if article % 2})
    differences = np.array(
        [
            np.mean([(a[one] - b[one]).mean() for a, b in zip(mine, before, strict=True)])
            for one in articles
        ]
    )
    interval = bootstrap_interval(differences, np.random.default_rng(0))
    return float(differences.mean()), interval


def ablation_markdown(collection: TaskCollection, rows: Sequence[AblationRow]) -> list[str]:
    """The table, after a sentence about queries and halves."""
    pairs = len(collection.tasks)
    return [
        f"Steps of the hybrid ranking on XQuAD-R, {pairs} pairs of languages with English, mean"
        f" {MEASURE} of a question's own paragraph. Settings were chosen on the articles of even"
        " number; the gain over the step before is on those of odd number, its mean over articles"
        " with a 95 % bootstrap interval over articles.",
        "",
        f"| step | {' | '.join(HALVES)} | gain |",
        "|---|---:|---:|---|",
        *map(_line, rows),
    ]


def _line(row: AblationRow) -> str:
    gain = ""
    if row.gain:
        mean, interval = row.gain
        gain = f"{mean:+.4f} ({interval.low:+.4f} to {interval.high:+.4f})"
    return f"| {row.step.label} | {row.means[0]:.4f} | {row.means[1]:.4f} | {gain} |"
