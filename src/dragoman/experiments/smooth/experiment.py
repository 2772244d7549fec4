"""``dragoman reproduce smooth``: the tables and figures of Liu et al. 2020 on any collection.

REPORT/report.html         everything, with settings and intervals
REPORT/table-2.csv ...     the numbers of the tables
REPORT/figure-1.png .csv   the figures, and the numbers they are drawn from
REPORT/runs/               one file for every training; a second call does not repeat them
"""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import torch

import dragoman
from dragoman.errors import UserError
from dragoman.experiments.claims import Claim, write_claims
from dragoman.experiments.smooth import figures
from dragoman.experiments.smooth.claims import smooth_claims
from dragoman.experiments.smooth.plan import (
    Part,
    Scale,
    architectures,
    epsilons,
    losses,
    negatives,
    untrained,
)
from dragoman.experiments.smooth.runs import Result, Run, perform, performed_before
from dragoman.experiments.smooth.tables import AVERAGE, Table, compare, write_table
from dragoman.protocols import Stage, no_stages
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.job import load_vectors
from dragoman.systems.smooth.material import Material, read_material
from dragoman.systems.smooth.words import Reader
from dragoman.text.collection import Collection

RUNS = "runs"
TABLES = {Part.LOSSES: (2, "loss"), Part.ARCHITECTURES: (3, "architecture")}
LABELS = {
    "loss-sosl": "SOSL",
    "loss-three-part": "3-part",
    "loss-mse": "MSE",
    "loss-po": "PO",
    "loss-po-steep": "steep PO",
    "untrained": "first vectors",
    "architecture-cnn": "CNN",
    "architecture-lstm": "LSTM",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was measured, and on what."""

    material: Material
    languages: str
    scale: Scale
    vectors: Mapping[str, int]  # how many word vectors were given, by language
    tables: Mapping[Part, Table]
    claims: Mapping[Part, Sequence[Claim]]
    results: Mapping[Part, Mapping[str, Result]]

    def labelled(self, part: Part) -> dict[str, Result]:
        """The results of a part by the names that people read, in the order of the paper."""
        return labelled(part, self.results[part])

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
    scale: Scale,
    *,
    languages: tuple[str, str] | None = None,
    parts: Sequence[Part] = tuple(Part),
    vectors: Sequence[str] = (),
    only_done: bool = False,
    stage: Stage = no_stages,
) -> Outcome:
    """Train and measure everything, and write tables and figures; the report is the caller's.

    ``only_done`` trains nothing: what ``folder`` does not keep has no row.
    """
    reader = Reader(SmoothConfig().model)
    whole = read_material(Collection.open(source), reader, languages, stage("reading", None))
    material = whole.fewer(scale.queries)
    given = load_vectors(vectors, material)
    advance = stage("trainings", None)

    def performed(runs: Sequence[Run]) -> dict[str, Result]:
        if not only_done:
            return {run.name: perform(run, material, given, folder / RUNS, advance) for run in runs}
        kept = {run.name: performed_before(run, material, given, folder / RUNS) for run in runs}
        return {name: result for name, result in kept.items() if result is not None}

    sosl, *others = losses(scale)
    base = performed([sosl])  # its thresholds are those of the other parts
    if not base:
        raise UserError(
            f"{folder}: found no training with SOSL of this scale, collection and vectors, which"
            " all tables begin with; leave --only-done out."
        )
    thresholds = base[sosl.name].thresholds
    runs = {
        Part.LOSSES: [*others, untrained(scale)],
        Part.ARCHITECTURES: architectures(scale, thresholds),
        Part.EPSILON: epsilons(scale),
        Part.NEGATIVES: negatives(scale, thresholds),
    }
    results = {part: found for part in runs if part in parts and (found := performed(runs[part]))}
    for part in TABLES.keys() & results.keys():
        results[part] = base | results[part]
    searched = sorted({code for code, _ in material.documents})
    tables = _tables(results, searched[0] if len(searched) == 1 else "")
    for part, table in tables.items():
        write_table(folder / f"table-{TABLES[part][0]}.csv", table)
    claims = {part: smooth_claims(labelled(part, results[part])) for part in tables}
    write_claims(folder / "claims.csv", [claim for one in claims.values() for claim in one])
    _draw(folder, results)
    asked = sorted({code for code, _ in material.queries})
    pair = f"{','.join(asked)}-{','.join(searched)}"
    sizes = {code: len(one) for code, one in given.items()}
    return Outcome(material, pair, scale, sizes, tables, claims, results)


def _tables(results: Mapping[Part, Mapping[str, Result]], language: str) -> dict[Part, Table]:
    return {
        part: compare(f"Table {number}: {title}", labelled(part, results[part]), language)
        for part, (number, title) in TABLES.items()
        if part in results
    }


def labelled(part: Part, results: Mapping[str, Result]) -> dict[str, Result]:
    """Results by the names that people read, in the order of the paper.

    What is SOSL among losses is average pooling among architectures.
    """
    labels = LABELS | ({"loss-sosl": AVERAGE} if part is Part.ARCHITECTURES else {})
    return {label: results[name] for name, label in labels.items() if name in results}


def _draw(folder: Path, results: Mapping[Part, Mapping[str, Result]]) -> None:
    figures.gradient_heat(folder)
    figures.loss_curves(folder)
    if Part.LOSSES in results:
        figures.score_densities(folder, labelled(Part.LOSSES, results[Part.LOSSES]))
    for part, name, label in (
        (Part.EPSILON, "figure-4", "epsilon"),
        (Part.NEGATIVES, "figure-5", "negatives"),
    ):
        if part in results:
            swept = {float(key.rpartition("-")[2]): one for key, one in results[part].items()}
            figures.sweep(folder, name, label, swept)
