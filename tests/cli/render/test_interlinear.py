from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from dragoman.cli.render.interlinear import columns, highlighted, lines
from dragoman.lexicons.gloss import GlossedPiece, GlossKind, TextPiece

SEA = [
    GlossedPiece("Das", None, GlossKind.LEFT_OUT, "Das"),
    GlossedPiece(" (", " (", GlossKind.BETWEEN),
    GlossedPiece("Meer", "sea", GlossKind.WORD, "Meer"),
    GlossedPiece("), ", "), ", GlossKind.BETWEEN),
    GlossedPiece("Qualle", None, GlossKind.UNKNOWN, "Qualle"),
    GlossedPiece("!", "!", GlossKind.BETWEEN),
]

surfaces = st.sampled_from(["Meer", "a", "Donaudampfschiff", "漢字", "सागर", "é", "море"])


@st.composite
def passages(draw):
    found = []
    for surface in draw(st.lists(surfaces, max_size=12)):
        gloss = draw(st.one_of(st.none(), surfaces))
        kind = GlossKind.UNKNOWN if gloss is None else GlossKind.WORD
        found.append(GlossedPiece(surface, gloss, kind, surface))
        between = draw(st.sampled_from([" ", ", ", " (", "-", "'"]))
        found.append(GlossedPiece(between, between, GlossKind.BETWEEN))
    return found


def plain(glossed, met=frozenset(), width=80):
    pairs = lines(columns(glossed, met, brackets=True), width)
    return [(above.plain, below.plain) for above, below in pairs]


def test_every_word_stands_over_its_gloss():
    assert plain(SEA) == [("Das (Meer), Qualle!", "·   (sea),  ?Qualle!")]


def test_met_words_stand_in_brackets_or_in_colour():
    assert plain(SEA, {"meer"})[0][0] == "Das ([Meer]), Qualle!"
    (pair,) = lines(columns(SEA, {"meer"}, brackets=False), 80)
    coloured = [pair[0].plain[span.start : span.end] for span in pair[0].spans if span.style]
    assert coloured == ["Meer"]


def test_lines_are_broken_at_the_width():
    assert plain(SEA, width=12) == [("Das (Meer),", "·   (sea),"), ("Qualle!", "?Qualle!")]


def test_right_to_left_lines_are_not_padded():
    arabic = [
        GlossedPiece("ماء", "water", GlossKind.WORD, "ماء"),
        GlossedPiece(" ", " ", GlossKind.BETWEEN),
        GlossedPiece("البحر", "sea", GlossKind.WORD, "البحر"),
    ]
    assert plain(arabic) == [("ماء البحر", "water sea")]


def test_words_of_a_script_without_blanks_get_a_column_each():
    found = [
        GlossedPiece("東京", "Tokyo", GlossKind.WORD, "東京"),
        GlossedPiece("海", "sea", GlossKind.WORD, "海"),
    ]
    assert plain(found) == [("東京  海", "Tokyo sea")]


@settings(max_examples=60)
@given(passages(), st.integers(30, 80))
def test_lines_fit_and_lose_nothing(glossed, width):
    found = plain(glossed, width=width)
    widest = max((word.width for word in columns(glossed, set(), brackets=True)), default=0)
    assert all(cell_len(line) <= max(width, widest) for pair in found for line in pair)
    shown = "".join("".join(above.split()) for above, _ in found)
    assert shown == "".join("".join(piece.surface.split()) for piece in glossed)


def test_a_passage_without_a_gloss_is_marked_too():
    pieces = [TextPiece("Das "), TextPiece("Meer", ("meer",), "Meer"), TextPiece(".")]
    assert highlighted(pieces, {"meer"}, brackets=True).plain == "Das [Meer]."
