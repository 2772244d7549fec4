"""Measured runs -> pictures: differences, precision by recall, pairs, languages by rank."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from dragoman.metrics.report import Estimate
from dragoman.reports.curves import RECALLS
from dragoman.storage.staging import staged_file
from dragoman.types import FloatArray

SIZE = (7.0, 4.0)
DARK = 0.55  # values up to it have dark cells
COLOURS = ("#00695c", "#c77700", "#5e35b1", "#c62828", "#1565c0", "#6d4c41", "#558b2f", "#546e7a")


def differences(
    first: FloatArray, second: FloatArray, names: tuple[str, str], measure: str
) -> Figure:
    """Bars of first minus second, query by query, in decreasing order."""
    ordered = np.sort((first - second)[~np.isnan(first - second)])[::-1]
    figure, axes = _figure()
    colours = [COLOURS[0] if value >= 0 else COLOURS[3] for value in ordered]
    axes.bar(np.arange(len(ordered)), ordered, width=1.0, color=colours)
    axes.axhline(0, color="black", linewidth=0.8)
    better, worse = int((ordered > 0).sum()), int((ordered < 0).sum())
    axes.set_title(f"{names[0]} better in {better} queries, {names[1]} in {worse}")
    axes.set_xlabel("queries")
    axes.set_ylabel(f"{measure}: {names[0]} - {names[1]}")
    return figure


def precision_recall_curves(curves: Mapping[str, FloatArray]) -> Figure:
    """One curve for each run, from recall 0 to 1."""
    figure, axes = _figure()
    for (name, curve), colour in zip(curves.items(), _colours(len(curves)), strict=True):
        axes.plot(RECALLS, curve, marker="o", markersize=3, label=name, color=colour)
    axes.set(xlabel="recall", ylabel="interpolated precision", xlim=(0, 1), ylim=(0, 1))
    axes.legend()
    return figure


def group_means(groups: Mapping[str, Mapping[str, Estimate]], measure: str) -> Figure:
    """Bars with intervals: for each group, such as a language, the mean of every run."""
    runs = list(dict.fromkeys(run for estimates in groups.values() for run in estimates))
    figure, axes = _figure(width=max(SIZE[0], 0.16 * len(groups) * (len(runs) + 1)))
    width = 0.8 / max(len(runs), 1)
    for place, (run, colour) in enumerate(zip(runs, _colours(len(runs)), strict=True)):
        here = [(x, one[run]) for x, one in enumerate(groups.values()) if run in one]
        means = np.array([estimate.mean for _, estimate in here])
        low = means - [estimate.low for _, estimate in here]
        high = [estimate.high for _, estimate in here] - means
        xs = [x + (place - (len(runs) - 1) / 2) * width for x, _ in here]
        errors = np.maximum([low, high], 0)
        axes.bar(xs, means, width, yerr=errors, label=run, color=colour, error_kw={"lw": 0.8})
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_ylabel(measure)
    figure.legend(loc="outside upper center", ncols=min(len(runs), 4))  # never above a bar
    return figure


def pair_matrix(means: Mapping[str, float], measure: str, name: str) -> Figure:
    """A cell for each language pair, as ``en-de``: queries in rows, documents in columns."""
    sources = sorted({pair.partition("-")[0] for pair in means})
    targets = sorted({pair.partition("-")[2] for pair in means})
    values = np.array([[means.get(f"{a}-{b}", np.nan) for b in targets] for a in sources])
    figure, axes = _figure(height=max(SIZE[1], 0.45 * len(sources) + 1))
    image = axes.imshow(values, vmin=0.0, vmax=1.0, cmap="cividis", aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            ink = "black" if value > DARK else "white"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=ink, fontsize=8)
    axes.set_xticks(range(len(targets)), targets)
    axes.set_yticks(range(len(sources)), sources)
    axes.set(xlabel="language of the documents", ylabel="language of the queries", title=name)
    figure.colorbar(image, ax=axes, label=measure)
    return figure


def languages_by_rank(
    shares: Mapping[str, FloatArray], name: str, relevant: Mapping[str, float] | None = None
) -> Figure:
    """Stacked areas: which languages the documents at each rank are in.

    ``relevant`` is the share of each language among the relevant documents, for the legend: what
    a ranking without a bias has.
    """
    figure, axes = _figure()
    depth = len(next(iter(shares.values())))
    expected = {code: f" ({share:.0%} of relevant)" for code, share in (relevant or {}).items()}
    axes.stackplot(
        np.arange(1, depth + 1),
        list(shares.values()),
        labels=[(code or "und") + expected.get(code, "") for code in shares],
        colors=_colours(len(shares)),
    )
    axes.set(xlabel="rank", ylabel="share of queries", xlim=(1, max(depth, 2)), ylim=(0, 1))
    axes.set_title(name)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")
    return figure


def as_svg(figure: Figure) -> str:
    """The picture as an SVG element, without the date and the XML declaration."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def save(figure: Figure, path: Path) -> None:
    """Write the picture; the ending of the name decides the format (.png, .svg, .pdf)."""
    with staged_file(path) as staged:
        figure.savefig(staged, format=path.suffix.removeprefix(".") or "png", dpi=150)


def _figure(width: float = SIZE[0], height: float = SIZE[1]) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _colours(number: int) -> Sequence[str]:
    if number <= len(COLOURS):
        return COLOURS[:number]
    return [to_hex(colormaps["turbo"](row / (number - 1))) for row in range(number)]
