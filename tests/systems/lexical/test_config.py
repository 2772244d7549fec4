import pytest

from dragoman.errors import ConfigError, InputError, UserError
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.lexicons.word_translation import WordTranslator
from dragoman.settings import parse_settings
from dragoman.systems.lexical.bm25 import OwnWords
from dragoman.systems.lexical.config import LexicalConfig
from lexical_examples import GERMAN, built, lexicon


def test_the_users_table_comes_before_the_shipped_one(lexicons):
    assert TranslationTables([*map(_path, lexicons)]).table("de").translations("haus")[0] == (
        "hous",
        0.75,
    )


def test_a_table_is_turned_so_that_the_pivot_is_its_target(tmp_path):
    lexicon("de", GERMAN).reversed().save(tmp_path / "de")
    assert TranslationTables([tmp_path / "de"]).table("de").target == "en"


def test_two_tables_for_one_language_are_refused(tmp_path):
    for name in ("one", "two"):
        lexicon("de", GERMAN).save(tmp_path / name)
    with pytest.raises(ConfigError, match="two tables for 'de'"):
        TranslationTables([tmp_path / "one", tmp_path / "two"]).has("de")


def test_a_table_without_the_pivot_is_refused(tmp_path):
    from dataclasses import replace

    replace(lexicon("de", GERMAN), target="fr").save(tmp_path / "de")
    with pytest.raises(ConfigError, match="expected one with 'en' as source or target"):
        TranslationTables([tmp_path / "de"]).has("de")


def test_a_folder_that_is_no_table_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"lexicon\.json"):
        TranslationTables([tmp_path]).has("de")


def test_a_table_that_reads_words_differently_is_refused(tmp_path):
    from dataclasses import replace

    replace(lexicon("de", GERMAN), analysis={"stem": False}).save(tmp_path / "de")
    with pytest.raises(UserError, match="stem=False"):
        built("psq", lexicons=[str(tmp_path / "de")])


def test_fingerprints_tell_tables_apart(lexicons, tmp_path):
    lexicon("de", {"haus": {"home": 1.0}}).save(tmp_path / "de")
    one, other = TranslationTables([_path(lexicons[0])]), TranslationTables([tmp_path / "de"])
    assert one.fingerprint("de").startswith("own:")
    assert one.fingerprint("de") != other.fingerprint("de")
    assert one.fingerprint("xx") == ""
    assert one.fingerprint("fr").startswith("shipped:")


def test_without_translation_there_is_no_table(lexicons):
    tables = LexicalConfig(translate=False, lexicons=tuple(map(_path, lexicons))).tables()
    assert not tables.has("de")
    assert tables.table("fr") is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lexicons": "folder"}, "list of folders"),
        ({"k1": "high"}, "k1 must be a number"),
        ({"b": 2}, "b must lie between"),
    ],
)
def test_wrong_settings_are_refused(given, message):
    with pytest.raises(ConfigError, match=message):
        parse_settings(LexicalConfig, given)


def test_a_word_becomes_the_candidate_that_explains_it_and_is_common(lexicons):
    # p(haus | house) = 1 beats p(haus | home) = .2 until home is much more common
    bm25 = built("bm25", lexicons=lexicons)
    translate = WordTranslator(bm25.system.tables).translate
    with bm25.index.snapshot() as snapshot:
        postings = bm25.system.postings(snapshot)
        english, german = OwnWords(postings, "en"), OwnWords(postings, "de")
        assert (english.frequency("hous"), english.frequency("haus")) == (1, 0)
        assert translate("haus", "de", english) == "hous"
        assert translate("hous", "en", german) == "haus"
        assert translate("дом", "ru", german) == "haus"
        assert translate("haus", "de", german) == "haus"
        assert translate("unbekannt", "de", english) == "unbekannt"


def _path(text):
    from pathlib import Path

    return Path(text)
