import struct

import pytest

pytest.importorskip("matplotlib", reason="drawing needs the extra 'plots'")

from dragoman.cli.render.fonts import FontChoice
from dragoman.cli.render.pictures import MOST_WORDS, NO_MATCH, LinkDiagram, draw, figure
from dragoman.types import Document, Explanation, Link, Query

QUERY = Query("q", "moon and sea", "en")
DOCUMENT = Document("mond", "Das Meer und der Mond", "Ebbe", "de")
LINKS = (
    Link("moon", "Mond", 0.75, 0.6),
    Link("sea", "Meer", 0.5, 0.3),
    Link("sea", "Mond", 0.001, 0.1),
)
EXPLANATION = Explanation("mond", 2.0, LINKS)


def drawn(query=QUERY, document=DOCUMENT, explanation=EXPLANATION):
    diagram = LinkDiagram.of(query, document, explanation)
    return figure(
        query, document, diagram, FontChoice.of([*diagram.query_words, *diagram.document_words])
    )


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_words_stand_in_the_order_of_their_texts():
    diagram = LinkDiagram.of(QUERY, DOCUMENT, EXPLANATION)
    assert diagram.sides == (("moon", "sea"), ("Meer", "Mond"))
    assert diagram.matrix().tolist() == [[0, 0.75], [0.5, 0.001]]


def test_the_heat_map_shows_every_weight():
    heat = drawn().axes[0]
    assert [label.get_text() for label in heat.get_xticklabels()] == ["Meer", "Mond"]
    assert [label.get_text() for label in heat.get_yticklabels()] == ["moon", "sea"]
    assert sorted(texts(heat)) == ["0.50", "0.75", "<.01"]


def test_lines_are_as_thick_as_the_shares():
    linked = drawn().axes[1]
    assert texts(linked) == ["moon", "sea", "Meer", "Mond", "English", "German"]
    widths = [patch.get_linewidth() for patch in linked.patches]
    assert len(widths) == len(LINKS)
    assert widths == sorted(widths)
    assert widths[-1] / widths[0] == pytest.approx((0.6 + 9 * 0.6) / (0.6 + 9 * 0.1))


def test_a_picture_shows_no_more_words_than_can_be_read():
    links = tuple(Link(f"q{n}", f"d{n % 30}", 0.5, 1 / 60) for n in range(60))
    diagram = LinkDiagram.of(QUERY, DOCUMENT, Explanation("mond", 1.0, links))
    assert max(map(len, diagram.sides)) == MOST_WORDS
    width, height = drawn(explanation=Explanation("mond", 1.0, links)).get_size_inches()
    assert width < 16
    assert height < 9


def test_where_nothing_met_the_picture_says_so():
    found = drawn(explanation=Explanation("mond", 0.0, ()))
    assert NO_MATCH in texts(found)
    assert not found.axes


def png_size(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def test_a_png_has_a_sensible_size(tmp_path):
    assert draw(tmp_path / "plan.png", QUERY, DOCUMENT, EXPLANATION) == []
    width, height = png_size(tmp_path / "plan.png")
    assert 600 <= width <= 2600
    assert 300 <= height <= 1500


def test_equal_pictures_are_equal_files(tmp_path):
    for ending in ("png", "svg"):
        paths = [tmp_path / f"{n}.{ending}" for n in (1, 2)]
        for path in paths:
            draw(path, QUERY, DOCUMENT, EXPLANATION)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    assert "<svg" in (tmp_path / "1.svg").read_text(encoding="utf-8")


def test_links_that_are_not_drawn_are_counted(tmp_path):
    links = tuple(Link("moon", f"d{n}", 0.5, 1 / 40) for n in range(40))
    warnings = draw(tmp_path / "plan.png", QUERY, DOCUMENT, Explanation("mond", 1.0, links))
    assert warnings == [f"{40 - MOST_WORDS} weaker links are not drawn."]


def test_a_character_that_no_font_has_is_found_out(tmp_path):
    private = "\U000f1234"
    assert private in FontChoice.of([private]).missing
    links = (Link("sea", private, 1.0, 1.0),)
    (warning,) = draw(tmp_path / "a.png", QUERY, DOCUMENT, Explanation("mond", 1.0, links))
    assert private in warning
