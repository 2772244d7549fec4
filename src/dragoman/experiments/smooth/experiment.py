"""``dragoman reproduce smooth``: the tables and figures of Liu et al. 2020 on any collection.

REPORT/report.html         everything, with settings and intervals
REPORT/table-2.csv ...     the numbers of the tables
REPORT/authors.csv         those of the readings of the paper
REPORT/claims.csv          the claims, with differences, intervals and p-values
REPORT/stability.csv       the short trainings: values, norms of gradients, losses
REPORT/figure-1.png .csv   the figures and their numbers
REPORT/runs/               one file for every training, reused by a second call
"""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import torch

import dragoman
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import UserError
from dragoman.experiments.claims import Claim, write_claims
from dragoman.experiments.smooth import figures
from dragoman.experiments.smooth.claims import (
    authors_claims,
    smooth_claims,
    stability_claims,
)
from dragoman.experiments.smooth.plan import (
    SmoothPart,
    SmoothScale,
    architectures,
    authors,
    epsilons,
    losses,
    negatives,
    printed,
    stability,
    untrained,
)
from dragoman.experiments.smooth.runs import (
    SmoothTraining,
    SmoothTrainingResult,
    run_training,
    saved_result,
)
from dragoman.experiments.smooth.seeds import SeededResults, mean_over_seeds, with_seed
from dragoman.experiments.smooth.stability_runs import (
    FirstVectors,
    StabilityResult,
    StabilityTraining,
    run_stability,
)
from dragoman.experiments.smooth.stability_tables import stability_rows, write_stability
from dragoman.experiments.smooth.tables import (
    AS_CODED,
    AS_PRINTED,
    AVERAGE,
    LSTM_AS_PRINTED,
    LSTM_OURS,
    OURS,
    SmoothTable,
    compare_results,
    write_table,
)
from dragoman.protocols import Advance, Stage, no_stages
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.pipeline import load_vectors
from dragoman.systems.smooth.training_data import (
    TRAIN,
    SmoothTrainingData,
    read_training_data,
)
from dragoman.systems.smooth.vocabulary import SmoothTokenizer
from dragoman.text.collections.published import open_graded

RUNS = "runs"
TABLES = {  # file and title
    SmoothPart.LOSSES: ("table-2.csv", "Table 2: loss"),
    SmoothPart.ARCHITECTURES: ("table-3.csv", "Table 3: architecture"),
    SmoothPart.AUTHORS: ("authors.csv", "As printed, as coded, ours"),
}
LABELS = {
    "loss-sosl": "SOSL",
    "loss-three-part": "3-part",
    "loss-mse": "MSE",
    "loss-po": "PO",
    "loss-po-steep": "steep PO",
    "untrained": "first vectors",
    "printed-sosl": "SOSL, targets as printed",
    "printed-three-part": "3-part, targets as printed",
    "printed-mse": "MSE, targets as printed",
    "printed-po": "PO, targets as printed",
    "architecture-cnn": "CNN",
    "architecture-lstm": "LSTM",
}
READINGS = {
    "loss-sosl": OURS,
    "printed-sosl": AS_PRINTED,
    "coded-sosl": AS_CODED,
    "architecture-lstm": LSTM_OURS,
    "printed-lstm": LSTM_AS_PRINTED,
}


@dataclass(frozen=True, slots=True)
class SmoothReproduction:
    """Everything that was measured, and the data."""

    data: SmoothTrainingData
    languages: str
    scale: SmoothScale
    vectors: Mapping[str, int]  # number of given word vectors, by language
    tables: Mapping[SmoothPart, SmoothTable]
    claims: Mapping[SmoothPart, Sequence[Claim]]
    trainings: Mapping[SmoothPart, Mapping[str, SmoothTrainingResult]]
    seeded: SeededResults  # the rows of Table 2 by label, seed by seed
    stability: Mapping[StabilityTraining, StabilityResult]

    def labelled(self, part: SmoothPart) -> dict[str, SmoothTrainingResult]:
        """The results of a part by their labels, in the order of the paper."""
        return labelled(part, self.trainings[part])

    def facts(self) -> dict[str, object]:
        """Settings, data and versions, which must be equal for two reports to be comparable."""
        sizes = {
            split: f"{len(set(pairs.queries.tolist())):,} queries, {len(pairs):,} pairs"
            for split, pairs in self.data.pairs.items()
        }
        return {
            "collection": self.data.name,
            "languages": self.languages,
            "documents": f"{len(self.data.documents):,}",
            **sizes,
            "scale": f"{self.scale.name}: {self.scale}",
            "first vectors": self.vectors or "N(0, 1), the same for words spelt alike",
            "dragoman": dragoman.__version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
        }


