import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.embeddings.bilingual import cooccurrences
from dragoman.embeddings.bilingual.cooccurrences import window_counts

sentences = st.lists(st.lists(st.integers(0, 6), max_size=9), max_size=12)


def counted_by_hand(given_sentences, size, window):
    counts = np.zeros((size, size))
    for words in given_sentences:
        for i, word in enumerate(words):
            for j, near in enumerate(words):
                if i != j and abs(i - j) <= window and word < size and near < size:
                    counts[word, near] += 1 / abs(i - j)
    return counts


def packed(given_sentences):
    words = np.array([word for one in given_sentences for word in one], dtype=np.int32)
    return words, np.cumsum([0, *map(len, given_sentences)])


@given(sentences, st.integers(1, 4), st.integers(1, 7))
@settings(max_examples=80, deadline=None)
def test_counts_are_those_made_by_hand(given_sentences, window, size):
    found = window_counts(*packed(given_sentences), size, window).toarray()
    np.testing.assert_allclose(found, counted_by_hand(given_sentences, size, window), rtol=1e-5)


def test_chunks_change_nothing(monkeypatch):
    text = [list(np.random.default_rng(n).integers(0, 9, size=n)) for n in range(30)]
    whole = window_counts(*packed(text), 9, 3).toarray()
    monkeypatch.setattr(cooccurrences, "CHUNK", 60)
    np.testing.assert_allclose(window_counts(*packed(text), 9, 3).toarray(), whole, rtol=1e-6)
