"""The tools' readers of public word lists, on planted archives."""

import io
import json
import sqlite3
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import asian_dictionaries
import cldr_lists
import label_lists
import word_lists

from dragoman.types import DictionaryEntry, SentencePair


def archive(path, files):
    with tarfile.open(path, "w:gz") as stream:
        for name, content in files.items():
            written = content if isinstance(content, bytes) else json.dumps(content).encode()
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(written)
            stream.addfile(member, io.BytesIO(written))


def cldr(folder, languages):
    """Every list that is read, with one name of each kind."""
    files = {package.archive: {} for package in cldr_lists.PACKAGES}
    for code, words in languages.items():
        sun, city, metre, keyword = words
        marked = {"☀": {"tts": [sun], "default": [sun, keyword]}, "¿": {"default": [keyword]}}
        named = {
            "territories": {"GR": "GR", "GR-alt-x": "x"},
            "languages": {},
            "scripts": {"Zzzz": "Zzzz"},
        }
        gregorian = {kind: {"stand-alone": {"wide": {}}} for kind in ("months", "days")}
        zone = {"Europe": {"Athens": {"exemplarCity": city}}}
        main = f"main/{code}"
        files[cldr_lists.ANNOTATIONS.archive][f"annotations/{code}/annotations.json"] = {
            "annotations": {"annotations": marked}
        }
        for kind, listed in named.items():
            files[cldr_lists.NAMES.archive][f"{main}/{kind}.json"] = {
                "main": {code: {"localeDisplayNames": {kind: listed}}}
            }
        dates = {"calendars": {"gregorian": gregorian}, "timeZoneNames": {"zone": zone}}
        for name in ("ca-gregorian", "timeZoneNames"):
            files[cldr_lists.DATES.archive][f"{main}/{name}.json"] = {
                "main": {code: {"dates": dates}}
            }
        files[cldr_lists.UNITS.archive][f"{main}/units.json"] = {
            "main": {code: {"units": {"long": {"length-meter": {"displayName": metre}}}}}
        }
    for name, content in files.items():
        archive(folder / name, content)


def labels(folder):
    properties = (
        '//#region\nvar list = [{"id": "P10", "labels": {"en": "caf\\xe9", "el": "καφές"},'
        ' "descriptions": {"en": "a drink", "el": "ένα ποτό"},'
        ' "aliases": {"en": ["coffee", "espresso"], "el": ["εσπρέσο"]}},'
        ' {"id": "P11", "labels": {"en": "only English"}}];\nexport { list };\n'
    )
    archive(folder / label_lists.WIKIDATA.archive, {"lib/index.mjs": properties.encode()})
    english = {"presets": {"zoo": {"name": "Zoo", "terms": "animals"}, "cave": {"name": "Cave"}}}
    greek = {"presets": {"zoo": {"name": "Ζωολογικός Κήπος", "terms": "ζώα"}, "cave": {"name": ""}}}
    archive(
        folder / label_lists.OPENSTREETMAP.archive,
        {"dist/translations/en.json": {"en": english}, "dist/translations/el.json": {"el": greek}},
    )


@pytest.fixture
def folder(tmp_path):
    cldr(
        tmp_path,
        {
            "en": ("sun", "Athens", "meters", "weather"),
            "el": ("ήλιος", "Αθήνα", "μέτρα", "καιρός"),
        },
    )
    labels(tmp_path)
    words = [
        {"englishWord": "water ", "targetWord": "νερό"},
        {"englishWord": "", "targetWord": "α"},
    ]
    archive(tmp_path / word_lists.THOUSAND.archive, {"words/el.json": {"words": words}})
    return tmp_path


def test_names_of_the_same_things_are_entries(folder):
    found = word_lists.WordLists(folder).entries("el")
    assert found == [
        DictionaryEntry(*pair)
        for pair in (
            ("Athens", "Αθήνα"),
            ("sun", "ήλιος"),
            ("meters", "μέτρα"),
            ("café", "καφές"),
            ("Zoo", "Ζωολογικός Κήπος"),
            ("water", "νερό"),
        )
    ]


def test_labels_are_no_running_text(folder):
    lists = word_lists.WordLists(folder)
    labels = {DictionaryEntry("café", "καφές"), DictionaryEntry("Zoo", "Ζωολογικός Κήπος")}
    assert lists.words("el") == [one for one in lists.entries("el") if one not in labels]


def test_descriptions_synonyms_and_keywords_are_sentence_pairs(folder):
    found = word_lists.WordLists(folder).pairs("el")
    assert found == [
        SentencePair(*pair)
        for pair in (
            ("a drink", "ένα ποτό"),
            ("coffee, espresso", "εσπρέσο"),
            ("animals", "ζώα"),
            ("weather", "καιρός"),
            ("sun, weather", "ήλιος, καιρός"),
        )
    ]


def test_nothing_is_fetched_that_is_there(folder):
    packages = [package.archive for package in word_lists.PACKAGES]
    assert [path.name for path in word_lists.WordLists(folder).archives("el")] == packages


def test_chinese_glosses_that_only_point_elsewhere_are_left_out(tmp_path):
    entries = [
        {"simplified": "走", "english": ["to walk; to go (on foot)", "CL:個|个[ge4]"]},
        {"simplified": "李", "english": ["surname Li", "plum"]},
    ]
    archive(tmp_path / asian_dictionaries.CEDICT.archive, {"cedict.json": entries})
    assert list(asian_dictionaries.chinese(tmp_path)) == [
        ("walk", "走"),
        ("go", "走"),
        ("plum", "李"),
    ]


def test_thai_words_meet_the_words_of_their_synsets(tmp_path):
    database = tmp_path / "thai.db"
    connection = sqlite3.connect(database)
    connection.execute("create table word_synset(synsetid text, li text)")
    rows = [("00000042-n", "น้ำ"), ("00000007-s", "ใหญ่"), ("99999999-n", "?")]
    connection.executemany("insert into word_synset values (?, ?)", rows)
    connection.commit()
    connection.close()
    with zipfile.ZipFile(tmp_path / asian_dictionaries.THAI.archive, "w") as wheel:
        wheel.write(database, "pythainlp/corpus/wordnet_th.db")
    files = dict.fromkeys(asian_dictionaries.CATEGORIES, "  1 the licence\n")
    files["noun"] += "00000042 03 n 03 water 0 body_of_water 0 H2O 0 000 | wet\n"
    files["adj"] += "00000007 00 s 01 big(p) 0 000 | large\n"
    archive(
        tmp_path / asian_dictionaries.WORDNET.archive,
        {f"wn/data/wordnet-3.0/data.{name}": text.encode() for name, text in files.items()},
    )
    assert list(asian_dictionaries.thai(tmp_path)) == [
        ("big", "ใหญ่"),
        ("water", "น้ำ"),
        ("body of water", "น้ำ"),
    ]
