"""``dragoman reproduce searcher``: Tables 1 and 2 of Barry et al. 2020 on tasks built here.

REPORT/results.csv            every row of every language, by seed and their mean
REPORT/claims.csv             the claims, with differences, intervals and p-values
REPORT/convergence.csv        held-out values by epoch, of pre-training and training (.png)
REPORT/probes.csv             the probes of every model, item by item
REPORT/reliability-XX.csv     calibration of the best SEARCHER row, before and after scaling (.png)
REPORT/learnt/                lexicons and word vectors of the baselines
REPORT/runs/                  one file and one model for every row, reused by a second call
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dragoman.errors import ConfigError, InputError
from dragoman.experiments.searcher import apertium, baselines
from dragoman.experiments.searcher.fusion import fuse_runs
from dragoman.experiments.searcher.meanings import AmbiguousWord
from dragoman.experiments.searcher.neural_translation import neural_translation_run
from dragoman.experiments.searcher.normalization import ENGLISH
from dragoman.experiments.searcher.plan import (
    PREFIX,
    SearcherRow,
    SearcherScale,
    resized_configs,
    searcher_configs,
    seed_name,
    translation_config,
)
from dragoman.experiments.searcher.probes import ProbeItems, probe_items
from dragoman.experiments.searcher.runs import RAW, DetectionRun, cached_run, searcher_run
from dragoman.experiments.searcher.score_tables import Scores
from dragoman.experiments.searcher.task import (
    DetectionTask,
    TrainingPairs,
    from_bitext,
    from_collection,
)
from dragoman.experiments.searcher.values import (
    CalibrationResult,
    DetectionValue,
    RowValues,
    calibrate_run,
    evaluate_row,
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

RowRuns = Mapping[str, Sequence[DetectionRun]]  # row -> its runs, one for every seed


@dataclass(frozen=True, slots=True)
class SearcherReproduction:
    """Everything measured for one language."""

    task: DetectionTask
    values: tuple[RowValues, ...]
    resized: tuple[RowValues, ...]  # of SEARCHER with another depth or width
    runs: RowRuns
    ambiguous: tuple[AmbiguousWord, ...]  # of the probe of polysemy
    calibration: CalibrationResult  # of the best SEARCHER row's first seed
    skipped: Mapping[str, str] = field(default_factory=dict)  # row -> why it did not run


def make_task(
    data: Path,
    language: str,
    scale: SearcherScale,
    collections: Sequence[Path] = (),
    origin: TrainingPairs = TrainingPairs.BOTH,
) -> DetectionTask:
    """A task of the first collection that has pages in the language, else of held-out bitext."""
    bitext = data / "bitext" / f"{ENGLISH}-{language}.tsv.gz"
    if not bitext.is_file():
        raise InputError(data, None, found=f"no bitext/{bitext.name}", expected="one per language")
    for folder in collections:
        if any(f"{ENGLISH}-{language}." in path.name for path in (folder / "bitext").glob("*")):
            return from_collection(
                folder, language, [bitext], scale.documents, scale.queries, scale.pairs, origin
            )
    if origin is not TrainingPairs.BOTH:
        raise ConfigError(
            f"{language}: found no --collection with pages in this language; expected one, of whose"
            f" pairs the {origin} ones are taken"
        )
    return from_bitext(bitext, language, scale.documents, scale.queries, scale.pairs)


def reproduce(
    task: DetectionTask, folder: Path, scale: SearcherScale, stage: Stage = no_stages
) -> SearcherReproduction:
    """Every row on one task; the runs in ``folder`` are reused."""
    stage(f"{task.language}: baselines", None)
    runs = {run.name: [run] for run in _baseline_runs(task, folder, scale, stage)}
    skipped = {}
    if reason := apertium.why_unavailable(task.language, ENGLISH):
        skipped["apertium"] = reason
    values = {name: evaluate_row(name, some, task) for name, some in runs.items()}
    items = probe_items(task)
    evaluated = _evaluated(_searcher_runs(task, folder, scale, items, stage), task)
    for row, seeds in evaluated.items():
        runs[row] = [run for run, _ in seeds]
        values[row] = RowValues(row, tuple(value for _, value in seeds))
    stage(f"{task.language}: values", None)
    resized = tuple(values.pop(name) for name in resized_configs(scale))
    chosen = SearcherRow(best_searcher(list(values.values())).removeprefix(PREFIX))
    again = _searcher_runs(task, folder, replace(scale, rows=(chosen,)), items, stage)
    best = [run for _, run in again]
    derived = {ONE_SENTENCE: list(map(_by_one_sentence, best)), **_fused_runs(runs, best, task)}
    for name, some in derived.items():
        values[name] = evaluate_row(name, some, task)
        runs[name] = [run.without_scores() for run in some]
    return SearcherReproduction(
        task,
        tuple(values.values()),
        resized,
        runs,
        items.ambiguous,
        calibrate_run(best[0], task),
        skipped,
    )


def _evaluated(
    runs: Iterable[tuple[str, DetectionRun]], task: DetectionTask
) -> dict[str, list[tuple[DetectionRun, DetectionValue]]]:
    """The runs and values of every row, seed by seed.

    Scores are not kept: those of a run at full scale take a gigabyte.
    """
    rows: dict[str, list[tuple[DetectionRun, DetectionValue]]] = {}
    for row, run in runs:
        rows.setdefault(row, []).append((run.without_scores(), evaluate_run(run, task)))
    return rows


def _searcher_runs(
    task: DetectionTask, folder: Path, scale: SearcherScale, items: ProbeItems, stage: Stage
) -> Iterator[tuple[str, DetectionRun]]:
    """The runs of SEARCHER by row, seed by seed: an interrupted call lacks seeds, not rows.

    Other depths and widths have one seed.
    """
    every = searcher_configs(scale)
    for seed in range(scale.seeds):
        configs = every if seed else {**every, **resized_configs(scale)}
        for row, first in configs.items():
            name, config = seed_name(row, seed), first.with_seed(seed)

            def perform(name: str = name, config: SearcherConfig = config) -> DetectionRun:
                return searcher_run(
                    name, task, config, folder / RUNS, items, _of_row(stage, task, name)
                )

            yield row, cached_run(name, config.as_settings(), task, folder / RUNS, perform)


def _by_one_sentence(run: DetectionRun) -> DetectionRun:
    """The same row with the paper's score of a document: one sentence for the whole query."""
    variants = {name: {**scores, **run.one_sentence[name]} for name, scores in run.variants.items()}
    return replace(run, name=ONE_SENTENCE, variants=variants)


def _of_row(stage: Stage, task: DetectionTask, name: str) -> Stage:
    """Stages of one row, under its language and name."""

    def stage_of_row(what: str, total: int | None) -> Advance:
        return stage(f"{task.language}, {name}: {what}", total)

    return stage_of_row


def best_searcher(values: Sequence[RowValues]) -> str:
    """The SEARCHER row with the highest value on the development queries."""
    rows = [one for one in values if one.name.startswith(PREFIX)]
    return max(rows, key=lambda one: one.development).name


def _fused_runs(
    runs: RowRuns, best: Sequence[DetectionRun], task: DetectionTask
) -> dict[str, list[DetectionRun]]:
    """Every baseline joined with psq, and every seed of the best SEARCHER, all in the same way."""
    (psq,) = runs[PSQ]
    joined = {
        f"{name}{WITH_PSQ}": some
        for name, some in runs.items()
        if name not in (ORACLE, PSQ) and not name.startswith(PREFIX)
    }
    return {
        name: [fuse_runs(name, run, psq, task) for run in some]
        for name, some in {**joined, FUSION: best}.items()
    }


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
