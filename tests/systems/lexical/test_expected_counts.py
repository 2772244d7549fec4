"""Expected counts of many documents at once: the sums that the definition says, bit for bit."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.systems.lexical.expected_counts import (
    HIGHEST,
    PackedDimensions,
    expected_counts,
)

# what each word may stand for; the last of all dimensions is in it, and one that words share
MEANINGS = {
    "sea": [(7, 1.0), (2**32 - 1, 0.3), (40, 0.7)],
    "tide": [(8, 1.0), (40, 0.1), (41, 1 / 3)],
    "ebb": [(9, 1.0), (40, 1e-9)],
    "the": [],
}

WORDS = sorted(MEANINGS)

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=5)


def by_definition(words: list[str]) -> dict[int, float]:
    """tf(e, d) = sum over f of tf(f, d) p(e | f), words in the order in which they come."""
    sums: dict[int, float] = {}
    for word, count in Counter(words).items():
        for dimension, probability in MEANINGS[word]:
            sums[dimension] = sums.get(dimension, 0.0) + probability * count
    return sums


@given(texts)
@settings(max_examples=60)
def test_rows_are_the_sums_of_the_definition(documents):
    bags = [Counter(words) for words in documents]
    counts = expected_counts(bags, PackedDimensions(MEANINGS.__getitem__))
    for words, mine in zip(documents, counts, strict=True):
        expected = by_definition(words)
        assert mine.length == len(words)
        assert mine.dimensions.tolist() == sorted(expected)
        values = np.array([expected[one] for one in sorted(expected)], dtype=np.float32)
        assert mine.counts.tobytes() == values.tobytes()


def test_counts_end_where_half_precision_does():
    dimensions = PackedDimensions(MEANINGS.__getitem__)
    (counts,) = expected_counts([Counter(sea=70_000)], dimensions)
    assert counts.counts.tolist() == [HIGHEST, np.float32(0.7 * 70_000), np.float32(0.3 * 70_000)]


def looking_up(asked):
    return PackedDimensions(lambda word: asked.append(word) or MEANINGS[word])


def test_words_are_looked_up_once():
    asked = []
    dimensions = looking_up(asked)
    for _ in range(2):
        expected_counts([Counter(["ebb"])], dimensions)
        expected_counts([Counter(["tide", "sea", "ebb"]), Counter(["sea"])], dimensions)
    assert asked == ["ebb", "tide", "sea"]


def test_words_are_forgotten_when_they_are_many(monkeypatch):
    monkeypatch.setattr("dragoman.systems.lexical.expected_counts.CACHED_WORDS", 1)
    asked = []
    dimensions = looking_up(asked)
    batches = [["ebb"], ["tide"], ["ebb"], ["sea", "ebb"]]
    found = [expected_counts([Counter(words)], dimensions)[0] for words in batches]
    assert asked == ["ebb", "tide", "ebb", "sea"]
    for words, mine in zip(batches, found, strict=True):
        assert mine.dimensions.tolist() == sorted(by_definition(words))
