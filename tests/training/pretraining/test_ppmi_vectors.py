"""Token vectors from sentences that tokens share."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.ppmi_vectors import ppmi_vectors, token_sentence_counts
from dragoman.training.pretraining.training_data import TokenPairs
from dragoman.training.sequences import Sequences
from toy_bitext import TRANSLATIONS
from toy_pretraining import toy_data, toy_tokenizer

PAIRS = TokenPairs(
    names=("one", "two"),
    groups=np.array([0, 0, 1]),
    firsts=Sequences.pack([[5, 6], [7], [5, 6]]),
    seconds=Sequences.pack([[8], [9, 9], [10]]),
    first_texts=np.array([0, 1, 0]),
    second_texts=np.array([0, 1, 2]),
)


def test_a_sentence_is_a_text_with_all_its_translations():
    found = token_sentence_counts(PAIRS, np.arange(3), 11).toarray()
    assert found.shape == (11, 2)
    assert found[:, 0].tolist() == [0] * 5 + [2, 2, 0, 1, 0, 1]
    assert found[:, 1].tolist() == [0] * 7 + [1, 0, 2, 0]


def test_the_vectors_are_the_factors_of_ppmi():
    counts = token_sentence_counts(PAIRS, np.arange(3), 11).toarray()
    expected = counts * counts.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        expected /= counts.sum(axis=1, keepdims=True) * counts.sum(axis=0)
        ppmi = np.nan_to_num(np.maximum(np.log(expected), 0), nan=0.0, neginf=0.0)
    left, values, _ = np.linalg.svd(ppmi, full_matrices=False)
    wanted = left[:, :2] * np.sqrt(values[:2])
    found = ppmi_vectors(PAIRS, np.arange(3), 11, 4, np.random.default_rng(0))
    assert found.shape == (11, 4)
    known = np.flatnonzero(ppmi.any(axis=1))
    assert np.flatnonzero(found.any(axis=1)).tolist() == known.tolist()
    units = wanted[known] / np.linalg.norm(wanted[known], axis=1, keepdims=True)
    # signs of factors are free; products of vectors are not
    assert found[known] @ found[known].T == pytest.approx(units @ units.T, abs=1e-4)


def test_words_and_their_translations_are_near():
    data, tokenizer = toy_data(), toy_tokenizer()
    rows = np.arange(len(data.training))
    rng = np.random.default_rng(0)
    vectors = ppmi_vectors(data.training, rows, data.vocabulary, 12, rng)
    whole = {
        word: translation
        for word, translation in TRANSLATIONS.items()
        if tokenizer.token_to_id(f"▁{word}") and tokenizer.token_to_id(f"▁{translation}")
    }
    assert len(whole) >= 5
    theirs = [tokenizer.token_to_id(f"▁{translation}") for translation in whole.values()]
    for place, word in enumerate(whole):
        cosines = vectors[theirs] @ vectors[tokenizer.token_to_id(f"▁{word}")]
        assert cosines[place] > np.delete(cosines, place).mean() + 0.3
