import warnings
from types import SimpleNamespace

import pytest

pytest.importorskip("matplotlib", reason="drawing needs the extra 'plots'")

from matplotlib.font_manager import fontManager

from dragoman.cli.render import fonts as rendering
from dragoman.cli.render.fonts import FONT, LONGEST_WORD, FontChoice
from dragoman.cli.render.pictures import draw
from dragoman.types import Document, Explanation, Link, Query

WORDS = {
    "ja": "東京のパン",
    "zh": "面包",
    "ko": "빵과",
    "hi": "रोटी",
    "ta": "ரொட்டி",
    "th": "ขนมปัง",
    "ar": "خبز",
    "emoji": "🍞",
}


@pytest.fixture
def bundled_fonts(monkeypatch):
    """Only the fonts that come with matplotlib."""
    bundled = [font for font in fontManager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(fontManager, "ttflist", bundled)
    monkeypatch.setattr(rendering, "findSystemFonts", list)


@pytest.mark.parametrize("word", ["θάλασσα", "море", "البحر", "Übermaß"])
def test_the_bundled_font_draws_greek_cyrillic_and_arabic(word):
    fonts = FontChoice.of([word])
    assert (fonts.families, fonts.missing) == ((FONT,), frozenset())
    assert fonts.drawn(word) == word


@pytest.mark.usefixtures("bundled_fonts")
def test_letters_without_a_font_become_latin_ones_or_frames_and_are_named():
    fonts = FontChoice.of(["समुद्र", "海"])
    assert fonts.drawn("समुद्र") == "smudr"
    assert fonts.drawn("海") == "□"
    assert fonts.drawn("sea") == "sea"
    (warning,) = fonts.warnings(["समुद्र", "sea"])
    assert "1 of 2 words are drawn in Latin letters" in warning
    assert "म" in warning


@pytest.mark.usefixtures("bundled_fonts")
@pytest.mark.parametrize(
    ("language", "package"),
    [
        ("ja", "fonts-noto-cjk"),
        ("zh", "fonts-noto-cjk"),
        ("ko", "fonts-noto-cjk"),
        ("hi", "fonts-noto-core"),
        ("emoji", "fonts-symbola"),
    ],
)
def test_a_missing_font_is_one_line_with_the_package_to_install(language, package):
    words = [WORDS[language]]
    (warning,) = FontChoice.of(words).warnings(words)
    assert warning.endswith(f"on Debian: apt install {package}")
    assert "\n" not in warning


@pytest.mark.usefixtures("bundled_fonts")
@pytest.mark.parametrize("language", WORDS)
def test_a_picture_without_fonts_for_its_words_has_no_warning_of_matplotlib(language, tmp_path):
    word = WORDS[language]
    links = (Link(word, word, 0.9, 0.9),)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        draw(
            tmp_path / "a.png",
            Query("q", word, "en"),
            Document("d", word, word, "en"),
            Explanation("d", 1.0, links),
        )
    assert not caught


def test_a_font_that_was_installed_after_the_list_was_made_is_used(monkeypatch, tmp_path):
    new = tmp_path / "New.ttf"  # its name alone matters here
    listed = [*fontManager.ttflist]
    entry = SimpleNamespace(fname=str(new), name="New Sans", style="normal", weight=400)
    glyphs = rendering._glyphs
    monkeypatch.setattr(fontManager, "ttflist", listed)
    monkeypatch.setattr(fontManager, "addfont", lambda path: listed.append(entry))
    monkeypatch.setattr(rendering, "findSystemFonts", lambda: [str(new)])
    monkeypatch.setattr(
        rendering,
        "_glyphs",
        lambda path: frozenset("\U000f1234") if path == str(new) else glyphs(path),
    )
    fonts = FontChoice.of(["\U000f1234"])
    assert (fonts.families, fonts.missing) == ((FONT, "New Sans"), frozenset())


def test_a_long_word_is_cut():
    shown = FontChoice.of([]).drawn("a" * 100)
    assert len(shown) == LONGEST_WORD
    assert shown.endswith("…")
