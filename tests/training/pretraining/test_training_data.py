"""Texts as numbers of tokens."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.corpora import Bitext
from dragoman.training.pretraining.training_data import tokenize, tokenize_chunks, tokenize_pairs
from toy_pretraining import CONFIG, toy_bitext, toy_data, toy_tokenizer


def test_tokens_are_those_of_the_tokenizer():
    texts = ["water and bread", "", "moto"]
    expected = [toy_tokenizer().encode(text, add_special_tokens=False).ids for text in texts]
    assert list(tokenize(texts, toy_tokenizer())) == expected


def test_pairs_are_cut_to_their_most_tokens_and_know_equal_texts():
    bitext = Bitext(
        ("a",),
        ["water " * 200, "Bread", "bread"],
        ["maji", "mkate", "chumvi"],
        np.zeros(3, dtype=np.int64),
    )
    found = tokenize_pairs(bitext, np.arange(3), toy_tokenizer(), CONFIG)
    assert found.firsts.lengths.max() == CONFIG.sentence - 2
    assert found.first_texts.tolist() == [0, 1, 1]
    assert found.second_texts.tolist() == [0, 1, 2]


def test_plain_texts_lose_nothing_up_to_the_last_place():
    config = replace(CONFIG, piece=12)
    bodies = ["water river rain sea " * 100, "", "fire smoke"]
    found = tokenize_chunks(bodies, toy_tokenizer(), config)
    tokens = list(tokenize(bodies, toy_tokenizer()))
    end = config.encoder.longest - 2
    assert found.tokens.words.tolist() == tokens[0][:end] + tokens[2]
    assert found.offsets.tolist()[:3] == [0, 10, 20]
    assert found.offsets[-1] == 0
    assert (found.offsets + found.tokens.lengths + 2 <= config.encoder.longest).all()


def test_counts_are_of_all_training_tokens():
    data = toy_data()
    words = [*data.training.firsts.words, *data.training.seconds.words]
    words += [*data.plain.tokens.words]
    assert data.counts.sum() == len(words)
    assert data.counts[words[0]] == words.count(words[0])


def test_other_texts_have_another_digest():
    data = toy_data()
    bitext = toy_bitext()
    rows = np.arange(len(data.training))
    other = tokenize_pairs(bitext, rows, toy_tokenizer(), CONFIG)
    assert replace(data, training=other).digest() != data.digest()
    assert replace(data).digest() == data.digest()
