import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from dragoman.embeddings.deletion_index import DeletionIndex
from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import ABSENT

letters = st.text(alphabet="abς𐍈", max_size=14)  # few letters, so that words are near each other


def nearest_by_brute_force(words, asked, distance):
    found = []
    for word in asked:
        away = [Levenshtein.distance(word, known) for known in words]
        least = min(away, default=distance + 1)
        numbers = [n for n, one in enumerate(away) if one == least]
        found.append((least, numbers) if least <= distance else (ABSENT, [ABSENT]))
    return found


@given(st.lists(letters, min_size=1, max_size=40, unique=True), st.lists(letters, max_size=15))
@pytest.mark.parametrize("distance", [1, 2])
@settings(max_examples=120, deadline=None)
def test_the_nearest_words_are_those_of_brute_force(distance, words, asked):
    index = DeletionIndex.build(words, distance)
    for draw in (0, 1, 7):
        draws = np.full(len(asked), draw, dtype=np.uint64)
        numbers, distances = index.nearest(asked, draws)
        expected = nearest_by_brute_force(words, asked, distance)
        assert distances.tolist() == [least for least, _ in expected]
        assert numbers.tolist() == [among[draw % len(among)] for _, among in expected]


@pytest.mark.parametrize("distance", [1, 2])
def test_long_words_that_differ_at_their_ends_are_found(distance):
    word = "donaudampfschifffahrtsgesellschaft"
    index = DeletionIndex.build([word], distance)
    for asked in (word[distance:], word[:-distance], word + "x" * distance):
        numbers, distances = index.nearest([asked], np.zeros(1, dtype=np.uint64))
        assert (numbers.tolist(), distances.tolist()) == ([0], [distance])


def test_many_equals_share_the_draws_evenly():
    words = [f"{chr(97 + n)}at" for n in range(26)]
    index = DeletionIndex.build(words, 1)
    draws = np.arange(2600, dtype=np.uint64)
    numbers, _ = index.nearest(["?at"] * 2600, draws)
    assert np.bincount(numbers).tolist() == [100] * 26


def test_no_words_are_near_nothing():
    index = DeletionIndex.build([], 1)
    assert len(index) == 0
    numbers, _ = index.nearest(["a"], np.zeros(1, dtype=np.uint64))
    assert numbers.tolist() == [ABSENT]


@pytest.mark.parametrize("distance", [0, 3])
def test_other_distances_are_refused(distance):
    with pytest.raises(ConfigError, match=f"distance must be 1 or 2, got {distance}"):
        DeletionIndex.build(["a"], distance)
