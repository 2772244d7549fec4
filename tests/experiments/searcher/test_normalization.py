"""English normalised once is not changed by normalising, or by a system that stems."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.normalization import is_stem, normalize_english
from dragoman.systems.searcher.terms import is_stop_word
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

TEXT = "The Ministers were easily running hospitals' universities, does this generalization agree?"


def test_forms_of_a_word_are_one():
    assert normalize_english("Phones, a phone") == "phone a phone"
    assert normalize_english("") == ""


def test_normalising_twice_changes_nothing():
    once = normalize_english(TEXT)
    assert normalize_english(once) == once


def test_lexical_systems_keep_the_words_of_normalised_text():
    once = normalize_english(TEXT)
    analyze = Analyzer(AnalyzerConfig(stop=True, stem=True))
    content = [word for word in once.split() if is_stem(word) and not is_stop_word(word, "en")]
    assert {"minist", "hospit", "universiti"} <= set(content)
    assert [analyze(word, "en") for word in content] == [[word] for word in content]


def test_a_word_whose_stem_is_a_stop_word_stays_and_is_no_stem():
    assert is_stop_word("run", "en")
    assert normalize_english("running") == "running"
    assert not is_stem("running")
