import numpy as np
import pytest
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.methods import (
    BilingualVectors,
    Method,
    direct_vectors,
    incidence,
    monolingual_vectors,
    mutual_translations,
    procrustes_vectors,
    pull_towards_translations,
)
from dragoman.embeddings.bilingual.word_alignment import align_words, tokenize_pairs
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from toy_bitext import TOPICS, TRANSLATIONS, sentences


@pytest.fixture(scope="module")
def words():
    pairs = tokenize_pairs(sentences(600), "en", "sw")
    entries = [(("flame",), ("moto",)), (("sun",), ("jua",))]
    return align_words(pairs, entries, ("en", "sw"), AlignmentConfig(workers=1))


def both(words, method):
    rng = np.random.default_rng(0)
    if method is Method.DIRECT:
        return direct_vectors(words, dimension=8, rng=rng)
    none = np.zeros((0, 2), dtype=np.int64)
    return procrustes_vectors(words, none, dimension=8, window=3, rounds=2, rng=rng)


@pytest.mark.parametrize("pull", [0.0, 2.0])
@pytest.mark.parametrize("method", list(Method))
def test_words_stand_beside_their_translations(words, method, pull):
    source, target = pull_towards_translations(
        both(words, method), words.translation_strength(), pull
    )
    nearest = (source @ target.T).argmax(axis=1)
    right = [
        words.target.words[nearest[words.source.words.index(word)]] == translation
        for word, translation in TRANSLATIONS.items()
    ]
    assert np.mean(right) > (0.9 if pull else 0.3)  # 1 of 17 by chance


@pytest.mark.parametrize("method", list(Method))
def test_words_of_a_topic_are_nearer_than_words_of_another(words, method):
    source, _ = both(words, method)
    rows = [[words.source.words.index(word) for word in topic] for topic in TOPICS]
    within = np.mean([(source[one] @ source[one].T).mean() for one in rows])
    across = np.mean([(source[rows[i]] @ source[rows[i - 1]].T).mean() for i in range(4)])
    assert within > across + 0.3


@pytest.mark.parametrize("method", list(Method))
def test_rows_have_length_one_or_zero(words, method):
    for vectors in both(words, method):
        lengths = np.linalg.norm(vectors, axis=1)
        assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


@pytest.mark.parametrize("method", list(Method))
def test_a_word_of_the_dictionary_alone_is_where_its_translation_is(words, method):
    source, target = pull_towards_translations(
        both(words, method), words.translation_strength(), 1.0
    )
    flame, sun = (words.source.words.index(word) for word in ("flame", "sun"))
    assert source[flame] @ target[words.target.words.index("moto")] > 0.7
    if method is Method.DIRECT:  # an entry is a text as any other
        assert source[sun] @ target[words.target.words.index("jua")] > 0.99


def test_pulling_moves_translations_together():
    source, target = np.eye(2, 4, dtype=np.float32), np.eye(4, dtype=np.float32)[2:]
    strength = csr_array(np.eye(2, dtype=np.float32))
    for pull, expected in ((0.0, 0.0), (0.5, 0.8), (1.0, 1.0), (2.0, 1.0)):
        one, other = pull_towards_translations(BilingualVectors(source, target), strength, pull)
        np.testing.assert_allclose(np.sum(one * other, axis=1), expected, atol=1e-6)


def test_incidence_counts_words_in_sentences_and_entries(words):
    found = incidence(words.source)
    assert found.shape == (len(words.source), 602)
    assert found.sum() == len(words.source.packed)
    assert found[[words.source.words.index("sun")]].toarray()[0].nonzero()[0].tolist() == [601]


def test_mutually_best_words_choose_each_other():
    strength = csr_array(np.array([[0.9, 0.1, 0], [0.8, 0, 0], [0, 0, 0], [0, 0.3, 0.4]]))
    assert mutual_translations(strength).tolist() == [[0, 0], [3, 2]]


def test_a_language_of_few_words_has_zeros_behind_its_numbers(words):
    found = monolingual_vectors(words.source, words.sentences, 40, 3, np.random.default_rng(0))
    assert found.shape == (len(words.source), 40)


def test_the_same_generator_gives_the_same_vectors(words):
    one, other = (both(words, Method.DIRECT).source for _ in range(2))
    np.testing.assert_array_equal(one, other)
