"""An explanation -> a picture: a heat map of weights, and the words with lines between them.

The two halves of Figure 1 of Balikas et al. (2018): a matrix of query words by document words, and
the matching, with lines as thick as a link's share of the score. Needs the extra ``plots``, whose
matplotlib shapes Arabic and other joined scripts itself.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from dragoman.lexicons.sounds.transliteration import romanised
from dragoman.storage.staging import staged_file
from dragoman.text.languages import name
from dragoman.types import Document, Explanation, Link, Query

MOST_LINKS = 24
MOST_WORDS = 12  # on either side; more cannot be told apart
LONGEST_WORD = 22  # characters; the rest of a longer word is cut
LONGEST_TITLE = 48
ROW, CELL, LETTER, MIDDLE, HEADER = 0.34, 0.55, 0.085, 2.4, 1.2  # inches
TITLE_GAP = 18  # points
FONT = "DejaVu Sans"  # comes with matplotlib
LAST_RESORT = "Last Resort"  # draws a frame for every character, which nobody can read
CANNOT_DRAW = "□"
NOTHING_MET = "no word of the query was met"
CUBIC = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
COLOURS, EMPTY, INK, LINE = "Blues", "#f4f6f8", "#1f2a36", "#2c6fa8"
PALEST = 0.15  # of the colours; what is paler looks empty
DPI = 160


@dataclass(frozen=True, slots=True)
class Lettering:
    """Which fonts draw the words; words with letters that none has are written in Latin ones."""

    families: tuple[str, ...]
    missing: frozenset[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Lettering":
        """The bundled font, and others that are installed where it lacks a letter."""
        families = [FONT]
        missing = frozenset("".join(words)) - _drawn_by(_path(FONT))
        missing = frozenset(char for char in missing if unicodedata.category(char) != "Cf")
        for font in sorted(fontManager.ttflist, key=lambda font: (font.name, font.fname)):
            if not missing:
                break
            plain = font.style == "normal" and font.weight in {400, "normal", "regular"}
            if plain and LAST_RESORT not in font.name and (missing & _drawn_by(font.fname)):
                missing -= _drawn_by(font.fname)
                families.append(font.name)
        return cls(tuple(families), missing)

    def drawn(self, word: str, longest: int = LONGEST_WORD) -> str:
        """The word as it is drawn."""
        if self.missing.intersection(word):
            word = "".join(
                CANNOT_DRAW if char in self.missing else char for char in romanised(word)
            )
        return word if len(word) <= longest else f"{word[: longest - 1].rstrip()}…"

    def properties(self, size: float, *, bold: bool = False) -> FontProperties:
        """The font for text of a size in points."""
        weight = "bold" if bold else "normal"
        return FontProperties(family=list(self.families), size=size, weight=weight)

    def warnings(self, words: Sequence[str]) -> list[str]:
        """What the reader of the picture must know."""
        if not self.missing:
            return []
        concerned = sum(1 for word in words if self.missing.intersection(word))
        return [
            f"No installed font has the letters {' '.join(sorted(self.missing))}: {concerned} of"
            f" {len(words)} words are drawn in Latin letters, or as {CANNOT_DRAW} where we have"
            " none for them. Install a font for the script, as in Debian's fonts-noto-core and"
            " fonts-noto-cjk."
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """The strongest links, and their words in the order of the texts."""

    query_words: tuple[str, ...]
    document_words: tuple[str, ...]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, query: Query, document: Document, explanation: Explanation) -> "Plan":
        """As many of the links as a picture can show, strongest first."""
        links: list[Link] = []
        asked: dict[str, None] = {}
        found: dict[str, None] = {}
        for link in explanation.links[:MOST_LINKS]:
            wider = {*asked, link.query_word}, {*found, link.document_word}
            if max(map(len, wider)) <= MOST_WORDS:
                asked[link.query_word] = found[link.document_word] = None
                links.append(link)
        return cls(
            _in_order(asked, query.text),
            _in_order(found, document.content.body),
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
    """Write the picture, PNG or SVG by its ending, and return what its reader must know."""
    plan = Plan.of(query, document, explanation)
    words = [*plan.query_words, *plan.document_words]
    lettering = Lettering.of([*words, query.text, document.title])
    save(figure(query, document, plan, lettering), output)
    warnings = lettering.warnings(words)
    if hidden := len(explanation.links) - len(plan.links):
        warnings.append(f"{hidden:,} weaker links are not drawn.")
    return warnings


def figure(query: Query, document: Document, plan: Plan, lettering: Lettering) -> Figure:
    """The heat map on the left, the linked words on the right; a sentence where nothing met."""
    rows, columns = len(plan.query_words), len(plan.document_words)
    room = [LETTER * max([len(lettering.drawn(w)) for w in side] or [0]) for side in plan.sides]
    widths = (room[0] + CELL * max(columns, 3), MIDDLE + sum(room))
    height = HEADER + ROW * max(rows, columns, 4) + 0.5 * room[1]
    drawn = Figure(figsize=(sum(widths) + 0.6, height), dpi=DPI, layout=_layout())
    ends = (query.text, document.title or document.doc_id)
    drawn.suptitle(
        "\n".join(lettering.drawn(" ".join(end.split()), LONGEST_TITLE) for end in ends),
        fontproperties=lettering.properties(11, bold=True),
        color=INK,
    )
    if not plan.links:
        drawn.text(0.5, 0.4, NOTHING_MET, ha="center", color=INK)
        return drawn
    left, right = drawn.subplots(1, 2, width_ratios=widths)
    heat_map(left, plan, lettering)
    linked_words(right, plan, lettering, (name(query.language), name(document.language)))
    right.set_xlim(-room[0] / MIDDLE, 1 + room[1] / MIDDLE)
    return drawn


def draw_plans(
    output: Path, query: Query, document: Document, told: Mapping[str, Explanation]
) -> list[str]:
    """Figure 1 of the paper: a column for each regularisation, the matrix above its matching."""
    strongest = [link for one in told.values() for link in one.links]
    strongest.sort(key=lambda link: -link.share)
    shared = Plan.of(query, document, Explanation(document.doc_id, 0.0, tuple(strongest)))
    words = [*shared.query_words, *shared.document_words]
    lettering = Lettering.of([*words, query.text, document.title])
    room = [LETTER * max([len(lettering.drawn(w)) for w in side] or [0]) for side in shared.sides]
    width = max(room[0] + CELL * max(len(shared.document_words), 3), MIDDLE + sum(room))
    height = HEADER + 2 * ROW * max(map(len, [*shared.sides, "four"])) + 0.5 * room[1]
    drawn = Figure(figsize=(width * len(told), height), dpi=DPI, layout=_layout())
    axes = drawn.subplots(2, len(told), squeeze=False)
    languages = (name(query.language), name(document.language))
    for column, (label, explanation) in enumerate(told.items()):
        inside = [
            link
            for link in explanation.links
            if link.query_word in shared.query_words and link.document_word in shared.document_words
        ]
        plan = Plan(shared.query_words, shared.document_words, tuple(inside))
        heat_map(axes[0, column], plan, lettering)
        linked_words(axes[1, column], plan, lettering, languages)
        axes[0, column].set_title(label, size=10, color=INK, pad=TITLE_GAP)
        axes[1, column].set_xlim(-room[0] / MIDDLE, 1 + room[1] / MIDDLE)
    save(drawn, output)
    return lettering.warnings(words)


def heat_map(axes: Axes, plan: Plan, lettering: Lettering) -> None:
    """How likely each pair of words is, as a colour and, where there is any, a number."""
    weights = plan.matrix()
    shaded = np.ma.masked_equal(weights, 0)
    axes.imshow(shaded, cmap=COLOURS, vmin=-PALEST, vmax=1, aspect="auto")
    axes.set_facecolor(EMPTY)
    rows, columns = ([lettering.drawn(word) for word in words] for words in plan.sides)
    font = lettering.properties(9)
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


def linked_words(axes: Axes, plan: Plan, lettering: Lettering, languages: tuple[str, str]) -> None:
    """Query words on the left, document words on the right, lines as thick as the shares."""
    starts, ends = (_heights(words) for words in plan.sides)
    for link in sorted(plan.links, key=lambda link: link.share):
        start, end = starts[link.query_word], ends[link.document_word]
        curve = Curve([(0, start), (0.5, start), (0.5, end), (1, end)], CUBIC)
        style = {"linewidth": 0.6 + 9 * link.share, "alpha": 0.3 + 0.7 * link.share}
        axes.add_patch(PathPatch(curve, fill=False, edgecolor=LINE, capstyle="round", **style))
    font = lettering.properties(10)
    for x, side, heights in ((-0.05, "right", starts), (1.05, "left", ends)):
        for word, height in heights.items():
            text = lettering.drawn(word)
            axes.text(x, height, text, ha=side, va="center", color=INK, fontproperties=font)
    above = axes.get_xaxis_transform()
    for x, side, language in zip((-0.05, 1.05), ("right", "left"), languages, strict=True):
        axes.text(x, 1.02, language, ha=side, va="bottom", size=8, color=LINE, transform=above)
    axes.set_ylim(-0.06, 1.06)
    axes.set_axis_off()
    axes.set_title("share of the score", size=9, color=INK, pad=TITLE_GAP)


def save(drawn: Figure, path: Path) -> None:
    """Write the picture, in place only when whole; equal pictures are equal files."""
    kind = path.suffix.lower().removeprefix(".")
    undated = {"Date": None} if kind == "svg" else {"Software": None}
    with staged_file(path) as staged, rc_context({"svg.hashsalt": "dragoman"}):
        drawn.savefig(staged, format=kind, metadata=undated)


def _layout() -> ConstrainedLayoutEngine:
    return ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)


def _heights(words: Sequence[str]) -> dict[str, float]:
    """Where each word stands, from 1 at the top to 0; a lone word in the middle."""
    last = len(words) - 1
    return {word: 1 - number / last if last else 0.5 for number, word in enumerate(words)}


def _in_order(words: Iterable[str], text: str) -> tuple[str, ...]:
    folded = text.casefold()

    def place(word: str) -> tuple[int, str]:
        found = folded.find(word.casefold())
        return (found if found >= 0 else len(folded), word)

    return tuple(sorted(words, key=place))


def _path(family: str) -> str:
    return fontManager.findfont(family)


def _drawn_by(path: str) -> frozenset[str]:
    return frozenset(map(chr, get_font(path).get_charmap())) | frozenset("\n\t ")
