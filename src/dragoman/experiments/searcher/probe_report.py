"""Probes of SEARCHER's models -> claims, a table by depth, and CSV.

Each claim has one primary measure and one row, fixed before any was measured: polysemy by the
deepest encoder from aligned vectors, the best trained one; synonymy from random vectors, because
aligned ones have it before they are trained; biases and probabilities from random vectors, as in
the paper.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.claims import ClaimedGain
from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.searcher.experiment import SearcherReproduction
from dragoman.experiments.searcher.plan import (
    DEPTH_ROWS,
    SearcherScale,
    depth_row,
    searcher_configs,
)
from dragoman.types import FloatArray

FEWEST = 10  # items of a probe; with fewer it is not settled
RANDOM, ALIGNED = DEPTH_ROWS
MAXIMUM = "searcher-max"
PROBES = ("polysemy", "synonymy", "bias", "uncertainty")

_Measured = Callable[[SearcherReproduction], tuple[FloatArray, FloatArray]]  # and its reference


def probe_gains(
    results: Sequence[SearcherReproduction], scale: SearcherScale
) -> Iterator[ClaimedGain]:
    """The claims of sections 4, 5 and 7 in the languages that have enough items."""
    deepest = depth_row(ALIGNED, max(scale.depths), scale)
    yield _gain(
        "Figure 4: in context, the meanings of a word are told apart",
        "polysemy, area",
        results,
        lambda result: _with_chance(probe_values(result, deepest, "polysemy")),
    )
    yield _gain(
        "Figure 5: synonyms have similar vectors",
        "synonymy, area",
        results,
        lambda result: _with_chance(probe_values(result, RANDOM, "synonymy")),
    )
    yield _gain(
        "Terms in denser neighbourhoods have lower biases",
        "minus Spearman's correlation",
        results,
        lambda result: (-(values := probe_values(result, RANDOM, "bias")), np.zeros_like(values)),
    )
    yield _gain(
        "Max pooling gives sharper probabilities than softmax pooling",
        "less entropy, bits",
        results,
        lambda result: (
            probe_values(result, RANDOM, "uncertainty"),
            probe_values(result, MAXIMUM, "uncertainty"),
        ),
    )


def _with_chance(areas: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Areas under the curve, and those of a coin."""
    return areas, np.full_like(areas, 0.5)


def _gain(
    text: str, measure: str, results: Sequence[SearcherReproduction], measured: _Measured
) -> ClaimedGain:
    pairs = {result.task.language: measured(result) for result in results}
    enough = {language: both for language, both in pairs.items() if len(both[0]) >= FEWEST}
    return ClaimedGain(text, measure, enough)


def probe_values(result: SearcherReproduction, row: str, name: str) -> FloatArray:
    """The values of one probe of one model, item by item."""
    return np.array(_probes(result, row)[name], dtype=np.float64)


def _probes(result: SearcherReproduction, row: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = result.runs[row].facts["probes"]
    return found


def probe_table(result: SearcherReproduction, scale: SearcherScale) -> list[str]:
    """What the models of a language are like, by initial vectors, depth and pooling."""
    measured = {one.name: one for one in (*result.values, *result.depths)}
    lines = [
        "| model | blocks | AQWV | AP | polysemy | synonymy | bias and density |"
        " given frequency | entropy |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, blocks in _rows(scale).items():
        value = measured[name]
        cells = [_mean(probe_values(result, name, probe)) for probe in PROBES]
        cells.insert(3, f"{_probes(result, name)['bias_given_frequency']:+.3f}")
        start = name.removesuffix(f"-{blocks}-blocks")
        lines.append(
            f"| {start} | {blocks} | {value.actual:.3f} | {value.average_precision:.3f} |"
            f" {' | '.join(cells)} |"
        )
    return [*lines, "", _items(result, scale)]


def _rows(scale: SearcherScale) -> dict[str, int]:
    """Every model by its number of blocks."""
    rows = {
        depth_row(start, blocks, scale): blocks for start in DEPTH_ROWS for blocks in scale.depths
    }
    return {**rows, **dict.fromkeys(searcher_configs(scale), scale.config.model.blocks)}


def _mean(values: FloatArray) -> str:
    return f"{values.mean():.3f}" if len(values) else "–"


def _items(result: SearcherReproduction, scale: SearcherScale) -> str:
    """The numbers of items, and some ambiguous words."""
    synonyms, terms, measured = (
        len(probe_values(result, RANDOM, name)) for name in ("synonymy", "bias", "uncertainty")
    )
    deepest = probe_values(result, depth_row(ALIGNED, max(scale.depths), scale), "polysemy")
    shown = sorted(
        zip(result.ambiguous, deepest, strict=True),
        key=lambda one: -min(map(len, one[0].occurrences)),
    )[:5]
    words = "; ".join(
        f"{one.word}: {one.terms[0]}, {one.terms[1]} ({area:.2f})" for one, area in shown
    )
    frequent = f", the most frequent ones with their area: {words}" if words else ""
    return (
        f"Probes: {len(deepest)} ambiguous words{frequent}. {synonyms} pairs of synonyms, {terms:,}"
        f" terms with a bias, {measured:,} terms with probabilities."
    )


def write_probes(
    folder: Path, results: Sequence[SearcherReproduction], scale: SearcherScale
) -> None:
    """Every value of every probe as CSV."""
    rows = [
        (result.task.language, name, blocks, probe, number, f"{value:.6f}")
        for result in results
        for name, blocks in _rows(scale).items()
        for probe in PROBES
        for number, value in enumerate(probe_values(result, name, probe).tolist())
    ]
    header = ("language", "system", "blocks", "probe", "item", "value")
    write_csv(folder / "probes.csv", header, rows)
