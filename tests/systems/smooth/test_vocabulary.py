from dataclasses import replace

import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.systems.smooth.vocabulary import SmoothVocabulary, initial_vectors
from unit_vectors import vectors_of


def test_a_language_whose_words_are_all_rare_is_left_out():
    # a saved model would not have it after reading, and so another signature
    texts = [("en", ["tide", "tide"]), ("it", ["marea"])]
    assert SmoothVocabulary.learn(texts, most=10, seen=2).words == {"en": ("tide",)}


def test_a_vocabulary_keeps_the_frequent_words_of_each_language():
    texts = [("en", ["b", "a", "a", "c"]), ("it", ["a", "b", "b"]), ("en", ["a", "b"])]
    vocabulary = SmoothVocabulary.learn(texts, most=2, seen=2)
    assert vocabulary.words == {"en": ("a", "b"), "it": ("b",)}
    assert len(vocabulary) == 4  # and the padding
    assert vocabulary.rows(["b", "x", "a"], "en") == [2, 1]
    assert vocabulary.rows(["b"], "it") == [3]
    assert vocabulary.rows(["b"], "de") == []


def test_given_vectors_are_taken_stretched_and_their_words_known():
    learnt = SmoothVocabulary({"en": ("dog", "tree")})
    given = {"en": vectors_of("en", ("Dog", "cat"))}
    grown = learnt.extended(given, most=10)
    assert grown.words == {"en": ("dog", "tree", "cat")}
    (table,) = initial_vectors([grown], 4, given, np.random.default_rng(0))
    assert table[1].tolist() == [2, 0, 0, 0]  # length sqrt(4), as drawn rows have on average
    assert table[3].tolist() == [0, 2, 0, 0]
    assert np.abs(table[2]).sum() > 0


def test_given_vectors_can_keep_the_lengths_of_their_file():
    asked = SmoothVocabulary({"en": ("cat", "dog", "tree")})
    given = {"en": replace(vectors_of("en", ("Dog", "cat")), lengths=np.array([0.5, 3.0]))}
    rng = np.random.default_rng(0)
    (table,) = initial_vectors([asked], 4, given, rng, own_lengths=True)
    assert table[1].tolist() == [0, 3, 0, 0]
    assert table[2].tolist() == [0.5, 0, 0, 0]
    without = {"en": vectors_of("en", ("dog",))}
    with pytest.raises(ConfigError, match="vectors of 'en' in a folder, where all have length one"):
        initial_vectors([asked], 4, without, rng, own_lengths=True)


def test_words_spelt_alike_start_alike_in_both_tables():
    asked, found = (
        SmoothVocabulary({"en": ("linux", "house")}),
        SmoothVocabulary({"it": ("casa", "linux")}),
    )
    tables = initial_vectors([asked, found], 8, {}, np.random.default_rng(0))
    assert tables[0][1].tolist() == tables[1][2].tolist()
    assert tables[0][2].tolist() != tables[1][1].tolist()
