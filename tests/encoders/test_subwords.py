import numpy as np
import pytest

from dragoman.encoders.subwords import (
    SubwordConfig,
    SubwordVocabulary,
    UnstemmedAnalyzer,
    ngram_keys,
    word_key,
)
from dragoman.errors import ConfigError

TEXTS = [["water", "is", "wet"], ["water", "flows"], ["watering", "is", "work"]]


def test_the_ngrams_of_a_word_are_its_marked_parts():
    # <ab> has the 3-grams <ab and ab>; the whole marked word is not one of its parts
    assert len(ngram_keys("ab")) == 2
    # <abcd>: four 3-grams, three 4-grams, two 5-grams
    assert len(ngram_keys("abcd")) == 9
    assert word_key("<ab") not in ngram_keys("ab")


def test_a_word_of_the_texts_weighs_its_idf():
    vocabulary = SubwordVocabulary.learn(TEXTS, SubwordConfig(rows=100, min_words=1))
    assert vocabulary.weight("water") == pytest.approx(np.log1p(3 / 3), rel=1e-3)
    assert vocabulary.weight("wet") == pytest.approx(np.log1p(3 / 2), rel=1e-3)
    assert vocabulary.weight("unheard") == pytest.approx(np.log1p(3), rel=1e-3)


def test_forms_of_a_word_share_features_and_strangers_have_none():
    vocabulary = SubwordVocabulary.learn(TEXTS, SubwordConfig(rows=100, min_words=2))
    known, weights = vocabulary.features("water")
    unseen, _ = vocabulary.features("waters")
    assert set(known) & set(unseen)
    assert np.linalg.norm(weights) == pytest.approx(1)
    assert len(vocabulary.features("ξένος")[0]) == 0


def test_the_most_frequent_features_get_the_rows():
    vocabulary = SubwordVocabulary.learn(TEXTS, SubwordConfig(rows=4, min_words=1))
    assert len(vocabulary) == 4
    assert vocabulary.weight("water") < vocabulary.unseen
    assert vocabulary.weight("work") == vocabulary.unseen


def test_a_word_that_lost_its_row_is_still_known_to_have_been_met():
    vocabulary = SubwordVocabulary.learn(TEXTS, SubwordConfig(min_words=1))
    rows, _ = vocabulary.features("wet")
    fewer = vocabulary.restricted(np.sort(rows))
    assert len(fewer) == len(rows)
    assert fewer.has("wet")
    assert fewer.has("water")
    assert not fewer.has("waters")
    assert fewer.weight("water") == vocabulary.weight("water")
    assert len(fewer.features("flows")[0]) == 0


def test_an_empty_vocabulary_knows_nothing():
    vocabulary = SubwordVocabulary.learn([], SubwordConfig())
    assert len(vocabulary.features("water")[0]) == 0


def test_words_keep_the_vowel_signs_of_devanagari_and_fold_greek_accents():
    assert UnstemmedAnalyzer("hi")("पानी है") == ["पानी", "है"]
    assert UnstemmedAnalyzer("el")("Άνθρωπος") == UnstemmedAnalyzer("el")("ανθρωποσ")


def test_a_vocabulary_without_rows_is_refused():
    with pytest.raises(ConfigError, match="1 or more"):
        SubwordConfig(rows=0)
