import numpy as np

from dragoman.embeddings.bilingual.translation_accuracy import (
    TranslationTest,
    gold_from_sentences,
    hold_out_entries,
    measure_accuracy,
)
from dragoman.embeddings.bilingual.word_alignment import tokenize_pairs
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from toy_bitext import TRANSLATIONS, sentences

ENTRIES = [((f"s{n}",), (f"t{n // 2}",)) for n in range(40)] + [(("ice", "cream"), ("x",))]
KNOWN = (frozenset(f"s{n}" for n in range(40)), frozenset(f"t{n}" for n in range(20)))
AXES = np.eye(6, dtype=np.float32)


def test_held_out_words_are_translated_by_no_entry_that_is_kept():
    kept, test = hold_out_entries(ENTRIES, KNOWN, 1000, seed=0)
    assert len(test.forward) == 8  # a fifth of 40
    assert not {source[0] for source, _ in kept} & set(test.forward)
    assert not {target[0] for _, target in kept} & set(test.backward)
    assert (("ice", "cream"), ("x",)) in kept
    assert len(kept) == len(ENTRIES) - 8


def test_all_translations_of_a_held_out_word_are_right():
    entries = [(("a",), ("x",)), (("a",), ("y",)), (("b",), ("z",))] * 2
    known = (frozenset("ab"), frozenset("xyz"))
    tests = [hold_out_entries([*entries, *ENTRIES], known, 1, seed) for seed in range(5)]
    assert all(not test.forward for _, test in tests)  # a fifth of two words is none
    wide = (known[0] | KNOWN[0], known[1] | KNOWN[1])
    gold = {}
    for seed in range(40):
        gold |= hold_out_entries([*entries, *ENTRIES], wide, 5, seed)[1].forward
    assert gold["a"] == {"x", "y"}


def test_words_that_no_sentence_shows_are_not_asked():
    _, test = hold_out_entries(ENTRIES, (frozenset(), KNOWN[1]), 1000, seed=0)
    assert (test.forward, test.backward) == ({}, {})


def test_sentences_prove_what_their_words_mean():
    test = gold_from_sentences(
        tokenize_pairs(sentences(300), "en", "sw"), ("en", "sw"), AlignmentConfig(workers=1), 1000
    )
    assert test.forward == {word: frozenset({one}) for word, one in TRANSLATIONS.items()}
    assert test.backward["maji"] == {"water"}


def test_accuracy_is_the_share_of_right_neighbours():
    source = WordVectors("en", ("cat", "dog", "cow"), AXES[[0, 1, 2]])
    target = WordVectors("sw", ("paka", "mbwa", "ngombe"), AXES[[0, 2, 1]])
    test = TranslationTest(
        "a list",
        {"cat": frozenset({"paka"}), "dog": frozenset({"mbwa"}), "unknown": frozenset({"x"})},
        {"paka": frozenset({"cat", "kitten"})},
    )
    found = measure_accuracy(source, target, test)
    assert (found.forward.test_words, found.forward.csls, found.forward.cosine) == (2, 0.5, 0.5)
    assert (found.backward.test_words, found.backward.csls) == (1, 1.0)


def test_nothing_asked_is_nothing_right():
    vectors = WordVectors("en", ("a",), AXES[:1])
    found = measure_accuracy(vectors, vectors, TranslationTest("none", {}, {}))
    assert (found.forward.test_words, found.forward.csls) == (0, 0.0)
