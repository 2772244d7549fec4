"""Reliability diagrams and learning curves as pictures; needs the extra ``plots``."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dragoman.experiments.searcher.experiment import SearcherReproduction
from dragoman.experiments.searcher.runs import held_out_precision

INCHES, DPI = (4.2, 4.0), 150


def draw(folder: Path, results: Sequence[SearcherReproduction]) -> list[Path]:
    """Two pictures per language."""
    return [
        path for result in results for path in (reliability(folder, result), curves(folder, result))
    ]


def reliability(folder: Path, result: SearcherReproduction) -> Path:
    """Predicted against observed shares, before and after scaling."""
    figure = Figure(figsize=INCHES, layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, label="calibrated")
    calibration = result.calibration
    for label, one in (("before", calibration.before), ("after", calibration.after)):
        filled = one.counts > 0
        sizes = 12 + 30 * np.log10(one.counts[filled]) / np.log10(one.counts.sum())
        axes.plot(one.predicted[filled], one.observed[filled], linewidth=1)
        axes.scatter(
            one.predicted[filled],
            one.observed[filled],
            s=sizes,
            label=f"{label}, error {one.expected_error:.4f}",
        )
    axes.set(xlabel="predicted probability", ylabel="share that is relevant")
    axes.set_title(f"{result.task.language}: {calibration.name}", fontsize=9)
    axes.legend(fontsize=8)
    path = folder / f"reliability-{result.task.language}.png"
    figure.savefig(path, dpi=DPI)
    return path


def curves(folder: Path, result: SearcherReproduction) -> Path:
    """Average precision on held-out pairs by epoch, the mean over seeds of every training."""
    figure = Figure(figsize=INCHES, layout="constrained")
    axes = figure.subplots()
    for name, runs in result.runs.items():
        if values := held_out_precision(runs):
            axes.plot(range(1, len(values) + 1), values, marker="o", linewidth=1, label=name)
    axes.set(xlabel="epoch", ylabel="AP on held-out pairs")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(result.task.language, fontsize=9)
    axes.legend(fontsize=6)
    path = folder / f"convergence-{result.task.language}.png"
    figure.savefig(path, dpi=DPI)
    return path
