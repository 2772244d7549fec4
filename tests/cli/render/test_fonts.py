import pytest

pytest.importorskip("matplotlib", reason="drawing needs the extra 'plots'")

from dragoman.cli.render.fonts import FONT, LONGEST_WORD, FontChoice


@pytest.mark.parametrize("word", ["θάλασσα", "море", "البحر", "Übermaß"])
def test_the_bundled_font_draws_greek_cyrillic_and_arabic(word):
    fonts = FontChoice.of([word])
    assert fonts == FontChoice((FONT,), frozenset())
    assert fonts.drawn(word) == word


def test_letters_without_a_font_become_latin_ones_or_frames_and_are_named():
    fonts = FontChoice((FONT,), frozenset("समुद्र海"))
    assert fonts.drawn("समुद्र") == "smudr"
    assert fonts.drawn("海") == "□"
    assert fonts.drawn("sea") == "sea"
    (warning,) = fonts.warnings(["समुद्र", "sea"])
    assert "1 of 2 words are drawn in Latin letters" in warning
    assert "म" in warning


def test_a_long_word_is_cut():
    shown = FontChoice((FONT,), frozenset()).drawn("a" * 100)
    assert len(shown) == LONGEST_WORD
    assert shown.endswith("…")
