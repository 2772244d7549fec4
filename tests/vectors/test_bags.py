import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from dragoman.errors import ConfigError
from dragoman.types import Text
from dragoman.vectors.bags import Bagger, DocumentFrequencies, Weighting
from dragoman.vectors.space import WordSpace
from dragoman.vectors.words import WordVectors

ENGLISH = ("cat", "sat", "mat", "dog", "transition")
FRENCH = ("chat", "assis", "tapis", "transition")
AXES = np.eye(9, dtype=np.float32)
SPACE = WordSpace.stack([WordVectors("en", ENGLISH, AXES[:5]), WordVectors("fr", FRENCH, AXES[5:])])
TEXTS = [
    Text("The cat sat on the mat; the cat sat", "en"),
    Text("A dog, a dog and a transition", "en"),
    Text("Le chat est assis sur le tapis", "fr"),
    Text("Transition du chat", "fr"),
    Text("zebras graze", "en"),
]

texts = st.lists(
    st.builds(
        lambda words, language: Text(" ".join(words), language),
        st.lists(st.sampled_from([*ENGLISH, *FRENCH, "unknown"]), max_size=12),
        st.sampled_from(["en", "fr"]),
    ),
    max_size=8,
)


def bags(given_texts, weighting=Weighting.IDF, space=SPACE):
    bagger = Bagger(space, weighting=weighting)
    read = [bagger.read(text) for text in given_texts]
    return bagger.bags(read, DocumentFrequencies.fit(read))


def test_the_papers_example_weighs_every_word_a_third():
    """Balikas et al. 2018, section 3.2: "the cat sits on the mat"."""
    found = bags([Text("the cat sat on the mat", "en")], Weighting.TF).toarray()[0]
    np.testing.assert_allclose(found[:3], 1 / 3, rtol=1e-6)
    assert found[3:].sum() == 0


def test_idf_is_scikit_learns_fitted_on_both_languages_together():
    """The authors' way: words tagged by language, one TfidfVectorizer over both collections."""
    bagger = Bagger(SPACE)
    read = [bagger.read(text) for text in TEXTS]
    tagged = [
        " ".join(
            f"{word}__{one.language}"
            for word, count in zip(one.words, one.counts, strict=True)
            for _ in range(count)
        )
        for one in read
    ]
    vocabulary = [f"{word}__en" for word in ENGLISH] + [f"{word}__fr" for word in FRENCH]
    expected = TfidfVectorizer(vocabulary=vocabulary, norm="l1").fit_transform(tagged)
    found = bagger.bags(read, DocumentFrequencies.fit(read))
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)


def test_bare_idf_is_the_formula_of_the_paper():
    """ln((N + 1) / (df + 1)): of 3 documents, cat is in 2 and dog in 1."""
    three = [Text("cat dog", "en"), Text("cat", "en"), Text("mat", "en")]
    found = bags(three, Weighting.BARE_IDF).toarray()[0]
    cat, dog = np.log(4 / 3), np.log(4 / 2)
    np.testing.assert_allclose(found[[0, 3]], [cat / (cat + dog), dog / (cat + dog)], rtol=1e-6)


def test_a_word_that_is_everywhere_leaves_a_bare_bag_empty():
    assert bags([Text("cat", "en")], Weighting.BARE_IDF).nnz == 0


@given(texts)
@settings(max_examples=50, deadline=None)
def test_rows_sum_to_one_or_are_empty(given_texts):
    for weighting in Weighting:
        found = bags(given_texts, weighting)
        assert found.dtype == np.float32
        assert found.shape == (len(given_texts), len(SPACE.points))
        assert (found.data > 0).all()
        assert found.has_sorted_indices
        sums = np.asarray(found.sum(axis=1)).ravel()
        empty = np.diff(found.indptr) == 0
        np.testing.assert_allclose(sums[~empty], 1, rtol=1e-5)


@given(texts, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_word_order_and_batches_change_nothing(given_texts, random):
    bagger = Bagger(SPACE)
    read = [bagger.read(text) for text in given_texts]
    frequencies = DocumentFrequencies.fit(read)
    whole = bagger.bags(read, frequencies).toarray()
    for row, text in enumerate(given_texts):
        words = text.body.split()
        random.shuffle(words)
        alone = bagger.bag(Text(" ".join(words), text.language), frequencies).toarray()
        np.testing.assert_allclose(alone[0], whole[row], rtol=1e-6)


@given(texts, texts)
@settings(max_examples=30, deadline=None)
def test_documents_that_come_and_go_leave_the_frequencies_as_they_were(stay, go):
    bagger = Bagger(SPACE)
    staying = [bagger.read(text) for text in stay]
    changed = DocumentFrequencies.fit(staying)
    for text in go:
        changed.add(bagger.read(text))
    for text in go:
        changed.remove(bagger.read(text))
    expected = DocumentFrequencies.fit(staying)
    assert changed.documents == expected.documents
    assert {k: +v for k, v in changed.counts.items() if +v} == {
        k: v for k, v in expected.counts.items() if v
    }


def test_a_text_that_was_never_added_cannot_be_removed():
    with pytest.raises(ConfigError, match="that was never added"):
        DocumentFrequencies().remove(Bagger(SPACE).read(TEXTS[0]))


def test_words_on_one_point_add_up_each_by_its_own_idf():
    shared = WordSpace.stack([WordVectors("en", ("cat", "cats"), AXES[:2])])
    shared = WordSpace(shared.points, shared.words, {"en": {"cat": 0, "cats": 0, "dog": 1}})
    three = [Text("cat cats dog", "en"), Text("cat", "en")]
    found = bags(three, Weighting.IDF, shared).toarray()[0]
    cat, rare = np.log(3 / 3) + 1, np.log(3 / 2) + 1
    np.testing.assert_allclose(found, np.array([cat + rare, rare]) / (cat + 2 * rare), rtol=1e-6)


def test_only_the_first_known_words_count():
    read = Bagger(SPACE, first=2).read(Text("unknown cat strange cat dog", "en"))
    assert (read.words, read.counts.tolist(), read.unknown) == (("cat",), [2], 2)


def test_a_text_without_a_known_word_is_an_empty_row():
    read = Bagger(SPACE).read(TEXTS[-1])
    assert (read.words, read.total, read.unknown) == ((), 0, 2)


def test_at_least_one_word_is_kept():
    with pytest.raises(ConfigError, match="first must be at least 1, got 0"):
        Bagger(SPACE, first=0)
