"""Texts as the authors' code reads them, on the toy collection."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.smooth.authors_texts import (
    UNKNOWN,
    padded_lengths,
    replace_unknown,
    with_authors_texts,
    with_unknown,
)
from dragoman.systems.smooth.config import SmoothConfig, SmoothModelConfig
from dragoman.systems.smooth.training import build_dataset, initial_model
from dragoman.systems.smooth.training_data import TRAIN, JudgedPairs
from dragoman.systems.smooth.vocabulary import PADDING, SmoothVocabulary
from dragoman.training.batches import BatchConfig
from smooth_examples import toy_data

CONFIG = SmoothConfig(model=SmoothModelConfig(dimension=8), batch=BatchConfig(size=2), seen=1)


def columns(*rows):
    return JudgedPairs(*np.array(rows, dtype=np.int64).T)


@pytest.fixture
def data():
    """Two training queries of one and three words, with documents of four and two."""
    documents = [("it", ["a", "b", "b", "c"]), ("it", ["a", "rare"])]
    queries = [("en", ["x"]), ("en", ["x", "y", "z"]), ("en", ["x", "new"])]
    pairs = columns((0, 0, 2), (0, 1, 0), (1, 0, 0), (1, 1, 2))
    others = {"validation": columns((2, 0, 1)), "test": columns((2, 1, 1))}
    return replace(
        toy_data(),
        query_ids=["q0", "q1", "q2"],
        queries=queries,
        doc_ids=["d0", "d1"],
        documents=documents,
        pairs={TRAIN: pairs, **others},
    )


def bag(texts, row):
    bags = texts.bags
    at = slice(bags.starts[row], bags.starts[row + 1])
    return dict(zip(bags.words[at].tolist(), bags.weights[at].tolist(), strict=True))


def test_words_outside_of_the_vocabulary_become_one_word_in_every_language():
    known = with_unknown(SmoothVocabulary({"en": ("x", "y"), "de": ("u",)}))
    assert known.words == {"en": ("x", "y", UNKNOWN), "de": ("u", UNKNOWN)}
    texts = [("en", ["u", "x", "v"]), ("de", ["u", "x"]), ("fr", ["x"])]
    replaced = replace_unknown(texts, known)
    assert replaced[:2] == [("en", [UNKNOWN, "x", UNKNOWN]), ("de", ["u", UNKNOWN])]
    assert known.rows(replaced[2][1], "fr") == []  # a language without a vocabulary has no words


def test_a_mean_is_over_the_longest_text_of_an_average_batch(data):
    dataset = build_dataset(data, CONFIG, {})
    whole = replace(CONFIG, batch=BatchConfig(size=4))
    assert padded_lengths(dataset, whole) == (3, 4)
    read = with_authors_texts(dataset, whole)
    rows = {word: row for row, (_, word) in enumerate(read.vocabularies[0], start=1)}
    third = pytest.approx(1 / 3)
    assert bag(read.queries, 0) == {PADDING: pytest.approx(2 / 3), rows["x"]: third}
    assert bag(read.queries, 2) == {PADDING: third, rows["x"]: third, rows[UNKNOWN]: third}
    assert bag(read.documents, 1)[PADDING] == 0.5
    assert read.data is data


def test_lengths_are_averaged_over_batches(data):
    data = replace(data, pairs={**data.pairs, TRAIN: columns((0, 1, 2), (1, 0, 2))})
    alone = replace(CONFIG, batch=BatchConfig(size=1))
    assert padded_lengths(build_dataset(data, alone, {}), alone) == (2, 3)  # of 1, 3 and of 2, 4


def test_a_score_does_not_depend_on_a_batch(data):
    read = with_authors_texts(build_dataset(data, CONFIG, {}), CONFIG)
    model = initial_model(read, CONFIG, {})
    together = read.scores(model, data.pairs[TRAIN])
    for row in range(4):
        alone = read.scores(model, data.pairs[TRAIN].select(np.array([row])))
        np.testing.assert_allclose(alone, together[[row]], atol=1e-6)
