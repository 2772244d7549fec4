"""``dragoman reproduce searcher``: Tables 1 and 2 of Barry et al. 2020 on tasks built here.

REPORT/results.csv            every row of every language
REPORT/convergence.csv        held-out values by epoch, from nothing and after pre-training
REPORT/reliability-XX.csv     calibration of the best SEARCHER row, before and after scaling (.png)
REPORT/learnt/                lexicons and word vectors of the baselines
REPORT/runs/                  one file and one model for every row; a second call repeats none
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.searcher import apertium, baselines
from dragoman.experiments.searcher.runs import (
    RAW,
    Result,
    kept,
    lexical_result,
    searcher_result,
    searchers,
)
from dragoman.experiments.searcher.task import ENGLISH, DetectionTask, from_bitext, from_collection
from dragoman.experiments.searcher.values import Calibrated, Value, calibrated, fused, valued
from dragoman.protocols import Stage, no_progress, no_stages
from dragoman.systems.searcher.config import ModelConfig, PretrainConfig, SearcherConfig
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig

RUNS, LEARNT = "runs", "learnt"
FUSION = "searcher + psq"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """How large tasks and models are."""

    name: str
    documents: int
    queries: int  # that test; more of them tune
    pairs: int | None  # of bitext at most
    config: SearcherConfig
    pretrain: PretrainConfig

    def __str__(self) -> str:
        """For people."""
        model, train = self.config.model, self.config.train
        pairs = f"at most {self.pairs:,}" if self.pairs else "all"
        return (
            f"{self.name}: size {model.size}, {model.blocks} blocks, at most {train.epochs} epochs,"
            f" learning rate {train.learning_rate:g}, pre-training {self.pretrain.train.epochs}"
            f" epochs, {pairs} pairs of bitext, at most {self.documents:,} documents"
        )


SCALES: Mapping[str, Scale] = {
    "tiny": Scale(
        name="tiny",
        documents=60,
        queries=20,
        pairs=2_000,
        config=SearcherConfig(
            model=ModelConfig(size=32, blocks=1),
            train=TrainConfig(epochs=2, learning_rate=0.005),
            batch=BatchConfig(size=32),
            held_out=100,
        ),
        pretrain=PretrainConfig(train=TrainConfig(epochs=1, learning_rate=0.005), words=1_000),
    ),
    "small": Scale(
        name="small",
        documents=400,
        queries=100,
        pairs=8_000,
        config=SearcherConfig(
            model=ModelConfig(size=64, blocks=2),
            train=TrainConfig(epochs=5, learning_rate=0.003, decay=0.8, max_gradient_norm=1.0),
        ),
        pretrain=PretrainConfig(
            train=TrainConfig(epochs=2, learning_rate=0.004, decay=0.8, max_gradient_norm=1.0),
            words=4_000,
        ),
    ),
    "full": Scale(
        name="full",
        documents=800,
        queries=250,
        pairs=None,
        config=SearcherConfig(),
        pretrain=PretrainConfig(),
    ),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was measured for one language."""

    task: DetectionTask
    values: tuple[Value, ...]
    results: Mapping[str, Result]
    calibration: Calibrated
    skipped: Mapping[str, str] = field(default_factory=dict)  # row -> why it did not run


def make_task(
    data: Path, language: str, scale: Scale, collections: Sequence[Path] = ()
) -> DetectionTask:
    """A task of the first collection that has pages in the language, else of held-out bitext."""
    bitext = data / "bitext" / f"{ENGLISH}-{language}.tsv.gz"
    if not bitext.is_file():
        raise InputError(data, None, found=f"no bitext/{bitext.name}", expected="one a language")
    for folder in collections:
        if any(f"{ENGLISH}-{language}." in path.name for path in (folder / "bitext").glob("*")):
            return from_collection(
                folder, language, [bitext], scale.documents, scale.queries, scale.pairs
            )
    return from_bitext(bitext, language, scale.documents, scale.queries, scale.pairs)


def measure(task: DetectionTask, folder: Path, scale: Scale, stage: Stage = no_stages) -> Outcome:
    """Every row on one task; those in ``folder`` are not run again."""
    stage(f"{task.language}: baselines", None)
    results = {one.name: one for one in _baselines(task, folder)}
    skipped = {}
    if reason := apertium.missing(task.language, ENGLISH):
        skipped["apertium"] = reason
    for name, config in searchers(scale.config, scale.pretrain).items():

        def perform(name: str = name, config: SearcherConfig = config) -> Result:
            def told(what: str, total: int | None) -> Callable[..., None]:
                return stage(f"{task.language}, {name}: {what}", total)

            return searcher_result(name, task, config, folder / RUNS, told)

        results[name] = kept(name, config.as_settings(), task, folder / RUNS, perform)
    values = [valued(result, task) for result in results.values()]
    best = results[best_searcher(values)]
    results[FUSION] = fused(FUSION, best, results["psq"], task)
    values.append(valued(results[FUSION], task))
    return Outcome(task, tuple(values), results, calibrated(best, task), skipped)


def best_searcher(values: Sequence[Value]) -> str:
    """The SEARCHER row that the development queries like best; never told of the test."""
    rows = [one for one in values if one.name.startswith("searcher-")]
    return max(rows, key=lambda one: one.development).name


def _baselines(task: DetectionTask, folder: Path) -> Iterator[Result]:
    learnt = baselines.learn_once(task, folder / LEARNT)

    def row(name: str, perform: Callable[[], Result]) -> Result:
        return kept(name, {}, task, folder / RUNS, perform, no_progress)

    yield row(
        "threshold",
        lambda: Result("threshold", {}, {RAW: baselines.threshold(task, learnt)}, 0.0),
    )
    translated = row(
        "document translation",
        lambda: lexical_result(
            "document translation", baselines.document_translation(task, learnt)
        ),
    )
    yield translated
    source = row(
        "query translation",
        lambda: lexical_result("query translation", baselines.query_translation(task, learnt)),
    )
    yield source
    yield lexical_result(
        "document translation + source",
        baselines.with_source(translated.variants[RAW], source.variants[RAW]),
    )
    if not apertium.missing(task.language, ENGLISH):
        engine = row(
            "apertium", lambda: lexical_result("apertium", baselines.machine_translation(task))
        )
        yield engine
        both = baselines.with_source(engine.variants[RAW], source.variants[RAW])
        yield lexical_result("apertium + source", both)
    yield row("psq", lambda: lexical_result("psq", baselines.psq(task, learnt)))
