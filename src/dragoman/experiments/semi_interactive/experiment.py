"""``dragoman reproduce semi-interactive``: the tables and figures of Xu et al. 2021.

REPORT/table-2.csv ...     the numbers of the tables
REPORT/claims.csv          the claims, with differences, intervals and p-values
REPORT/figure-3.png .csv   the figures and their numbers
REPORT/clicks.tsv.gz       the simulated click log
REPORT/runs/               one file and one model for every training, reused by a second call
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.errors import InputError
from dragoman.experiments.run_cache import load_result, save_result
from dragoman.experiments.semi_interactive.click_simulation import SimulatedLog, simulate
from dragoman.experiments.semi_interactive.plan import (
    DEFAULT_PARTS,
    INTERACT,
    NON,
    SEMI,
    QueryContext,
    QueryWording,
    RelevancePart,
    RelevanceTraining,
    chosen_trainings,
    swept_value,
    upper_limit,
)
from dragoman.experiments.semi_interactive.published_items import read_published_items
from dragoman.experiments.semi_interactive.rerank import StageValues, measure_stages
from dragoman.experiments.semi_interactive.runs import (
    RelevanceData,
    RelevanceTrainingResult,
    RelevantQueries,
    encoder_digest,
    is_trained,
    run_training,
)
from dragoman.experiments.semi_interactive.scales import RelevanceScale
from dragoman.experiments.semi_interactive.task import (
    RelevanceTask,
    ask_by_lead_sentences,
    make_task,
    read_task,
)
from dragoman.experiments.semi_interactive.timing import InferenceTiming, time_models
from dragoman.protocols import Stage, no_stages
from dragoman.systems.semi_interactive import mined_queries, ready_made_queries
from dragoman.systems.semi_interactive.training import training_steps
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split
from dragoman.text.formats import clicks as click_logs

RUNS, LOG, TIMINGS, STAGES = "runs", "clicks.tsv.gz", "timings.json", "second.json"
TIMED = (INTERACT, NON, SEMI)


@dataclass(frozen=True, slots=True)
class MinedStatistics:
    """The size of the simulated log, and the quality of the queries mined from it."""

    queries: int
    impressions: int
    clicks: int
    documents: float  # the share of documents that have mined queries
    right: float  # the share of mined queries whose users wanted that very document


@dataclass(frozen=True, slots=True)
class RelevanceReproduction:
    """Everything that was measured, and the data."""

    data: RelevanceData
    scale: RelevanceScale
    parts: Mapping[RelevancePart, Sequence[RelevanceTraining]]
    trainings: Mapping[str, RelevanceTrainingResult]
    timings: Mapping[str, InferenceTiming]
    mined: MinedStatistics | None
    stages: StageValues | None

    @property
    def task(self) -> RelevanceTask:
        """The task of all trainings."""
        return self.data.task

    def of(self, part: RelevancePart) -> dict[str, RelevanceTrainingResult]:
        """The results of a part, in its order."""
        return {run.name: self.trainings[run.name] for run in self.parts[part]}

    def sweep(self, part: RelevancePart) -> dict[float, RelevanceTrainingResult]:
        """The results of a part by the value of the varied setting, in ascending order."""
        results = {swept_value(run, part): self.trainings[run.name] for run in self.parts[part]}
        return dict(sorted(results.items()))


def reproduce(
    source: str | Path,
    encoder: Path,
    folder: Path,
    scale: RelevanceScale,
    *,
    supervised: Sequence[str] = (),
    parts: Sequence[RelevancePart] = DEFAULT_PARTS,
    sentence_teacher: str = "",
    only_done: bool = False,
    stage: Stage = no_stages,
) -> RelevanceReproduction:
    """Train and measure everything in ``parts``; the caller writes tables and figures.

    With ``only_done`` nothing is trained: parts that earlier calls have not trained are left out.
    """
    stage("reading", None)
    if items := read_published_items(Path(source)):
        task = make_task(Path(source).resolve().name, items, scale.task, supervised)
    else:
        task = read_task(Collection.open(source), scale.task, supervised)
    contexts: dict[QueryContext, RelevantQueries] = {
        QueryContext.READY_MADE: _ready_made(task, scale)
    }
    mined = None
    if RelevancePart.MINED in parts:
        stage("simulating clicks", None)
        contexts[QueryContext.MINED], mined = _mined(task, scale, folder)
    data = RelevanceData(task, contexts, encoder, encoder_digest(encoder))
    by_wording = {QueryWording.TITLES: data}
    if RelevancePart.SENTENCES in parts:
        by_wording[QueryWording.LEAD_SENTENCES] = replace(data, task=ask_by_lead_sentences(task))
    chosen = chosen_trainings(scale, parts, sentence_teacher, languages=len(task.supervised))
    runs = folder / RUNS
    wanted = {INTERACT: upper_limit(scale)}
    if only_done:
        if not is_trained(wanted[INTERACT], data, scale, runs):
            raise InputError(
                runs, None, found=f"no {INTERACT} with these settings",
                expected="what an earlier call has trained",
            )  # fmt: skip
        chosen = _trained_parts(
            chosen, lambda run: is_trained(run, by_wording[run.queries], scale, runs)
        )
    wanted |= {run.name: run for trainings in chosen.values() for run in trainings}
    pairs = len(data.examples(task.queries[Split.TRAIN], QueryContext.READY_MADE))
    results: dict[str, RelevanceTrainingResult] = {}
    for name, run in wanted.items():
        steps = training_steps(pairs, run.config, scale.validations)
        advance = stage(f"training {name}", steps)
        results[name] = run_training(run, by_wording[run.queries], scale, runs, advance)
    stage("timing", None)
    models = {name: wanted[name].model_in(runs) for name in TIMED if name in wanted}

    def measure_timings() -> dict[str, Any]:
        timings = time_models(models, data, scale.timed)
        return {name: asdict(one) for name, one in timings.items()}

    saved = _cached(runs / TIMINGS, _settings_of(results, TIMED), measure_timings)
    timings = {name: InferenceTiming(**one) for name, one in saved.items()}
    stages = None
    if RelevancePart.RERANK in chosen:
        advance = stage("second stage", None)
        settings = {**_settings_of(results, (INTERACT,)), "queries": scale.reranked}
        stages = _cached(
            runs / STAGES,
            settings,
            lambda: measure_stages(task, models[INTERACT], scale.reranked, advance),
        )
    return RelevanceReproduction(data, scale, chosen, results, timings, mined, stages)


def _trained_parts(
    parts: Mapping[RelevancePart, Sequence[RelevanceTraining]],
    trained: Callable[[RelevanceTraining], bool],
) -> dict[RelevancePart, list[RelevanceTraining]]:
    """The parts that are trained as a whole, and those of the repetitions that are."""
    done = {part: [run for run in some if trained(run)] for part, some in parts.items()}
    return {
        part: some
        for part, some in done.items()
        if some and (len(some) == len(parts[part]) or part is RelevancePart.REPEATED)
    }


def _ready_made(task: RelevanceTask, scale: RelevanceScale) -> RelevantQueries:
    """The titles of the documents' items in the languages with supervision, no evaluated query."""
    pages = [page for item in task.items.values() for page in item.pages.values()]
    rng = np.random.default_rng(scale.task.seed)
    most = len(task.supervised)
    relevant = ready_made_queries(
        pages, most=most, languages=task.supervised, excluded=task.evaluated, rng=rng
    )
    documents = {item.document.doc_id for item in task.items.values()}
    return {doc_id: queries for doc_id, queries in relevant.items() if doc_id in documents}


