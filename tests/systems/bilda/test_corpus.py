import pytest

from dragoman.errors import ConfigError
from dragoman.systems.bilda.corpus import build_corpus
from dragoman.types import Text
from planted import planted, split

ITEMS = [
    (Text("b a b", "en"), Text("x y", "fr")),
    (Text("", "en"), Text("y", "fr")),
    (Text("c a", "en"), Text("", "fr")),
]


def test_words_are_numbered_by_language_and_sorted_within_a_text():
    corpus = build_corpus(ITEMS, ("en", "fr"), split, 500)
    assert corpus.vocabularies == (("b", "a", "c"), ("x", "y"))
    assert corpus.words.tolist() == [0, 0, 1, 3, 4, 4, 1, 2]
    assert corpus.starts.tolist() == [0, 3, 5, 5, 6, 8, 8]
    assert corpus.languages_of_words.tolist() == [0, 0, 0, 1, 1, 1, 0, 0]
    assert corpus.documents == 3
    assert corpus.vocabulary_sizes.tolist() == [3, 2]


def test_only_the_first_words_are_read():
    corpus = build_corpus(ITEMS, ("en", "fr"), split, 1)
    assert corpus.vocabularies == (("b", "c"), ("x", "y"))


def test_a_text_in_another_language_is_refused():
    with pytest.raises(ConfigError, match="found texts in en, fr; expected one in each of en, de"):
        build_corpus(ITEMS, ("en", "de"), split, 500)


def test_no_word_at_all_is_refused():
    with pytest.raises(ConfigError, match="found no word in any document"):
        build_corpus([(Text("", "en"),)], ("en",), split, 500)


def test_the_digest_tells_corpora_apart():
    digests = {planted(documents=count).corpus.digest for count in (3, 4)}
    assert len(digests) == 2
    assert planted(documents=3).corpus.digest in digests
