"""An explanation -> a picture: a heat map of weights, and the words with lines between them.

The two halves of Figure 1 of Balikas et al. (2018): a matrix of query words by document words, and
the matching, with lines as thick as a link's share of the score. Needs the extra ``plots``, whose
matplotlib shapes Arabic and other joined scripts itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from dragoman.cli.render.fonts import FontChoice
from dragoman.storage.staging import staged_file
from dragoman.text.languages import name
from dragoman.types import Document, Explanation, Link, Query

MOST_LINKS = 24
MOST_WORDS = 12  # on either side; more are illegible
LONGEST_TITLE = 48
ROW, CELL, LETTER, MIDDLE, HEADER = 0.34, 0.55, 0.085, 2.4, 1.2  # inches
TITLE_GAP = 18  # points
NO_MATCH = "no word of the query matches"
CUBIC = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
COLOURS, EMPTY, INK, LINE = "Blues", "#f4f6f8", "#1f2a36", "#2c6fa8"
PALEST = 0.15  # of the colour map; paler colours look empty
DPI = 160


@dataclass(frozen=True, slots=True)
class LinkDiagram:
    """The strongest links, and their words in the order of the texts."""

    query_words: tuple[str, ...]
    document_words: tuple[str, ...]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, query: Query, document: Document, explanation: Explanation) -> "LinkDiagram":
        """As many of the links as a picture can show, strongest first."""
        links: list[Link] = []
        query_words: set[str] = set()
        document_words: set[str] = set()
        for link in explanation.links[:MOST_LINKS]:
            wider = {*query_words, link.query_word}, {*document_words, link.document_word}
            if max(map(len, wider)) <= MOST_WORDS:
                query_words, document_words = wider
                links.append(link)
        return cls(
            _in_order(query_words, query.text),
            _in_order(document_words, document.content.body),
            tuple(links),
        )

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The query's words and the document's."""
        return self.query_words, self.document_words

    def matrix(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Weights of query words (rows) by document words."""
        weights = np.zeros((len(self.query_words), len(self.document_words)))
        for link in self.links:
            row = self.query_words.index(link.query_word)
            weights[row, self.document_words.index(link.document_word)] = link.weight
        return weights


def draw(output: Path, query: Query, document: Document, explanation: Explanation) -> list[str]:
    """Write the picture, PNG or SVG by its suffix; returns warnings."""
    diagram = LinkDiagram.of(query, document, explanation)
    words = [*diagram.query_words, *diagram.document_words]
    fonts = FontChoice.of([*words, query.text, document.title])
    save(figure(query, document, diagram, fonts), output)
    warnings = fonts.warnings(words)
    if hidden := len(explanation.links) - len(diagram.links):
        warnings.append(f"{hidden:,} weaker links are not drawn.")
    return warnings


def figure(query: Query, document: Document, diagram: LinkDiagram, fonts: FontChoice) -> Figure:
    """The heat map on the left, the linked words on the right; a sentence if nothing matches."""
    rows, columns = len(diagram.query_words), len(diagram.document_words)
    room = [LETTER * max([len(fonts.drawn(w)) for w in side] or [0]) for side in diagram.sides]
    widths = (room[0] + CELL * max(columns, 3), MIDDLE + sum(room))
    height = HEADER + ROW * max(rows, columns, 4) + 0.5 * room[1]
    drawn = Figure(figsize=(sum(widths) + 0.6, height), dpi=DPI, layout=_layout())
    ends = (query.text, document.title or document.doc_id)
    drawn.suptitle(
        "\n".join(fonts.drawn(" ".join(end.split()), LONGEST_TITLE) for end in ends),
        fontproperties=fonts.properties(11, bold=True),
        color=INK,
    )
    if not diagram.links:
        drawn.text(0.5, 0.4, NO_MATCH, ha="center", color=INK)
        return drawn
    left, right = drawn.subplots(1, 2, width_ratios=widths)
    heat_map(left, diagram, fonts)
    linked_words(right, diagram, fonts, (name(query.language), name(document.language)))
    right.set_xlim(-room[0] / MIDDLE, 1 + room[1] / MIDDLE)
    return drawn


def draw_plans(
    output: Path, query: Query, document: Document, explanations: Mapping[str, Explanation]
) -> list[str]:
    """Figure 1 of the paper: a column per regularisation, its matrix above its matching."""
    strongest = [link for one in explanations.values() for link in one.links]
    strongest.sort(key=lambda link: -link.share)
    shared = LinkDiagram.of(query, document, Explanation(document.doc_id, 0.0, tuple(strongest)))
    words = [*shared.query_words, *shared.document_words]
    fonts = FontChoice.of([*words, query.text, document.title])
    room = [LETTER * max([len(fonts.drawn(w)) for w in side] or [0]) for side in shared.sides]
    width = max(room[0] + CELL * max(len(shared.document_words), 3), MIDDLE + sum(room))
    height = HEADER + 2 * ROW * max(map(len, [*shared.sides, "four"])) + 0.5 * room[1]
    drawn = Figure(figsize=(width * len(explanations), height), dpi=DPI, layout=_layout())
    axes = drawn.subplots(2, len(explanations), squeeze=False)
    languages = (name(query.language), name(document.language))
    for column, (label, explanation) in enumerate(explanations.items()):
        links = [
            link
            for link in explanation.links
            if link.query_word in shared.query_words and link.document_word in shared.document_words
        ]
        diagram = LinkDiagram(shared.query_words, shared.document_words, tuple(links))
        heat_map(axes[0, column], diagram, fonts)
        linked_words(axes[1, column], diagram, fonts, languages)
        axes[0, column].set_title(label, size=10, color=INK, pad=TITLE_GAP)
        axes[1, column].set_xlim(-room[0] / MIDDLE, 1 + room[1] / MIDDLE)
    save(drawn, output)
    return fonts.warnings(words)


def heat_map(axes: Axes, diagram: LinkDiagram, fonts: FontChoice) -> None:
    """The weight of each pair of words, as a colour and, above 0, a number."""
    weights = diagram.matrix()
    shaded = np.ma.masked_equal(weights, 0)
    axes.imshow(shaded, cmap=COLOURS, vmin=-PALEST, vmax=1, aspect="auto")
    axes.set_facecolor(EMPTY)
    rows, columns = ([fonts.drawn(word) for word in words] for words in diagram.sides)
    font = fonts.properties(9)
    axes.set_xticks(range(len(columns)), columns, fontproperties=font, color=INK)
    axes.set_yticks(range(len(rows)), rows, fontproperties=font, color=INK)
    for label in axes.get_xticklabels():
        label.set(rotation=40, ha="right", rotation_mode="anchor")
    axes.set_xticks(np.arange(0.5, len(columns) - 1), minor=True)
    axes.set_yticks(np.arange(0.5, len(rows) - 1), minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    for (row, column), weight in np.ndenumerate(weights):
        if weight > 0:
            ink = "white" if weight > 0.5 else INK
            number = f"{weight:.2f}" if weight >= 0.005 else "<.01"
            axes.text(column, row, number, ha="center", va="center", size=7, color=ink)
    axes.set_title("weight of each pair", size=9, color=INK, pad=TITLE_GAP)


def linked_words(
    axes: Axes, diagram: LinkDiagram, fonts: FontChoice, languages: tuple[str, str]
) -> None:
    """Query words on the left, document words on the right; lines as thick as the shares."""
    starts, ends = (_heights(words) for words in diagram.sides)
    for link in sorted(diagram.links, key=lambda link: link.share):
        start, end = starts[link.query_word], ends[link.document_word]
        curve = Curve([(0, start), (0.5, start), (0.5, end), (1, end)], CUBIC)
        style = {"linewidth": 0.6 + 9 * link.share, "alpha": 0.3 + 0.7 * link.share}
        axes.add_patch(PathPatch(curve, fill=False, edgecolor=LINE, capstyle="round", **style))
    font = fonts.properties(10)
    for x, side, heights in ((-0.05, "right", starts), (1.05, "left", ends)):
        for word, height in heights.items():
            text = fonts.drawn(word)
            axes.text(x, height, text, ha=side, va="center", color=INK, fontproperties=font)
    above = axes.get_xaxis_transform()
    for x, side, language in zip((-0.05, 1.05), ("right", "left"), languages, strict=True):
        axes.text(x, 1.02, language, ha=side, va="bottom", size=8, color=LINE, transform=above)
    axes.set_ylim(-0.06, 1.06)
    axes.set_axis_off()
    axes.set_title("share of the score", size=9, color=INK, pad=TITLE_GAP)


def save(drawn: Figure, path: Path) -> None:
    """Write the picture to a staging file and rename it; equal pictures are equal files."""
    kind = path.suffix.lower().removeprefix(".")
    undated = {"Date": None} if kind == "svg" else {"Software": None}
    with staged_file(path) as staged, rc_context({"svg.hashsalt": "dragoman"}):
        drawn.savefig(staged, format=kind, metadata=undated)


def _layout() -> ConstrainedLayoutEngine:
    return ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)


def _heights(words: Sequence[str]) -> dict[str, float]:
    """The height of each word, from 1 at the top to 0; a single word is in the middle."""
    last = len(words) - 1
    return {word: 1 - number / last if last else 0.5 for number, word in enumerate(words)}


def _in_order(words: Iterable[str], text: str) -> tuple[str, ...]:
    folded = text.casefold()

    def position(word: str) -> tuple[int, str]:
        offset = folded.find(word.casefold())
        return (offset if offset >= 0 else len(folded), word)

    return tuple(sorted(words, key=position))
