"""Swahili words with two English translations."""

from collections import Counter

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.meanings import (
    Meanings,
    ambiguous_words,
    foreign_words,
    synonyms,
    term_frequencies,
)
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.types import SentencePair

SILVER = [SentencePair(f"the silver of {w}", f"fedha ya {w}") for w in ("david", "daniel", "petro")]
MONEY = [SentencePair(f"the money of {w}", f"fedha ya {w}") for w in ("maria", "yohana", "marko")]
TOWNS = [SentencePair(f"a {word}", "mji huu") for word in ("town", "citi") for _ in range(3)]
UNCLEAR = [
    SentencePair("silver and money", "fedha na pesa"),
    SentencePair("money money", "fedha kwa fedha"),
]


@pytest.fixture(scope="module")
def meanings():
    return Meanings("sw")


def task(pairs, training):
    return DetectionTask("toy", "sw", (), (), (), (), {}, tuple(training), tuple(pairs))


def test_terms_of_different_meanings_make_a_word_ambiguous(meanings):
    assert meanings.overlap("money", "silver") < 0.1 < meanings.overlap("citi", "town")
    found = ambiguous_words(task([*SILVER, *MONEY, *UNCLEAR, *TOWNS], SILVER + MONEY), meanings)
    (word,) = found
    assert (word.word, word.terms) == ("fedha", ("money", "silver"))
    assert [len(some) for some in word.occurrences] == [3, 3]
    assert {one.sentence[one.position] for some in word.occurrences for one in some} == {"fedha"}
    assert {one.sentence[2] for one in word.occurrences[1]} == {"david", "daniel", "petro"}


def test_both_meanings_must_occur_in_training_and_in_unseen_pairs(meanings):
    assert not ambiguous_words(task(SILVER + MONEY, SILVER + MONEY[:2]), meanings)
    assert not ambiguous_words(task(SILVER + MONEY[:1], SILVER + MONEY), meanings)


def test_another_word_may_be_the_likelier_source_of_a_term(meanings):
    others = [SentencePair("the money", "fedha na pesa")] * 3
    likelier = meanings.translations("pesa")["money"] > meanings.translations("fedha")["money"]
    found = ambiguous_words(task(SILVER + others, SILVER + MONEY), meanings)
    assert bool(found) is not likelier


def test_terms_of_one_meaning_are_synonyms(meanings):
    assert synonyms(task([], TOWNS + SILVER + MONEY), meanings) == [("citi", "town")]
    assert not synonyms(task([], TOWNS[:4]), meanings)  # one of them too rare


def test_frequencies_count_pairs():
    assert term_frequencies([SentencePair("a b a", "x"), SentencePair("a", "y")]) == Counter(
        a=2, b=1
    )
    assert foreign_words(SentencePair("a", "Mji, huu!"), "sw") == ("mji", "huu")
