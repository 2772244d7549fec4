"""``dragoman reproduce searcher``: Tables 1 and 2 of Barry et al. 2020 on tasks built here.

REPORT/results.csv            every row of every language
REPORT/claims.csv             the claims, with differences, intervals and p-values
REPORT/convergence.csv        held-out values by epoch, of pre-training and training
REPORT/reliability-XX.csv     calibration of the best SEARCHER row, before and after scaling (.png)
REPORT/learnt/                lexicons and word vectors of the baselines
REPORT/runs/                  one file and one model for every row, reused by a second call
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.searcher import apertium, baselines
from dragoman.experiments.searcher.plan import SearcherScale, searcher_configs
from dragoman.experiments.searcher.runs import (
    RAW,
    DetectionRun,
    cached_run,
    lexical_run,
    searcher_run,
)
from dragoman.experiments.searcher.task import ENGLISH, DetectionTask, from_bitext, from_collection
from dragoman.experiments.searcher.values import (
    CalibrationResult,
    DetectionValue,
    calibrate_run,
    evaluate_run,
    fuse_runs,
)
from dragoman.protocols import Advance, Stage, no_stages
from dragoman.systems.searcher.config import SearcherConfig

RUNS, RESOURCES = "runs", "learnt"
FUSION = "searcher + psq"


@dataclass(frozen=True, slots=True)
class SearcherReproduction:
    """Everything measured for one language."""

    task: DetectionTask
    values: tuple[DetectionValue, ...]
    runs: Mapping[str, DetectionRun]
    calibration: CalibrationResult
    skipped: Mapping[str, str] = field(default_factory=dict)  # row -> why it did not run


def make_task(
    data: Path, language: str, scale: SearcherScale, collections: Sequence[Path] = ()
) -> DetectionTask:
    """A task of the first collection that has pages in the language, else of held-out bitext."""
    bitext = data / "bitext" / f"{ENGLISH}-{language}.tsv.gz"
    if not bitext.is_file():
        raise InputError(data, None, found=f"no bitext/{bitext.name}", expected="one per language")
    for folder in collections:
        if any(f"{ENGLISH}-{language}." in path.name for path in (folder / "bitext").glob("*")):
            return from_collection(
                folder, language, [bitext], scale.documents, scale.queries, scale.pairs
            )
    return from_bitext(bitext, language, scale.documents, scale.queries, scale.pairs)


def reproduce(
    task: DetectionTask, folder: Path, scale: SearcherScale, stage: Stage = no_stages
) -> SearcherReproduction:
    """Every row on one task; the runs in ``folder`` are reused."""
    stage(f"{task.language}: baselines", None)
    runs = {run.name: run for run in _baseline_runs(task, folder)}
    skipped = {}
    if reason := apertium.why_unavailable(task.language, ENGLISH):
        skipped["apertium"] = reason
    for name, config in searcher_configs(scale).items():

        def perform(name: str = name, config: SearcherConfig = config) -> DetectionRun:
            def stage_of_row(what: str, total: int | None) -> Advance:
                return stage(f"{task.language}, {name}: {what}", total)

            return searcher_run(name, task, config, folder / RUNS, stage_of_row)

        runs[name] = cached_run(name, config.as_settings(), task, folder / RUNS, perform)
    values = [evaluate_run(run, task) for run in runs.values()]
    best = runs[best_searcher(values)]
    runs[FUSION] = fuse_runs(FUSION, best, runs["psq"], task)
    values.append(evaluate_run(runs[FUSION], task))
    return SearcherReproduction(task, tuple(values), runs, calibrate_run(best, task), skipped)


def best_searcher(values: Sequence[DetectionValue]) -> str:
    """The SEARCHER row with the highest value on the development queries."""
    rows = [one for one in values if one.name.startswith("searcher-")]
    return max(rows, key=lambda one: one.development).name


def _baseline_runs(task: DetectionTask, folder: Path) -> Iterator[DetectionRun]:
    resources = baselines.learn_resources(task, folder / RESOURCES)

    def cached(name: str, score: Callable[[], baselines.Scores]) -> DetectionRun:
        return cached_run(name, {}, task, folder / RUNS, lambda: lexical_run(name, score()))

    yield cached_run(
        "threshold",
        {},
        task,
        folder / RUNS,
        lambda: DetectionRun("threshold", {}, {RAW: baselines.threshold(task, resources)}, 0.0),
    )
    translated = cached(
        "document translation", lambda: baselines.document_translation(task, resources)
    )
    yield translated
    source = cached("query translation", lambda: baselines.query_translation(task, resources))
    yield source
    yield lexical_run(
        "document translation + source",
        baselines.with_source(translated.variants[RAW], source.variants[RAW]),
    )
    if not apertium.why_unavailable(task.language, ENGLISH):
        engine = cached("apertium", lambda: baselines.machine_translation(task))
        yield engine
        both = baselines.with_source(engine.variants[RAW], source.variants[RAW])
        yield lexical_run("apertium + source", both)
    yield cached("psq", lambda: baselines.psq(task, resources))