def _mined(
    task: RelevanceTask, scale: RelevanceScale, folder: Path
) -> tuple[RelevantQueries, MinedStatistics]:
    log = simulate(list(task.items.values()), task.supervised, scale.clicks)
    folder.mkdir(parents=True, exist_ok=True)
    click_logs.write_tsv(folder / LOG, log.clicks)
    most = 2 * scale.base.relevant_queries  # enough without those in any one language
    relevant = mined_queries(
        log.clicks, most=most, languages=task.supervised, excluded=task.evaluated
    )
    used = {doc_id: queries[: scale.base.relevant_queries] for doc_id, queries in relevant.items()}
    return relevant, _mined_statistics(task, log, used)


def _mined_statistics(
    task: RelevanceTask, log: SimulatedLog, relevant: RelevantQueries
) -> MinedStatistics:
    right = [
        log.wanted[query.language, query.text] == doc_id.partition(":")[2]
        for doc_id, queries in relevant.items()
        for query in queries
    ]
    return MinedStatistics(
        queries=len(log.wanted),
        impressions=sum(click.impressions for click in log.clicks),
        clicks=sum(click.clicks for click in log.clicks),
        documents=len(relevant) / len(task.items),
        right=float(np.mean(right)) if right else 0.0,
    )


def _settings_of(
    results: Mapping[str, RelevanceTrainingResult], names: Sequence[str]
) -> dict[str, Any]:
    return {name: results[name].settings for name in names if name in results}


def _cached(
    path: Path, settings: Mapping[str, Any], measure: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The measurement of an earlier call on the same models; or a new one.

    Timings would be blurred by another load, and a second stage takes long.
    """
    if (saved := load_result(path, {"settings": settings})) is not None:
        measured: dict[str, Any] = saved["measured"]
        return measured
    measured = measure()
    save_result(path, {"settings": settings, "measured": measured})
    return measured
