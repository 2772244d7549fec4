import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from dragoman.embeddings.normalization import StopWordList
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.systems.bags.collection import BagCollection
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.systems.bags.counts import SegmentBags
from dragoman.systems.bags.reader import BagReader
from dragoman.systems.bags.weighting import Weighting
from dragoman.systems.bags.word_sources import VectorWordSource
from dragoman.types import Text

ENGLISH = ("cat", "sat", "mat", "dog", "transition")
FRENCH = ("chat", "assis", "tapis", "transition")
AXES = np.eye(9, dtype=np.float32)
SPACE = WordSpace.stack([WordVectors("en", ENGLISH, AXES[:5]), WordVectors("fr", FRENCH, AXES[5:])])
KEYS = [f"en:{word}" for word in ENGLISH] + [f"fr:{word}" for word in FRENCH]
SOURCE = VectorWordSource(SPACE, KEYS, ["en", "fr"], "axes")
READER = BagReader(SOURCE, BagSystemConfig(stop=StopWordList.LISTED))
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


def segment(numbered, keys=KEYS):
    """Texts by their numbers, with the keys of the segment in an order of its own."""
    read = [READER(text) for text in numbered.values()]
    return SegmentBags(
        np.array([*numbered], np.int64),
        [f"{number:03}" for number in numbered],
        [text.language for text in numbered.values()],
        np.array([len(one.keys) for one in read], np.int64),
        np.array([keys.index(key) for one in read for key in one.keys], np.int32),
        np.array([count for one in read for count in one.counts], np.int32),
        keys,
        SOURCE.points(keys),
    )


def collection(given_texts, weighting=Weighting.IDF):
    return BagCollection.build([segment(dict(enumerate(given_texts)))], 9, weighting)


def bags(built):
    """Rows that sum to one over the keys in their order above."""
    table = np.zeros((len(built.ids), len(KEYS)))
    order = [KEYS.index(key) for key in built.vocabulary.columns]
    table[:, order] = built.bags.toarray()
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=table, where=sums > 0)


def test_the_papers_example_weighs_every_word_a_third():
    """Balikas et al. 2018, section 3.2: "the cat sits on the mat"."""
    weights = bags(collection([Text("the cat sat on the mat", "en")], Weighting.TF))[0]
    np.testing.assert_allclose(weights[:3], 1 / 3, rtol=1e-6)
    assert weights[3:].sum() == 0


def test_idf_equals_that_of_scikit_learn_fitted_on_both_languages_together():
    """The authors' way: words tagged by language, one TfidfVectorizer over both collections."""
    tagged = [" ".join(f"{text.language}:{word}" for word in READER.words(text)) for text in TEXTS]
    vectorizer = TfidfVectorizer(
        vocabulary=KEYS, norm="l1", tokenizer=str.split, token_pattern=None, lowercase=False
    )
    expected = vectorizer.fit_transform(tagged)
    np.testing.assert_allclose(bags(collection(TEXTS)), expected.toarray(), rtol=1e-6)


def test_bare_idf_is_the_formula_of_the_paper():
    """ln((N + 1) / (df + 1)): of 3 documents, cat is in 2 and dog in 1."""
    three = [Text("cat dog", "en"), Text("cat", "en"), Text("mat", "en")]
    weights = bags(collection(three, Weighting.BARE_IDF))[0]
    cat, dog = np.log(4 / 3), np.log(4 / 2)
    np.testing.assert_allclose(weights[[0, 3]], [cat / (cat + dog), dog / (cat + dog)], rtol=1e-6)


@given(texts)
@settings(max_examples=30, deadline=None)
def test_a_text_read_again_has_the_bag_that_it_has_as_a_document(given_texts):
    built = collection(given_texts)
    whole = built.bags.toarray()
    for number, text in enumerate(given_texts):
        again = Text(" ".join(reversed(text.body.split())), text.language)
        bag = built.weighted(READER(again), SOURCE)
        columns = built.vocabulary.columns_of([f"{text.language}:{word}" for word in bag.words])
        assert whole[number, columns].tolist() == bag.weights.tolist()
        assert np.count_nonzero(whole[number]) == len(bag.words)
        assert (bag.points == built.vocabulary.points[columns]).all()


@given(texts, st.lists(st.integers(0, 2), min_size=8, max_size=8), st.permutations(KEYS))
@settings(max_examples=60, deadline=None)
def test_segments_give_what_one_segment_gives(given_texts, owners, keys):
    numbered = dict(enumerate(given_texts))
    mine = [{n: text for n, text in numbered.items() if owners[n] == owner} for owner in range(3)]
    split = BagCollection.build([segment(some, keys) for some in mine], 9, Weighting.IDF)
    whole = collection(given_texts)
    assert split.ids == whole.ids
    assert split.numbers.tolist() == whole.numbers.tolist() == sorted(numbered)
    assert split.languages.tolist() == [text.language for text in given_texts]
    assert split.vocabulary.columns == whole.vocabulary.columns
    assert split.bags.data.tolist() == whole.bags.data.tolist()
    assert split.bags.indices.tolist() == whole.bags.indices.tolist()
    assert split.bags.indptr.tolist() == whole.bags.indptr.tolist()
    assert (split.vocabulary.points == whole.vocabulary.points).all()


def test_a_word_that_no_document_has_weighs_as_in_none_of_them():
    bag = collection(TEXTS[2:4]).weighted(READER(Text("dog transition", "en")), SOURCE)
    assert bag.words == ("dog", "transition")
    assert bag.weights == pytest.approx([np.log(3) + 1] * 2)
    assert (bag.points == AXES[[3, 4]]).all()


def test_a_word_without_a_direction_weighs_nothing():
    mute = segment({0: Text("cat dog", "en")})
    mute.points[KEYS.index("en:dog")] = 0
    built = BagCollection.build([mute], 9, Weighting.TF)
    assert built.bags.toarray().tolist() == [[1.0, 0.0]]
    assert built.weighted(READER(TEXTS[1]), SOURCE).weights.tolist() == [0.0, 1.0]


def test_words_of_a_language_come_with_their_document_frequencies():
    assert collection(TEXTS).words("fr") == {"chat": 2, "assis": 1, "tapis": 1, "transition": 1}


def test_a_text_without_a_known_word_weighs_nothing():
    built = collection(TEXTS)
    assert built.bags[[4]].nnz == 0
    assert built.weighted(READER(TEXTS[-1]), SOURCE).words == ()
