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
    ALIGNED,
    DEPTH_ROWS,
    RANDOM,
    SearcherScale,
    depth_row,
    resized_configs,
    searcher_configs,
)
from dragoman.systems.searcher.config import SearcherModelConfig
from dragoman.types import FloatArray

FEWEST = 10  # items of a probe; with fewer it is not settled
MAXIMUM = "searcher-max"
PROBES = ("polysemy", "synonymy", "bias", "uncertainty")

_Pair = tuple[FloatArray, FloatArray]  # values of items, and their reference


def probe_gains(
    results: Sequence[SearcherReproduction], scale: SearcherScale
) -> Iterator[ClaimedGain]:
    """The claims of sections 4, 5 and 7 in the languages that have enough items."""
    deepest = depth_row(ALIGNED, max(scale.depths), scale)
    yield _gain(
        "Figure 4: in context, the meanings of a word are told apart",
        "polysemy, area",
        results,
        frozenset({deepest}),
        lambda result: _with_chance(probe_values(result, deepest, "polysemy")),
    )
    yield _gain(
        "Figure 5: synonyms have similar vectors",
        "synonymy, area",
        results,
        frozenset({RANDOM}),
        lambda result: _with_chance(probe_values(result, RANDOM, "synonymy")),
    )
    yield _gain(
        "Terms in denser neighbourhoods have lower biases",
        "minus Spearman's correlation",
        results,
        frozenset({RANDOM}),
        lambda result: (-(values := probe_values(result, RANDOM, "bias")), np.zeros_like(values)),
    )
    yield _gain(
        "Max pooling gives sharper probabilities than softmax pooling",
        "less entropy, bits",
        results,
        frozenset({RANDOM, MAXIMUM}),
        lambda result: (
            probe_values(result, RANDOM, "uncertainty"),
            probe_values(result, MAXIMUM, "uncertainty"),
        ),
    )


def _with_chance(areas: FloatArray) -> _Pair:
    """Areas under the curve, and those of a coin."""
    return areas, np.full_like(areas, 0.5)


def _gain(
    text: str,
    measure: str,
    results: Sequence[SearcherReproduction],
    rows: frozenset[str],
    measured: Callable[[SearcherReproduction], _Pair],
) -> ClaimedGain:
    """The claim in the languages where its rows were trained."""
    pairs = {
        result.task.language: measured(result) for result in results if rows <= result.runs.keys()
    }
    enough = {language: both for language, both in pairs.items() if len(both[0]) >= FEWEST}
    return ClaimedGain(text, measure, enough)


def probe_values(result: SearcherReproduction, row: str, name: str) -> FloatArray:
    """The values of one probe of one row, item by item, the means over seeds.

    Items are those of the task, so they are the same for all seeds, unless the training pairs of a
    seed lack a term that the held-out pairs have: then the items of all seeds are pooled.
    """
    by_seed = _by_seed(result, row, name)
    if len({len(values) for values in by_seed}) > 1:
        return np.concatenate(by_seed)
    mean: FloatArray = np.mean(by_seed, axis=0)
    return mean


def _by_seed(result: SearcherReproduction, row: str, name: str) -> list[FloatArray]:
    return [np.array(probes[name], dtype=np.float64) for probes in _probes(result, row)]


def _probes(result: SearcherReproduction, row: str) -> list[Mapping[str, Any]]:
    """The probes of every seed."""
    return [run.facts["probes"] for run in result.runs[row]]


def probe_table(result: SearcherReproduction, scale: SearcherScale) -> list[str]:
    """What the models of a language are like, by initial vectors, depth and pooling."""
    measured = {one.name: one for one in (*result.values, *result.resized)}
    lines = [
        "| model | size | blocks | AQWV | AP | polysemy | synonymy | bias and density |"
        " given frequency | entropy |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, model in _models(scale).items():
        value = measured[name]
        given = np.mean([probes["bias_given_frequency"] for probes in _probes(result, name)])
        cells = [
            name.removesuffix(f"-{model.blocks}-blocks").removesuffix(f"-size-{model.size}"),
            str(model.size),
            str(model.blocks),
            with_range(value.actual_by_seed),
            f"{value.average_precision:.3f}",
            _probe_cell(result, name, "polysemy"),
            _mean(probe_values(result, name, "synonymy")),
            _probe_cell(result, name, "bias"),
            f"{given:+.3f}",
            _mean(probe_values(result, name, "uncertainty")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", _items(result, scale)]


def with_range(values: Sequence[float]) -> str:
    """The mean, with the lowest and the highest where there are several values."""
    mean = f"{np.mean(values):.3f}"
    return f"{mean} ({min(values):.2f} to {max(values):.2f})" if len(values) > 1 else mean


def _probe_cell(result: SearcherReproduction, row: str, name: str) -> str:
    """The mean of a probe over items and seeds, with its range over seeds."""
    means = [float(values.mean()) for values in _by_seed(result, row, name) if len(values)]
    return with_range(means) if means else "–"


def _models(scale: SearcherScale) -> dict[str, SearcherModelConfig]:
    """Every row and its architecture, those of increasing depth first."""
    every = {**searcher_configs(scale), **resized_configs(scale)}
    by_depth = [depth_row(start, depth, scale) for start in DEPTH_ROWS for depth in scale.depths]
    names = dict.fromkeys([*(name for name in by_depth if name in every), *every])
    return {name: every[name].model for name in names}


def _mean(values: FloatArray) -> str:
    return f"{values.mean():.3f}" if len(values) else "–"


def _items(result: SearcherReproduction, scale: SearcherScale) -> str:
    """The numbers of items, and some ambiguous words."""
    row = next(iter(_models(scale)))
    synonyms, terms, measured = (
        len(probe_values(result, row, name)) for name in ("synonymy", "bias", "uncertainty")
    )
    words = "; ".join(_frequent_words(result, depth_row(ALIGNED, max(scale.depths), scale)))
    frequent = f", the most frequent ones with their area: {words}" if words else ""
    return (
        f"Probes: {len(result.ambiguous)} ambiguous words{frequent}. {synonyms} pairs of synonyms,"
        f" {terms:,} terms with a bias, {measured:,} terms with probabilities."
    )


def _frequent_words(result: SearcherReproduction, row: str) -> list[str]:
    """The most frequent ambiguous words with their areas by a row; none where it is missing."""
    if row not in result.runs:
        return []
    areas = probe_values(result, row, "polysemy")
    shown = sorted(
        zip(result.ambiguous, areas, strict=True),
        key=lambda one: -min(map(len, one[0].occurrences)),
    )[:5]
    return [f"{one.word}: {one.terms[0]}, {one.terms[1]} ({area:.2f})" for one, area in shown]


def write_probes(
    folder: Path, results: Sequence[SearcherReproduction], scale: SearcherScale
) -> None:
    """Every value of every probe as CSV."""
    rows = [
        (result.task.language, name, model.size, model.blocks, seed, probe, number, f"{value:.6f}")
        for result in results
        for name, model in _models(scale).items()
        for probe in PROBES
        for seed, values in enumerate(_by_seed(result, name, probe))
        for number, value in enumerate(values.tolist())
    ]
    header = ("language", "system", "size", "blocks", "seed", "probe", "item", "value")
    write_csv(folder / "probes.csv", header, rows)
