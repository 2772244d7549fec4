import numpy as np
import pytest

from dragoman.embeddings.bilingual.word_alignment import LONGEST, align_words, tokenize_pairs
from dragoman.errors import ConfigError
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from toy_bitext import TRANSLATIONS, sentences

ALIGNMENT = AlignmentConfig(workers=1)


@pytest.fixture(scope="module")
def words():
    pairs = tokenize_pairs(sentences(300), "en", "sw")
    return align_words(pairs, [(("sun",), ("jua",))], ("en", "sw"), ALIGNMENT)


def test_words_are_spelt_and_nothing_is_stopped():
    assert tokenize_pairs([("The Cat sat", "Ο ΛΟΓΟΣ"), ("...", "x")], "en", "el") == [
        (("the", "cat", "sat"), ("ο", "λογοσ"))
    ]


def test_every_word_is_linked_to_its_translation(words):
    best = words.translation_strength().toarray().argmax(axis=1)
    found = {words.source.words[row]: words.target.words[column] for row, column in enumerate(best)}
    assert found == TRANSLATIONS | {"sun": "jua"}


def test_sentences_stand_before_the_entries_of_the_dictionary(words):
    sun = words.source.words.index("sun")
    assert words.sentences == 300
    assert len(words.source.starts) == len(words.target.starts) == 302
    assert np.flatnonzero(words.source.packed == sun).tolist() == [words.source.starts[300]]
    assert words.source.starts[-1] == len(words.source.packed)


def test_sentences_that_are_too_long_are_left_out():
    long = (("a",) * (LONGEST + 1), ("b",))
    found = align_words([long, (("c",), ("d",))], [], ("en", "sw"), ALIGNMENT)
    assert found.source.words == ("c",)


def test_nothing_to_learn_from_is_said():
    with pytest.raises(ConfigError, match="found nothing to learn en-sw from"):
        align_words([], [], ("en", "sw"), ALIGNMENT)
