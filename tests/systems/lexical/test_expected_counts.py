"""Expected counts of many documents at once: the sums that the definition says, bit for bit."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.systems.lexical.expected_counts import (
    HIGHEST,
    PackedDimensions,
    expected_counts,
)
from dragoman.systems.lexical.word_counts import WordBag

# what each word may stand for; the last of all dimensions is in it, and one that words share
MEANINGS = {
    "sea": [(7, 1.0), (2**32 - 1, 0.3), (40, 0.7)],
    "tide": [(8, 1.0), (40, 0.1), (41, 1 / 3)],
    "ebb": [(9, 1.0), (40, 1e-9)],
    "the": [],
}

WORDS = sorted(MEANINGS)

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=5)


def bag(words: list[str]) -> WordBag:
    counts = Counter(words)
    numbers = np.array([WORDS.index(word) for word in counts], np.intc)
    return WordBag(numbers.tobytes(), np.array([*counts.values()], np.intc).tobytes(), len(words))


def looked_up(words: Sequence[str]) -> Iterable[list[tuple[int, float]]]:
    return [MEANINGS[word] for word in words]


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
    counts = expected_counts(
        [bag(words) for words in documents], PackedDimensions(WORDS, looked_up)
    )
    for words, mine in zip(documents, counts, strict=True):
        expected = by_definition(words)
        assert mine.length == len(words)
        assert mine.dimensions.tolist() == sorted(expected)
        values = np.array([expected[one] for one in sorted(expected)], dtype=np.float32)
        assert mine.counts.tobytes() == values.tobytes()


def test_counts_end_where_half_precision_does():
    (counts,) = expected_counts([bag(["sea"] * 70_000)], PackedDimensions(WORDS, looked_up))
    assert counts.counts.tolist() == [HIGHEST, np.float32(0.7 * 70_000), np.float32(0.3 * 70_000)]


def test_words_are_looked_up_once_in_the_order_of_their_numbers():
    asked = []
    dimensions = PackedDimensions(WORDS, lambda words: asked.append(words) or looked_up(words))
    for _ in range(2):
        expected_counts([bag(["ebb"])], dimensions)
        expected_counts([bag(["tide", "sea", "ebb"]), bag(["sea"])], dimensions)
    assert asked == [["ebb"], ["sea", "the", "tide"]]
    assert len(dimensions) == len(WORDS)
