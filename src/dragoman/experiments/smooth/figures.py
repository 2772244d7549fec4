"""The five figures of the smooth learning paper, each as PNG and CSV.

Figures 1 and 2 are formulas; 3, 4 and 5 are drawn from results of trainings.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.smooth.runs import BINS, SmoothTrainingResult
from dragoman.systems.smooth.losses import SmoothOrdinalSearchLoss, SquaredError
from dragoman.systems.smooth.similarity import smooth_cosine
from dragoman.types import FloatArray

INCH_WIDTH, INCH_HEIGHT, DOTS = 4.2, 3.4, 120
MOST_COLUMNS = 4  # of panels
HEAT_EPSILONS = (0.05, 0.2, 0.5)
HEAT_STEPS = 81  # an odd number puts a point on the origin
FIGURE_2_THRESHOLDS = (0.0, 0.5)
SWEPT = ("P(rel=2)@1", "nDCG@5", "AP", "RR(rel=2)")
GRADES = ("irrelevant (0)", "partially relevant (1)", "relevant (2)")


def gradient_heat(folder: Path) -> None:
    """Figure 1: the derivative of the smooth cosine of (x1, x2) and (1, 1) in x1."""
    figure, axes = _panels(len(HEAT_EPSILONS))
    ticks = np.linspace(-1, 1, HEAT_STEPS)
    rows = []
    for epsilon, axis in zip(HEAT_EPSILONS, axes, strict=True):
        heat = gradient_grid(epsilon, ticks)
        image = axis.imshow(heat, origin="lower", extent=(-1, 1, -1, 1), cmap="coolwarm")
        figure.colorbar(image, ax=axis, shrink=0.8)
        axis.set_title(f"ε = {epsilon:g}")
        axis.set_xlabel("x1")
        axis.set_ylabel("x2")
        rows += [
            (epsilon, x1, x2, heat[j, i])
            for j, x2 in enumerate(ticks)
            for i, x1 in enumerate(ticks)
        ]
    _write(folder, "figure-1", figure, ("epsilon", "x1", "x2", "gradient"), rows)


def gradient_grid(epsilon: float, ticks: FloatArray) -> FloatArray:
    """(x2, x1): the derivative at every point of a grid."""
    x2, x1 = np.meshgrid(ticks, ticks, indexing="ij")
    points = torch.tensor(np.stack([x1.ravel(), x2.ravel()], axis=1), requires_grad=True)
    smooth_cosine(points, torch.ones_like(points), epsilon).sum().backward()  # type: ignore[no-untyped-call]
    assert points.grad is not None
    gradients: FloatArray = points.grad[:, 0].reshape(x1.shape).numpy()
    return gradients


def loss_curves(folder: Path) -> None:
    """Figure 2: SOSL and the squared error over the score, for each of three classes."""
    figure, axes = _panels(3)
    scores = torch.linspace(-1, 1, 201)
    kinds = {"MSE": SquaredError, "SOSL": SmoothOrdinalSearchLoss}
    curves = {name: kind(3, FIGURE_2_THRESHOLDS) for name, kind in kinds.items()}
    rows = []
    for grade, axis in enumerate(axes):
        for name, loss in curves.items():
            values = loss(scores, torch.full(scores.shape, grade)).tolist()
            axis.plot(scores.tolist(), values, label=name)
            rows += [(grade + 1, name, r, v) for r, v in zip(scores.tolist(), values, strict=True)]
        for threshold in FIGURE_2_THRESHOLDS:
            axis.axvline(threshold, linestyle="--", color="grey", linewidth=0.8)
        axis.set_title(f"y = {grade + 1}")
        axis.set_xlabel("r")
        axis.set_ylim(0, 1.1)
    axes[0].legend()
    _write(folder, "figure-2", figure, ("y", "loss", "score", "value"), rows)


def score_densities(folder: Path, results: Mapping[str, SmoothTrainingResult]) -> None:
    """Figure 3: the density of the scores of training pairs, by grade, for every loss."""
    figure, axes = _panels(len(results))
    middles = (np.arange(BINS) + 0.5) * 2 / BINS - 1
    rows = []
    for (name, result), axis in zip(results.items(), axes, strict=True):
        for grade, scores in enumerate(result.grades):
            label = GRADES[grade] if len(result.grades) == len(GRADES) else f"grade {grade}"
            axis.plot(middles, scores.density, label=label)
            rows += [(name, grade, x, y) for x, y in zip(middles, scores.density, strict=True)]
        axis.set_title(name, fontsize="medium")
        axis.set_xticks((-1, -0.5, 0, 0.5, 1))
        axis.set_xlabel("score")
    axes[0].set_ylabel("density")
    axes[0].legend(fontsize="small")
    _write(folder, "figure-3", figure, ("loss", "grade", "score", "density"), rows)


def sweep(
    folder: Path, name: str, label: str, results: Mapping[float, SmoothTrainingResult]
) -> None:
    """Figures 4 and 5: measures over the varied setting."""
    figure, axes = _panels(1)
    rows = []
    for measure in SWEPT:
        means = [result.mean(measure) for result in results.values()]
        axes[0].plot(list(results), means, marker="o", label=measure)
        rows += [(x, measure, y) for x, y in zip(results, means, strict=True)]
    axes[0].set_xlabel(label)
    figure.legend(loc="outside upper center", ncols=2, fontsize="small")
    axes[0].grid(visible=True, alpha=0.3)
    _write(folder, name, figure, (label, "measure", "mean"), rows)


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    """So many panels, in rows of equal length where there are many."""
    rows = -(-count // MOST_COLUMNS)
    columns = -(-count // rows)
    size = INCH_WIDTH * columns, INCH_HEIGHT * rows
    figure = Figure(figsize=size, dpi=DOTS, layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False).flat)
    for empty in panels[count:]:
        empty.set_axis_off()
    return figure, panels[:count]


def _write(
    folder: Path, name: str, figure: Figure, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.png")
    shown = ([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    write_csv(folder / f"{name}.csv", header, shown)
