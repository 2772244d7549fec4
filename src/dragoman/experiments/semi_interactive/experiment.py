"""``dragoman reproduce semi-interactive``: the tables and figures of Xu et al. 2021.

REPORT/table-2.csv ...     the numbers of the tables
REPORT/figure-3.png .csv   the figures, and the numbers they are drawn from
REPORT/clicks.tsv.gz       the simulated click log
REPORT/runs/               one file and one model for every training; a second call repeats none
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.semi_interactive.click_simulation import SimulatedLog, simulate
from dragoman.experiments.semi_interactive.plan import (
    INTERACT,
    NON,
    SEMI,
    Context,
    Part,
    Run,
    Scale,
    planned,
    swept,
    upper_limit,
)
from dragoman.experiments.semi_interactive.rerank import Stages, second_stage
from dragoman.experiments.semi_interactive.runs import (
    Material,
    Relevant,
    Result,
    encoder_digest,
    perform,
)
from dragoman.experiments.semi_interactive.task import RelevanceTask, read_task
from dragoman.experiments.semi_interactive.timing import Timing, timed
from dragoman.protocols import Stage, no_stages
from dragoman.storage.staging import write_lines
from dragoman.systems.semi_interactive import mined_queries, ready_made_queries
from dragoman.systems.semi_interactive.training import training_steps
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split
from dragoman.text.formats import clicks as click_logs

RUNS, LOG, TIMINGS, SECOND = "runs", "clicks.tsv.gz", "timings.json", "second.json"
TIMED = (INTERACT, NON, SEMI)


@dataclass(frozen=True, slots=True)
class MinedFacts:
    """What the simulated log is like, and what was mined from it."""

    queries: int
    impressions: int
    clicks: int
    documents: float  # the share of the documents that have mined queries
    right: float  # the share of mined queries whose users had that very document in mind


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was measured, and on what."""

    material: Material
    scale: Scale
    parts: Mapping[Part, Sequence[Run]]
    results: Mapping[str, Result]
    timings: Mapping[str, Timing]
    mined: MinedFacts | None
    second: Stages | None

    @property
    def task(self) -> RelevanceTask:
        """What was asked."""
        return self.material.task

    def of(self, part: Part) -> dict[str, Result]:
        """The results of a part, in its order."""
        return {run.name: self.results[run.name] for run in self.parts[part]}

    def sweep(self, part: Part) -> dict[float, Result]:
        """The results of a part by what was varied, in order."""
        found = {swept(run, part): self.results[run.name] for run in self.parts[part]}
        return dict(sorted(found.items()))


def reproduce(
    source: str | Path,
    encoder: Path,
    folder: Path,
    scale: Scale,
    *,
    supervised: Sequence[str] = (),
    parts: Sequence[Part] = tuple(Part),
    sentence_teacher: str = "",
    stage: Stage = no_stages,
) -> Outcome:
    """Train and measure everything that ``parts`` name; pages and figures are the caller's."""
    stage("reading", None)
    collection = Collection.open(source)
    task = read_task(collection, scale.task, supervised)
    contexts: dict[Context, Relevant] = {Context.READY_MADE: _ready_made(task, scale)}
    facts = None
    if Part.MINED in parts:
        stage("simulating clicks", None)
        contexts[Context.MINED], facts = _mined(task, scale, folder)
    runs, digest = folder / RUNS, encoder_digest(encoder)
    material = Material(task, contexts, encoder, digest)
    every = planned(scale, sentence_teacher)
    chosen = {part: every[part] for part in every if part in parts}
    pairs = len(material.examples(task.asked[Split.TRAIN], Context.READY_MADE))
    wanted = {run.name: run for part in chosen.values() for run in part}
    wanted = {INTERACT: upper_limit(scale), **wanted}
    results: dict[str, Result] = {}
    for name, run in wanted.items():
        advance = stage(f"training {name}", training_steps(pairs, run.config))
        results[name] = perform(run, material, scale, runs, advance)
    stage("timing", None)
    models = {name: wanted[name].model_in(runs) for name in TIMED if name in wanted}

    def measured_times() -> dict[str, Any]:
        found = timed(models, material, scale.timed)
        return {name: asdict(one) for name, one in found.items()}

    kept = _kept(runs / TIMINGS, _made_by(results, TIMED), measured_times)
    timings = {name: Timing(**one) for name, one in kept.items()}
    second = None
    if Part.RERANK in parts:
        advance = stage("second stage", None)
        model, of = models[INTERACT], [_made_by(results, (INTERACT,)), scale.reranked]
        second = _kept(
            runs / SECOND, of, lambda: second_stage(task, model, scale.reranked, advance)
        )
    return Outcome(material, scale, chosen, results, timings, facts, second)


def _ready_made(task: RelevanceTask, scale: Scale) -> Relevant:
    """The titles of the documents' items in the languages with supervision, none that is asked."""
    pages = [page for item in task.items.values() for page in item.pages.values()]
    rng = np.random.default_rng(scale.task.seed)
    most = len(task.supervised)
    found = ready_made_queries(
        pages, most=most, languages=task.supervised, excluded=task.evaluated, rng=rng
    )
    kept = {item.document.doc_id for item in task.items.values()}
    return {doc_id: queries for doc_id, queries in found.items() if doc_id in kept}


def _mined(task: RelevanceTask, scale: Scale, folder: Path) -> tuple[Relevant, MinedFacts]:
    log = simulate(list(task.items.values()), task.supervised, scale.clicks)
    folder.mkdir(parents=True, exist_ok=True)
    click_logs.write_tsv(folder / LOG, log.clicks)
    most = 2 * scale.base.relevant_queries  # enough without those in any one language
    relevant = mined_queries(
        log.clicks, most=most, languages=task.supervised, excluded=task.evaluated
    )
    used = {doc_id: queries[: scale.base.relevant_queries] for doc_id, queries in relevant.items()}
    return relevant, _facts(task, log, used)


def _facts(task: RelevanceTask, log: SimulatedLog, relevant: Relevant) -> MinedFacts:
    right = [
        log.wanted[query.language, query.text] == doc_id.partition(":")[2]
        for doc_id, queries in relevant.items()
        for query in queries
    ]
    return MinedFacts(
        queries=len(log.wanted),
        impressions=sum(click.impressions for click in log.clicks),
        clicks=sum(click.clicks for click in log.clicks),
        documents=len(relevant) / len(task.items),
        right=float(np.mean(right)) if right else 0.0,
    )


def _made_by(results: Mapping[str, Result], names: Sequence[str]) -> dict[str, Any]:
    return {name: results[name].settings for name in names if name in results}


def _kept(path: Path, of: object, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What an earlier call measured on the same models; or a new measurement.

    Timings would be blurred by another load, and a second stage takes long.
    """
    wanted = json.loads(json.dumps(of))
    if path.is_file():
        saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if saved["of"] == wanted:
            measured: dict[str, Any] = saved["measured"]
            return measured
    found = measure()
    with write_lines(path) as stream:
        stream.write(json.dumps({"of": wanted, "measured": found}) + "\n")
    return found
