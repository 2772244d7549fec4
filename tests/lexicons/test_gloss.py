import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.lexicons.gloss import GlossKind, gloss, gloss_text, missing_table, pieces
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.compounds import CompoundSplitter
from small_tables import HandWritten, table

SEA = {
    "Mond": {"moon": 0.9, "month": 0.1},
    "Meer": {"sea": 1.0},
    "rot": {"red": 1.0},
    "Boden": {"floor": 1.0},
}
PARTS = CompoundSplitter("de", {"meer": 50, "boden": 50, "watt": 50}, 4)
GERMAN = table("de", SEA, {"de": PARTS})
TABLES = HandWritten(
    GERMAN,
    table("fr", {"lune": {"moon": 1.0}, "eau": {"water": 1.0}}),
    table("tr", {"ay": {"moon": 1.0}}),
)


def shown(text, source, target="en", tables=TABLES):
    return gloss_text(gloss(text, source, target, tables))


def kinds(text, source, target="en"):
    return {piece.surface: piece.kind for piece in gloss(text, source, target, TABLES)}


def test_every_word_becomes_its_likeliest_translation_and_order_and_marks_stay():
    assert shown("Mond (rot), Meer rot!", "de") == "moon (red), sea red!"


def test_an_unknown_word_stays_and_is_marked():
    assert shown("Mond Qualle", "de") == "moon ?Qualle"
    (piece,) = gloss("Qualle", "de", "en", TABLES)
    assert (piece.gloss, piece.kind) == (None, GlossKind.UNKNOWN)


def test_numbers_and_names_stay_unmarked():
    found = kinds("lune 1969 Armstrong. Neil, lune.", "fr")
    assert found["1969"] is GlossKind.ITSELF
    assert found["Armstrong"] is GlossKind.ITSELF
    assert found["Neil"] is GlossKind.UNKNOWN  # the first word of a sentence always has a capital
    assert kinds("Mond Qualle", "de")["Qualle"] is GlossKind.UNKNOWN  # and so has every German noun
    assert shown("lune 1969 Armstrong", "fr") == "moon 1969 Armstrong"


def test_small_words_that_tables_leave_out_are_dots():
    assert kinds("der Mond", "de")["der"] is GlossKind.LEFT_OUT
    assert shown("der Mond", "de") == "· moon"


def test_an_elided_article_does_not_glue_words_together():
    assert shown("l'eau", "fr") == "· water"


def test_an_unknown_compound_is_glossed_by_its_parts_if_all_are_known():
    assert shown("Meeresboden", "de") == "sea floor"
    assert shown("Wattboden", "de") == "?Wattboden"


def test_endings_behind_an_apostrophe_belong_to_the_word():
    (piece,) = gloss("Ay'ın", "tr", "en", TABLES)
    assert (piece.surface, piece.word, piece.gloss) == ("Ay'ın", "Ay", "moon")


def test_from_english_the_table_is_asked_the_other_way():
    assert shown("the moon", "en", "fr") == "· lune"


def test_through_the_pivot_the_likeliest_sum_wins_not_the_likeliest_path():
    there = table("de", {"Bank": {"bank": 0.4, "bench": 0.3, "seat": 0.3}})
    back = table("fr", {"banque": {"bank": 1.0}, "banc": {"bench": 1.0, "seat": 1.0}})
    assert shown("Bank", "de", "fr", HandWritten(there, back)) == "banc"


def test_a_language_without_a_table_is_said_and_never_pretended():
    with pytest.raises(ConfigError, match=r"no translation table for Chinese \(zh\)"):
        gloss("海", "zh", "en", TABLES)
    with pytest.raises(ConfigError, match="learn lexicon --languages en-es"):
        gloss("Meer", "de", "es", TABLES)
    assert "both in German" in missing_table("de", "de", TABLES)
    assert "not known" in missing_table("", "de", TABLES)
    assert missing_table("de", "fr", TABLES) == ""
    assert missing_table("deu", "en", TABLES) == ""


@settings(max_examples=50)
@given(st.text(max_size=80), st.sampled_from(["de", "fr", "tr", "ar", "hi", "zh", ""]))
def test_the_pieces_together_are_the_text(text, language):
    found = pieces(text, language, Analyzer())
    assert "".join(piece.surface for piece in found) == unicodedata.normalize("NFKC", text)


@settings(max_examples=50)
@given(st.text("Mondé Merzi,. '-7", max_size=60))
def test_a_gloss_holds_the_whole_passage(text):
    found = gloss(text, "de", "en", TABLES)
    assert "".join(piece.surface for piece in found) == unicodedata.normalize("NFKC", text)
    assert all(
        (piece.gloss is None) == (piece.kind in {GlossKind.UNKNOWN, GlossKind.LEFT_OUT})
        for piece in found
    )
