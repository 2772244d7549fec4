"""Reliability diagrams as pictures; needs the extra ``plots``."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from dragoman.experiments.searcher.experiment import SearcherReproduction

INCHES, DPI = (4.2, 4.0), 150


def draw(folder: Path, results: Sequence[SearcherReproduction]) -> list[Path]:
    """One picture per language: predicted against observed shares, before and after scaling."""
    written = []
    for result in results:
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
        written.append(path)
    return written