def reproduce(
    source: str | Path,
    folder: Path,
    scale: SmoothScale,
    *,
    languages: tuple[str, str] | None = None,
    parts: Sequence[SmoothPart] = tuple(SmoothPart),
    vectors: Sequence[str] = (),
    only_done: bool = False,
    stage: Stage = no_stages,
) -> SmoothReproduction:
    """Train and measure everything, and write tables and figures; the caller writes the report.

    With ``only_done`` nothing is trained: only results in ``folder`` have a row.
    """
    reader = SmoothTokenizer(SmoothConfig().model)
    collection = open_graded(source, languages)
    whole = read_training_data(collection, reader, languages, stage("reading", None))
    data = whole.limit_queries(scale.queries)
    given = load_vectors(vectors, data)
    for one in given.values():
        scale = replace(scale, dimension=one.dimension)
    runner = _Runner(data, given, folder / RUNS, only_done, stage("trainings", None))
    results = runner.tables_and_sweeps(scale, parts)
    seeded = runner.repeat(results.get(SmoothPart.LOSSES, {}), scale)
    if seeded:
        averaged = {name: mean_over_seeds(some) for name, some in seeded.items()}
        results[SmoothPart.LOSSES] = averaged
    short = runner.short_trainings(scale) if SmoothPart.STABILITY in parts else {}
    searched = sorted({code for code, _ in data.documents})
    language = searched[0] if len(searched) == 1 else ""
    tables = _tables(results, language)
    for part, table in tables.items():
        write_table(folder / TABLES[part][0], table)
    claims = {part: _claims(part, labelled(part, results[part]), language) for part in tables}
    if short:
        write_stability(folder / "stability.csv", short)
        claims[SmoothPart.STABILITY] = stability_claims(stability_rows(short))
    query_languages = sorted({code for code, _ in data.queries})
    pair = f"{','.join(query_languages)}-{','.join(searched)}"
    write_claims(folder / "claims.csv", [claim for one in claims.values() for claim in one])
    _draw(folder, results)
    sizes = {code: len(one) for code, one in given.items()}
    by_label = {LABELS[name]: some for name, some in seeded.items()}
    return SmoothReproduction(data, pair, scale, sizes, tables, claims, results, by_label, short)


