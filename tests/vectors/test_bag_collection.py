import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from dragoman.errors import ConfigError, UnknownName
from dragoman.types import Document, Text
from dragoman.vectors.bag_collection import BagCollection
from dragoman.vectors.bag_config import BagConfig
from dragoman.vectors.counted import Documents, Vocabulary
from dragoman.vectors.space import WordSpace
from dragoman.vectors.spelling import Stop
from dragoman.vectors.weighting import Weighting
from dragoman.vectors.word_sources import GivenWords
from dragoman.vectors.words import WordVectors

ENGLISH = ("cat", "sat", "mat", "dog", "transition")
FRENCH = ("chat", "assis", "tapis", "transition")
AXES = np.eye(9, dtype=np.float32)
SPACE = WordSpace.stack([WordVectors("en", ENGLISH, AXES[:5]), WordVectors("fr", FRENCH, AXES[5:])])
KEYS = [f"en:{word}" for word in ENGLISH] + [f"fr:{word}" for word in FRENCH]
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


def collection(given_texts, **settings):
    config = BagConfig(stop=Stop.LISTED, **settings)
    source = GivenWords(SPACE, KEYS, ["en", "fr"], "axes")
    found = BagCollection(config, source, Vocabulary(source), Documents())
    found.add(documents(given_texts))
    return found


def documents(given_texts):
    return [
        Document(f"{number:03}", text.body, language=text.language)
        for number, text in enumerate(given_texts)
    ]


def bags(found):
    """Rows that sum to one over the keys in their order above."""
    table = np.zeros((len(found.weighed.ids), len(KEYS)))
    order = [KEYS.index(key) for key in found.vocabulary.numbers]
    table[:, order] = found.weighed.bags.toarray()
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=table, where=sums > 0)


def test_the_papers_example_weighs_every_word_a_third():
    """Balikas et al. 2018, section 3.2: "the cat sits on the mat"."""
    found = bags(collection([Text("the cat sat on the mat", "en")], weighting=Weighting.TF))[0]
    np.testing.assert_allclose(found[:3], 1 / 3, rtol=1e-6)
    assert found[3:].sum() == 0


def test_idf_is_scikit_learns_fitted_on_both_languages_together():
    """The authors' way: words tagged by language, one TfidfVectorizer over both collections."""
    found = collection(TEXTS)
    tagged = [
        " ".join(f"{text.language}:{word}" for word in found.reader.words(text)) for text in TEXTS
    ]
    vectorizer = TfidfVectorizer(
        vocabulary=KEYS, norm="l1", tokenizer=str.split, token_pattern=None, lowercase=False
    )
    expected = vectorizer.fit_transform(tagged)
    np.testing.assert_allclose(bags(found), expected.toarray(), rtol=1e-6)


def test_bare_idf_is_the_formula_of_the_paper():
    """ln((N + 1) / (df + 1)): of 3 documents, cat is in 2 and dog in 1."""
    three = [Text("cat dog", "en"), Text("cat", "en"), Text("mat", "en")]
    found = bags(collection(three, weighting=Weighting.BARE_IDF))[0]
    cat, dog = np.log(4 / 3), np.log(4 / 2)
    np.testing.assert_allclose(found[[0, 3]], [cat / (cat + dog), dog / (cat + dog)], rtol=1e-6)


@given(texts)
@settings(max_examples=30, deadline=None)
def test_a_text_read_again_has_the_bag_that_it_has_as_a_document(given_texts):
    found = collection(given_texts)
    whole = found.weighed.bags.toarray()
    for number, text in enumerate(given_texts):
        read = found.read(Text(" ".join(reversed(text.body.split())), text.language))
        rows = found.vocabulary.rows([f"{text.language}:{word}" for word in read.words])
        np.testing.assert_allclose(whole[number, rows], read.weights)
        assert np.count_nonzero(whole[number]) == len(read.words)


@given(texts, texts)
@settings(max_examples=30, deadline=None)
def test_documents_that_come_and_go_leave_everything_as_it_was(stay, go):
    changed, expected = collection(stay), collection(stay)
    passing = [
        Document(f"x{number}", text.body, language=text.language) for number, text in enumerate(go)
    ]
    changed.add(passing)
    changed.remove(document.doc_id for document in passing)
    assert changed.weighed.ids == expected.weighed.ids
    np.testing.assert_allclose(bags(changed), bags(expected))


def test_only_the_first_known_words_count():
    read = collection([], first=2).reader.read(["unknown", "cat", "strange", "cat", "dog"], "en")
    assert (read.keys, read.counts, read.unknown) == (("en:cat",), (2,), 3)


def test_a_text_without_a_known_word_weighs_nothing():
    found = collection(TEXTS)
    assert found.weighed.bags[[4]].nnz == 0
    assert found.read(TEXTS[-1]).words == ()


def test_rows_are_found_by_id_and_by_language():
    weighed = collection(TEXTS).weighed
    assert weighed.rows(["003", "nobody", "000"]).tolist() == [0, 3]
    assert weighed.rows_in(["fr"]).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"vector": []}, UnknownName, "Did you mean 'vectors'"),
        ({"vectors": "en"}, ConfigError, "vectors must be a list of folders"),
        ({"weighting": "idff"}, UnknownName, "Did you mean 'idf'"),
        ({"stop": "all"}, UnknownName, "stop"),
        ({"first": 0}, ConfigError, "first 1 or more"),
        ({"collapse": True}, ConfigError, "are about the words of given vectors"),
    ],
)
def test_settings_are_checked(settings, error, message):
    with pytest.raises(error, match=message):
        BagConfig.from_settings(settings)


def test_plain_settings_are_read_again(tmp_path):
    config = BagConfig(vectors=(tmp_path,), misspelt=1, weighting=Weighting.TF)
    assert BagConfig.from_settings(config.plain) == config
