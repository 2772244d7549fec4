import pytest

from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
from dragoman.systems.lexical.pivoting import ITSELF, PivotMapper
from dragoman.tokens.analyzer import Analyzer
from lexical_examples import RUSSIAN, lexicon

GREEK = {"νερ": {"water": 1.0}, "σπιτ": {"hous": 1.0}, "line": {"γραμμ": 1.0}}
GERMAN = {"wass": {"water": 1.0}, "normans": {"norm": 1.0}}


class Tables:
    """Tables by language, as the mapper asks for them."""

    def __init__(self, **translations):
        self._tables = {code: lexicon(code, rows) for code, rows in translations.items()}

    def table(self, language):
        return self._tables.get(language)


@pytest.fixture
def mapper():
    return PivotMapper(Tables(el=GREEK, de=GERMAN, ru=RUSSIAN))


def test_english_words_in_another_script_meet_the_words_of_an_english_question(mapper):
    english = Analyzer(DEFAULT_ANALYSIS)
    for surface in ("Normans", "universities", "Lines"):
        found = Analyzer(DEFAULT_ANALYSIS)(surface, "el")
        assert mapper.meanings("el")[found[0]] == {english(surface, "en")[0]: 1.0}


def test_a_table_in_latin_letters_is_asked_for_latin_words(mapper):
    assert mapper.meanings("de")["normans"] == {"norm": 1.0}


def test_an_unknown_word_stands_for_itself_as_english_is_analysed(mapper):
    assert mapper.meanings("de")["vikings"]["vike"] == ITSELF
    assert mapper.meanings("ru")["викингс"]["vike"] == ITSELF
    assert mapper.meanings("nl")["vikings"] == {"vike": 1.0}


def test_numbers_and_small_words_stay_as_they_are(mapper):
    assert mapper.meanings("el")["1066"] == {"1066": 1.0}
    assert mapper.meanings("el")["the"] == {"the": 1.0}