@dataclass(frozen=True, slots=True)
class _Runner:
    """Trains on one collection, or only reads what has been trained."""

    data: SmoothTrainingData
    vectors: Mapping[str, WordVectors]
    folder: Path
    only_done: bool
    advance: Advance

    @property
    def has_lengths(self) -> bool:
        """Whether there are given vectors, all with the lengths of their file."""
        lengths = [one.lengths for one in self.vectors.values()]
        return bool(lengths) and all(one is not None for one in lengths)

    def run(self, runs: Sequence[SmoothTraining]) -> dict[str, SmoothTrainingResult]:
        """The results by name."""
        where = (self.data, self.vectors, self.folder)
        if not self.only_done:
            return {run.name: run_training(run, *where, self.advance) for run in runs}
        saved = {run.name: saved_result(run, *where) for run in runs}
        return {name: result for name, result in saved.items() if result is not None}

    def tables_and_sweeps(
        self, scale: SmoothScale, parts: Sequence[SmoothPart]
    ) -> dict[SmoothPart, dict[str, SmoothTrainingResult]]:
        """The results of all parts but the short trainings."""
        if set(parts) <= {SmoothPart.STABILITY}:
            return {}
        sosl, *others = losses(scale)
        base = self.run([sosl])  # its thresholds are those of the other parts
        if not base:
            raise UserError(
                f"{self.folder.parent}: found no training with SOSL of this scale, collection and"
                " vectors, which all tables begin with; leave --only-done out."
            )
        thresholds = base[sosl.name].thresholds
        runs = {
            SmoothPart.LOSSES: [*others, untrained(scale)],
            SmoothPart.PRINTED: printed(scale),
            SmoothPart.ARCHITECTURES: architectures(scale, thresholds),
            SmoothPart.AUTHORS: authors(scale, thresholds, own_lengths=self.has_lengths),
            SmoothPart.EPSILON: epsilons(scale),
            SmoothPart.NEGATIVES: negatives(scale, thresholds),
        }
        results = {part: some for part in runs if part in parts and (some := self.run(runs[part]))}
        if SmoothPart.PRINTED in results:  # rows of the same table
            compared = results.pop(SmoothPart.PRINTED)
            results[SmoothPart.LOSSES] = {**results.get(SmoothPart.LOSSES, {}), **compared}
        for part in TABLES.keys() & results.keys():
            results[part] = base | results[part]
        return results

    def repeat(
        self, results: Mapping[str, SmoothTrainingResult], scale: SmoothScale
    ) -> dict[str, list[SmoothTrainingResult]]:
        """The rows of Table 2 with all seeds; first vectors that are not trained have one."""
        runs = {run.name: run for run in (*losses(scale), *printed(scale))}
        seeded = {name: [first] for name, first in results.items()}
        for seed in range(scale.seed + 1, scale.seed + scale.seeds):
            for name in filter(runs.get, results):
                again = self.run([with_seed(runs[name], results[name], seed)])
                seeded[name] += again.values()
        return seeded

    def short_trainings(self, scale: SmoothScale) -> dict[StabilityTraining, StabilityResult]:
        """One epoch for every setting, from the first vectors that there are."""
        first = [FirstVectors.DRAWN]
        if self.vectors:
            first += [FirstVectors.GIVEN, FirstVectors.SHORT]
        if self.has_lengths:
            first.append(FirstVectors.OWN)
        return run_stability(
            stability(scale, first),
            self.data.limit_queries({TRAIN: scale.stability.queries}),
            self.vectors,
            self.folder,
            only_done=self.only_done,
            advance=self.advance,
        )


def _tables(
    results: Mapping[SmoothPart, Mapping[str, SmoothTrainingResult]], language: str
) -> dict[SmoothPart, SmoothTable]:
    return {
        part: compare_results(title, labelled(part, results[part]), language)
        for part, (_, title) in TABLES.items()
        if part in results
    }


def _claims(
    part: SmoothPart, results: Mapping[str, SmoothTrainingResult], language: str
) -> list[Claim]:
    if part is SmoothPart.AUTHORS:
        return authors_claims(results)
    return smooth_claims(results, language)


def labelled(
    part: SmoothPart, results: Mapping[str, SmoothTrainingResult]
) -> dict[str, SmoothTrainingResult]:
    """Results by their labels, in the order of the paper.

    The training with SOSL in Table 2 is the one with average pooling in Table 3.
    """
    if part is SmoothPart.AUTHORS:
        labels = READINGS
    else:
        labels = LABELS | ({"loss-sosl": AVERAGE} if part is SmoothPart.ARCHITECTURES else {})
    return {label: results[name] for name, label in labels.items() if name in results}


def _draw(folder: Path, results: Mapping[SmoothPart, Mapping[str, SmoothTrainingResult]]) -> None:
    figures.gradient_heat(folder)
    figures.loss_curves(folder)
    if SmoothPart.LOSSES in results:
        figures.score_densities(folder, labelled(SmoothPart.LOSSES, results[SmoothPart.LOSSES]))
    for part, name, label in (
        (SmoothPart.EPSILON, "figure-4", "epsilon"),
        (SmoothPart.NEGATIVES, "figure-5", "negatives"),
    ):
        if part in results:
            swept = {float(key.rpartition("-")[2]): one for key, one in results[part].items()}
            figures.sweep(folder, name, label, swept)
