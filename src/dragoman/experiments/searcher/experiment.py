"""``dragoman reproduce searcher``: Tables 1 and 2 of Barry et al. 2020 on tasks built here.

REPORT/results.csv            every row of every language
REPORT/claims.csv             the claims, with differences, intervals and p-values
REPORT/convergence.csv        held-out values by epoch, of pre-training and training (.png)
REPORT/probes.csv             the probes of every model, item by item
REPORT/reliability-XX.csv     calibration of the best SEARCHER row, before and after scaling (.png)
REPORT/learnt/                lexicons and word vectors of the baselines
REPORT/runs/                  one file and one model for every row, reused by a second call
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.searcher import apertium, baselines
from dragoman.experiments.searcher.fusion import fuse_runs
from dragoman.experiments.searcher.meanings import AmbiguousWord
from dragoman.experiments.searcher.neural_translation import neural_translation_run
from dragoman.experiments.searcher.normalization import ENGLISH
from dragoman.experiments.searcher.plan import (
    SearcherScale,
    depth_configs,
    searcher_configs,
    translation_config,
)
from dragoman.experiments.searcher.probes import probe_items
from dragoman.experiments.searcher.runs import RAW, DetectionRun, cached_run, searcher_run
from dragoman.experiments.searcher.score_tables import Scores
from dragoman.experiments.searcher.task import DetectionTask, from_bitext, from_collection
from dragoman.experiments.searcher.values import (
    CalibrationResult,
    DetectionValue,
    calibrate_run,
    evaluate_run,
)
from dragoman.protocols import Advance, Stage, no_stages
from dragoman.systems.searcher.config import SearcherConfig

RUNS, RESOURCES = "runs", "learnt"
ORACLE, PSQ, NEURAL = "oracle", "psq", "neural translation"
SOURCE, WITH_PSQ = " + source", " + psq"
TRANSLATED = ("document translation", NEURAL, "apertium")
FUSION = f"searcher{WITH_PSQ}"
ONE_SENTENCE = "searcher, one sentence"


@dataclass(frozen=True, slots=True)
class SearcherReproduction:
    """Everything measured for one language."""

    task: DetectionTask
    values: tuple[DetectionValue, ...]
    depths: tuple[DetectionValue, ...]  # of SEARCHER with other numbers of blocks
    runs: Mapping[str, DetectionRun]
    ambiguous: tuple[AmbiguousWord, ...]  # of the probe of polysemy
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
    runs = {run.name: run for run in _baseline_runs(task, folder, scale, stage)}
    skipped = {}
    if reason := apertium.why_unavailable(task.language, ENGLISH):
        skipped["apertium"] = reason
    items = probe_items(task)
    depths = depth_configs(scale)
    for name, config in {**searcher_configs(scale), **depths}.items():

        def perform(name: str = name, config: SearcherConfig = config) -> DetectionRun:
            return searcher_run(
                name, task, config, folder / RUNS, items, _of_row(stage, task, name)
            )

        runs[name] = cached_run(name, config.as_settings(), task, folder / RUNS, perform)
    stage(f"{task.language}: values", None)
    values = {name: evaluate_run(run, task) for name, run in runs.items()}
    by_depth = tuple(values.pop(name) for name in depths)
    best = runs[best_searcher(list(values.values()))]
    for derived in (_by_one_sentence(best), *_fused_runs(runs, best, task)):
        runs[derived.name] = derived
        values[derived.name] = evaluate_run(derived, task)
    return SearcherReproduction(
        task,
        tuple(values.values()),
        by_depth,
        runs,
        items.ambiguous,
        calibrate_run(best, task),
        skipped,
    )


def _by_one_sentence(run: DetectionRun) -> DetectionRun:
    """The same row with the paper's score of a document: one sentence for the whole query."""
    variants = {name: {**scores, **run.one_sentence[name]} for name, scores in run.variants.items()}
    return replace(run, name=ONE_SENTENCE, variants=variants)


def _of_row(stage: Stage, task: DetectionTask, name: str) -> Stage:
    """Stages of one row, under its language and name."""

    def stage_of_row(what: str, total: int | None) -> Advance:
        return stage(f"{task.language}, {name}: {what}", total)

    return stage_of_row


def best_searcher(values: Sequence[DetectionValue]) -> str:
    """The SEARCHER row with the highest value on the development queries."""
    rows = [one for one in values if one.name.startswith("searcher-")]
    return max(rows, key=lambda one: one.development).name


def _fused_runs(
    runs: Mapping[str, DetectionRun], best: DetectionRun, task: DetectionTask
) -> Iterator[DetectionRun]:
    """Every baseline joined with psq, and the best SEARCHER, all in the same way."""
    for name, run in list(runs.items()):
        if name not in (ORACLE, PSQ) and not name.startswith("searcher"):
            yield fuse_runs(f"{name}{WITH_PSQ}", run, runs[PSQ], task)
    yield fuse_runs(FUSION, best, runs[PSQ], task)


def _baseline_runs(
    task: DetectionTask, folder: Path, scale: SearcherScale, stage: Stage
) -> Iterator[DetectionRun]:
    """The rows that are not SEARCHER's; "+ source" after every translation of documents."""
    resources = baselines.learn_resources(task, folder / RESOURCES)

    def cached(name: str, score: Callable[[], Scores]) -> DetectionRun:
        return cached_run(
            name, {}, task, folder / RUNS, lambda: DetectionRun(name, {}, {RAW: score()}, 0.0)
        )

    yield cached(ORACLE, lambda: baselines.oracle(task))
    yield cached("threshold", lambda: baselines.threshold(task, resources))
    source = cached("query translation", lambda: baselines.query_translation(task, resources))
    yield source
    translated = [
        cached("document translation", lambda: baselines.document_translation(task, resources)),
        _neural_translation(task, folder, scale, resources, stage),
    ]
    if not apertium.why_unavailable(task.language, ENGLISH):
        translated.append(cached("apertium", lambda: baselines.machine_translation(task)))
    for run in translated:
        yield run
        both = baselines.with_source(run.variants[RAW], source.variants[RAW])
        yield DetectionRun(f"{run.name}{SOURCE}", {}, both, 0.0)
    yield cached(PSQ, lambda: baselines.psq(task, resources))


def _neural_translation(
    task: DetectionTask,
    folder: Path,
    scale: SearcherScale,
    resources: baselines.BaselineResources,
    stage: Stage,
) -> DetectionRun:
    config = translation_config(scale)
    home = folder / RUNS / f"{task.language}-{task.training_fingerprint}" / "translation"
    return cached_run(
        NEURAL,
        config.as_settings(),
        task,
        folder / RUNS,
        lambda: neural_translation_run(
            NEURAL, task, config, resources, home, _of_row(stage, task, NEURAL)
        ),
    )
