"""Figures 3 and 4 of the paper, each as PNG and CSV; needs ``plots``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.semi_interactive.experiment import RelevanceReproduction
from dragoman.experiments.semi_interactive.plan import RelevancePart
from dragoman.experiments.semi_interactive.report import SWEEPS, swept_areas
from dragoman.experiments.semi_interactive.runs import DOCUMENT
from dragoman.experiments.semi_interactive.space import RepresentationSpace

INCHES, DOTS = 4.0, 130
COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2")
DOCUMENT_COLOUR = "#555555"

Points = Sequence[tuple[float, float]]  # value of the varied setting, AUC


def draw(folder: Path, results: RelevanceReproduction) -> list[Path]:
    """The figures whose parts were measured."""
    panels = {
        title: (label, [(x, float(np.mean(y))) for x, y in swept_areas(results, part).items()])
        for part, (title, label) in SWEEPS.items()
        if part in results.parts
    }
    spaces_of = {
        name: one.space for name, one in results.trainings.items() if one.space is not None
    }
    written = [sweeps(folder, panels)] if panels else []
    if RelevancePart.SIMILARITY in results.parts:
        written.append(spaces(folder, spaces_of))
    return written


def sweeps(folder: Path, panels: Mapping[str, tuple[str, Points]]) -> Path:
    """Figure 3: AUC over the number of relevant queries and over alpha; title -> axis, points."""
    figure = Figure(figsize=(INCHES * len(panels), INCHES * 0.8), dpi=DOTS, layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    rows: list[tuple[object, ...]] = []
    for axis, (title, (label, points)) in zip(axes, panels.items(), strict=True):
        axis.plot([x for x, _ in points], [100 * y for _, y in points], marker="o")
        axis.set_title(title, fontsize=9)
        axis.set_xlabel(label)
        axis.set_xticks([x for x, _ in points])
        axis.grid(visible=True, alpha=0.3)
        rows += [(label, x, f"{y:.6f}") for x, y in points]
    axes[0].set_ylabel("AUC, mean over languages")
    write_csv(folder / "figure-3.csv", ("varied", "value", "AUC"), rows)
    return _save(folder / "figure-3.png", figure)


def spaces(folder: Path, by_model: Mapping[str, RepresentationSpace]) -> Path:
    """Figure 4: queries and documents on three principal components, a panel for each model."""
    figure = Figure(figsize=(INCHES * len(by_model), INCHES * 1.2), dpi=DOTS)
    figure.subplots_adjust(left=0.01, right=0.97, top=0.88, bottom=0.1, wspace=0.1)
    # one scale for all, or a narrow cloud would look as wide as any
    reach = max(abs(x) for space in by_model.values() for point in space.points for x in point)
    rows: list[tuple[object, ...]] = []
    for number, (name, space) in enumerate(by_model.items(), start=1):
        axis = figure.add_subplot(1, len(by_model), number, projection="3d")
        for label, colour in _colours(space).items():
            points = [
                point for point, one in zip(space.points, space.labels, strict=True) if one == label
            ]
            columns = list(zip(*points, strict=True))
            axis.scatter(*columns, s=10, alpha=0.6, color=colour, linewidths=0, label=label)
        axis.set_box_aspect((1, 1, 1), zoom=1.15)
        axis.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach))
        explained = sum(space.shares)
        axis.set_title(f"({chr(96 + number)}) {name}\n{explained:.0%} of the variance", fontsize=10)
        axis.tick_params(labelsize=6, pad=-2)
        rows += [(name, one, *point) for one, point in zip(space.labels, space.points, strict=True)]
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), markerscale=3)
    write_csv(folder / "figure-4.csv", ("model", "language", "x", "y", "z"), rows)
    return _save(folder / "figure-4.png", figure)


def _colours(space: RepresentationSpace) -> dict[str, str]:
    """The colour of each label; documents are drawn first, under the queries."""
    labels = [one for one in dict.fromkeys(space.labels) if one != DOCUMENT]
    colours = {label: COLOURS[row % len(COLOURS)] for row, label in enumerate(labels)}
    return {DOCUMENT: DOCUMENT_COLOUR, **colours}


def _save(path: Path, figure: Figure) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return path
