"""``dragoman reproduce smooth``: the tables and figures of Liu et al. 2020 on any collection.

REPORT/report.html         everything, with settings and intervals
REPORT/table-2.csv ...     the numbers of the tables
REPORT/figure-1.png .csv   the figures, and the numbers they are drawn from
REPORT/runs/               one file for every training; a second call does not repeat them
"""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import torch

import dragoman
from dragoman.experiments import smooth_figures as figures
from dragoman.experiments.smooth_plan import (
    Part,
    Scale,
    architectures,
    epsilons,
    losses,
    negatives,
)
from dragoman.experiments.smooth_runs import Result, Run, fewer_queries, perform
from dragoman.experiments.smooth_tables import Table, compare, write_csv
from dragoman.protocols import Advance, silent
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.job import load_vectors
from dragoman.systems.smooth.material import SPLITS, Material, read_material
from dragoman.systems.smooth.words import Reader
from dragoman.text.collection import Collection

RUNS = "runs"
LABELS = {
    "loss-sosl": "SOSL",
    "loss-three-part": "3-part",
    "loss-mse": "MSE",
    "loss-po": "PO",
    "architecture-cnn": "CNN",
    "architecture-lstm": "LSTM",
}

# told what begins and how many steps it has; gives back what to call with every step done
Stage = Callable[[str, int | None], Advance]


def unannounced(name: str, total: int | None) -> Advance:
    """A ``Stage`` that tells nobody."""
    del name, total
    return silent


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was measured, and on what."""

    material: Material
    languages: str
    scale: Scale
    vectors: Mapping[str, int]  # how many word vectors were given, by language
    tables: tuple[Table, ...]
    results: Mapping[Part, Mapping[str, Result]]

    def facts(self) -> dict[str, object]:
        """What must be equal for two reports to be comparable."""
        sizes = {
            split: f"{len(set(pairs.queries.tolist())):,} queries, {len(pairs):,} pairs"
            for split, pairs in self.material.pairs.items()
        }
        return {
            "collection": self.material.name,
            "languages": self.languages,
            "documents": f"{len(self.material.documents):,}",
            **sizes,
            "scale": self.scale.name,
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
    scale: Scale,
    *,
    languages: tuple[str, str] | None = None,
    parts: Sequence[Part] = tuple(Part),
    vectors: Sequence[str] = (),
    stage: Stage = unannounced,
) -> Outcome:
    """Train and measure everything, and write tables and figures; the report is the caller's."""
    reader = Reader(SmoothConfig().model)
    whole = read_material(Collection.open(source), reader, languages, stage("reading", None))
    material = fewer_queries(whole, {split: scale.queries[split] for split in SPLITS})
    given = load_vectors(vectors, material)
    advance = stage("trainings", None)

    def performed(runs: Sequence[Run]) -> dict[str, Result]:
        return {run.name: perform(run, material, given, folder / RUNS, advance) for run in runs}

    sosl, *others = losses(scale)
    results: dict[Part, dict[str, Result]] = {}
    base = performed([sosl])  # its thresholds are those of the other parts
    thresholds = base[sosl.name].thresholds
    if Part.LOSSES in parts:
        results[Part.LOSSES] = base | performed(others)
    if Part.ARCHITECTURES in parts:
        results[Part.ARCHITECTURES] = base | performed(architectures(scale, thresholds))
    if Part.EPSILON in parts:
        results[Part.EPSILON] = performed(epsilons(scale))
    if Part.NEGATIVES in parts:
        results[Part.NEGATIVES] = performed(negatives(scale, thresholds))
    searched = sorted({code for code, _ in material.documents})
    tables = _tables(results, searched[0] if len(searched) == 1 else "")
    for number, table in tables.items():
        write_csv(folder / f"table-{number}.csv", table)
    _draw(folder, results)
    asked = sorted({code for code, _ in material.queries})
    pair = f"{','.join(asked)}-{','.join(searched)}"
    sizes = {code: len(one) for code, one in given.items()}
    return Outcome(material, pair, scale, sizes, tuple(tables.values()), results)


def _tables(results: Mapping[Part, Mapping[str, Result]], language: str) -> dict[int, Table]:
    found = {}
    for number, part, title in (
        (2, Part.LOSSES, "loss"),
        (3, Part.ARCHITECTURES, "architecture"),
    ):
        if part in results:
            named = {LABELS[name]: result for name, result in results[part].items()}
            first = {"SOSL": named["SOSL"]}
            order = [name for name in LABELS.values() if name in named]
            rows = first | {name: named[name] for name in order}
            found[number] = compare(f"Table {number}: {title}", rows, language)
    return found


def _draw(folder: Path, results: Mapping[Part, Mapping[str, Result]]) -> None:
    figures.gradient_heat(folder)
    figures.loss_curves(folder)
    if Part.LOSSES in results:
        named = {LABELS[name]: result for name, result in results[Part.LOSSES].items()}
        figures.score_densities(folder, named)
    for part, name, label in (
        (Part.EPSILON, "figure-4", "epsilon"),
        (Part.NEGATIVES, "figure-5", "negatives"),
    ):
        if part in results:
            swept = {float(key.rpartition("-")[2]): one for key, one in results[part].items()}
            figures.sweep(folder, name, label, swept)
