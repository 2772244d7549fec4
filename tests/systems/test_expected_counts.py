"""Expected counts of many documents at once: the sums that the definition says, bit for bit."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.systems.lexical.expected_counts import PackedDimensions, expected_counts

# what each word may stand for; the last of all dimensions is in it, and one that words share
MEANINGS = {
    "sea": [(7, 1.0), (2**32 - 1, 0.3), (40, 0.7)],
    "tide": [(8, 1.0), (40, 0.1), (41, 1 / 3)],
    "ebb": [(9, 1.0), (40, 1e-9)],
    "the": [],
}

bags = st.lists(st.lists(st.sampled_from(sorted(MEANINGS)), max_size=12), max_size=5)


def by_definition(words: list[str]) -> dict[int, float]:
    """tf(e, d) = sum over f of tf(f, d) p(e | f), words in the order in which they come."""
    sums: dict[int, float] = {}
    for word, count in Counter(words).items():
        for dimension, probability in MEANINGS[word]:
            sums[dimension] = sums.get(dimension, 0.0) + probability * count
    return sums


@given(bags)
@settings(max_examples=60)
def test_rows_are_the_sums_of_the_definition(documents):
    rows = expected_counts([Counter(words) for words in documents], PackedDimensions(MEANINGS.get))
    assert (rows.starts[0], rows.starts[-1]) == (0, len(rows.values))
    for words, (start, end) in zip(documents, pairwise(rows.starts), strict=True):
        expected = by_definition(words)
        assert rows.dimensions[start:end].tolist() == sorted(expected)
        weights = np.array([expected[one] for one in sorted(expected)], dtype=np.float32)
        assert rows.values[start:end].tobytes() == weights.tobytes()


def test_a_word_is_looked_up_once():
    asked = []
    dimensions = PackedDimensions(lambda word: asked.append(word) or MEANINGS[word])
    for _ in range(2):
        expected_counts([Counter({"sea": 2}), Counter({"tide": 1, "sea": 1})], dimensions)
    assert asked == ["sea", "tide"]
