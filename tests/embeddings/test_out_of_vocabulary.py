import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.embeddings.out_of_vocabulary import (
    FuzzyWordSpace,
    OovConfig,
    Substitute,
    with_substitutes,
    word_coverage,
)
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.types import Text

AXES = np.eye(16, dtype=np.float32)
ENGLISH = WordVectors("en", ("tree", "cat", "bat", "rat", "transition"), AXES[:5])
FRENCH = WordVectors("fr", ("arbre", "transition", "été"), AXES[5:8])
SPACE = WordSpace.stack([ENGLISH, FRENCH])


def rng(seed=0):
    return np.random.default_rng(seed)


def test_a_plural_takes_the_vector_of_its_singular():
    """The paper's example: tree and trees."""
    near = FuzzyWordSpace(SPACE, 1, rng())
    assert near.rows(["trees"], "en").tolist() == SPACE.rows(["tree"], "en").tolist()
    assert near.substitutes(["trees", "tree", "xyz"], "en") == [
        Substitute("tree", 0, 1),
        None,
        None,
    ]


def test_an_accent_that_is_missing_is_forgiven():
    assert FuzzyWordSpace(SPACE, 1, rng()).rows(["eté"], "fr").tolist() == [7]


def test_words_are_looked_up_in_their_own_language_alone():
    near = FuzzyWordSpace(SPACE, 1, rng())
    assert near.rows(["trees", "arbres"], "fr").tolist() == [ABSENT, 5]
    assert near.rows(["trees"], "de").tolist() == [ABSENT]
    assert near.substitutes(["trees"], "de") == [None]


def test_the_distance_is_a_limit():
    assert FuzzyWordSpace(SPACE, 1, rng()).rows(["arbreses"], "fr").tolist() == [ABSENT]
    assert FuzzyWordSpace(SPACE, 2, rng()).rows(["arbres"], "fr").tolist() == [5]


def test_a_nearer_word_goes_before_a_farther_one():
    assert FuzzyWordSpace(SPACE, 2, rng()).substitutes(["cata"], "en") == [Substitute("cat", 1, 1)]


def test_equals_are_chosen_by_the_seed_and_every_one_gets_its_turn():
    chosen = {int(FuzzyWordSpace(SPACE, 1, rng(seed)).rows(["mat"], "en")[0]) for seed in range(40)}
    assert chosen == {1, 2, 3}
    again = [FuzzyWordSpace(SPACE, 1, rng(3)).rows(["mat"], "en")[0] for _ in range(2)]
    assert again[0] == again[1]


@given(st.permutations(["mat", "hat", "fat", "trees", "unknown", "vat", "cat"]), st.integers(0, 7))
@settings(max_examples=30, deadline=None)
def test_what_was_asked_before_changes_no_choice(words, cut):
    whole = FuzzyWordSpace(SPACE, 1, rng())
    parts = FuzzyWordSpace(SPACE, 1, rng())
    together = dict(zip(words, whole.rows(words, "en").tolist(), strict=True))
    apart = parts.rows(words[cut:], "en").tolist() + parts.rows(words[:cut], "en").tolist()
    assert dict(zip(words[cut:] + words[:cut], apart, strict=True)) == together


def test_the_order_of_the_dictionary_changes_no_choice():
    turned = WordVectors("en", ENGLISH.words[::-1], ENGLISH.matrix[::-1].copy())
    for seed in range(10):
        one = FuzzyWordSpace(SPACE, 1, rng(seed)).substitutes(["mat"], "en")[0]
        other = FuzzyWordSpace(WordSpace.stack([turned]), 1, rng(seed)).substitutes(["mat"], "en")[
            0
        ]
        assert one.word == other.word


def test_every_part_can_be_switched_off():
    off = with_substitutes(SPACE, OovConfig(distance=0, collapse=False), rng())
    near = with_substitutes(SPACE, OovConfig(distance=1, collapse=False), rng())
    same = with_substitutes(SPACE, OovConfig(distance=0, collapse=True), rng())
    both = with_substitutes(SPACE, OovConfig(), rng())
    found = {
        name: rows.rows(["transition", "arbres"], "fr").tolist()
        for name, rows in {"off": off, "near": near, "same": same, "both": both}.items()
    }
    assert found == {"off": [6, -1], "near": [6, 5], "same": [4, -1], "both": [4, 5]}


def test_a_near_word_has_the_shared_vector_of_an_identical_one():
    both = with_substitutes(SPACE, OovConfig(), rng())
    assert both.rows(["transitions"], "fr").tolist() == SPACE.rows(["transition"], "en").tolist()


def test_coverage_is_counted_by_language_before_and_after():
    texts = [Text("trees, trees and cats: xyz", "en"), Text("arbres", "fr")]
    before = word_coverage(texts, SPACE, WordTokenizer())
    after = word_coverage(texts, with_substitutes(SPACE, OovConfig(), rng()), WordTokenizer())
    assert (before["en"].of_running, after["en"].of_running) == (0.0, 3 / 4)
    assert (before["en"].of_distinct, after["en"].of_distinct) == (0.0, 2 / 3)
    assert (before["fr"].of_running, after["fr"].of_running) == (0.0, 1.0)


def test_the_coverage_of_no_words_is_none():
    found = word_coverage([Text("", "en")], SPACE, WordTokenizer())["en"]
    assert (found.of_running, found.of_distinct) == (0.0, 0.0)


@pytest.mark.parametrize("distance", [-1, 3])
def test_other_distances_are_refused(distance):
    with pytest.raises(ConfigError, match=f"distance must be 0, 1 or 2, got {distance}"):
        OovConfig(distance=distance)
