import hashlib
import json

import numpy as np
import pytest

from dragoman.errors import UnknownName
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.shipped_lexicons import (
    DATA,
    PIVOT,
    SUFFIX,
    shipped_languages,
    shipped_lexicon,
)
from dragoman.tokens.analyzer import AnalyzerConfig

LANGUAGES = (
    "ar",
    "bg",
    "cs",
    "de",
    "el",
    "es",
    "fi",
    "fr",
    "ha",
    "hi",
    "id",
    "it",
    "ja",
    "ko",
    "nl",
    "pl",
    "pt",
    "ru",
    "so",
    "sw",
    "th",
    "tl",
    "tr",
    "uk",
    "vi",
    "yo",
    "zh",
)
WATER = {
    "ar": "ماء",
    "cs": "voda",
    "de": "Wasser",
    "el": "νερό",
    "es": "agua",
    "fr": "eau",
    "ha": "ruwa",
    "id": "air",
    "it": "acqua",
    "ko": "물",
    "nl": "water",
    "pl": "woda",
    "pt": "água",
    "ru": "вода",
    "sw": "maji",
    "tl": "tubig",
    "tr": "su",
    "uk": "вода",
    "vi": "nước",
    "yo": "omi",
}


def test_all_languages_are_there():
    assert shipped_languages() == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_is_whole(language):
    table = shipped_lexicon(language)
    assert (table.source, table.target) == (PIVOT, language)
    table.check_analysis(AnalyzerConfig())
    for matrix in (table.forward, table.backward):
        sums = sparse_rows.row_sums(matrix)
        assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()
        assert (sums > 0).mean() > 0.5
    assert not any(" " in word for word in (*table.source_words, *table.target_words))


@pytest.mark.parametrize(("language", "word"), WATER.items())
def test_water_is_known_everywhere(language, word):
    table = shipped_lexicon(language)
    expected = table.analyzer()(word, language)[0]
    assert expected in dict(table.translations("water", 3))


def test_other_pairs_go_through_the_pivot():
    through = shipped_lexicon("de").reversed().composed(shipped_lexicon("fr"))
    assert through.translations("katz", 1)[0][0] == "chat"


def test_compounds_are_split_where_they_are_written():
    assert set(shipped_lexicon("de").splitters) == {"de"}
    assert set(shipped_lexicon("fi").splitters) == {"fi"}
    assert shipped_lexicon("fr").splitters == {}


def test_a_language_without_a_table_lists_the_others():
    with pytest.raises(UnknownName, match=r"'cy'.*Known: ar, bg, cs, de, el, es, fi, fr"):
        shipped_lexicon("cy")


def test_the_manifest_names_every_table_as_it_is():
    manifest = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
    assert sorted(manifest) == list(LANGUAGES)
    for language, facts in manifest.items():
        content = (DATA / f"{language}{SUFFIX}").read_bytes()
        assert hashlib.sha256(content).hexdigest() == facts["sha256"]
        assert "wikidata-properties-1.0.0.tgz" in facts["inputs"]


def test_all_tables_together_are_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 40_000_000
