"""Bitext becomes terms and verified examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import InputError
from dragoman.systems.searcher.config import TermConfig
from dragoman.systems.searcher.examples import (
    SearcherBatches,
    VocabularyBuilder,
    known_terms,
    label_batch,
    learn_terms,
)
from dragoman.systems.searcher.terms import Terms
from dragoman.training.batches import BatchConfig
from dragoman.types import SentencePair, Text
from searcher_examples import small_config, toy_data, toy_pairs

WORDS = st.sampled_from(["river", "house", "bread", "the", "of", "prime", "minister", "walked"])
TEXTS = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=12)
STOPPED = {"the", "of"}


def numbered(texts):
    numbering = VocabularyBuilder()
    for text in texts:
        numbering.add(text)
    return numbering


def runs(text, size):
    content = [word for word in text if word not in STOPPED]
    return {" ".join(content[at : at + size]) for at in range(len(content) - size + 1)}


@given(TEXTS, st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_every_content_word_and_frequent_phrase_of_a_pair_is_its_term(texts, seen):
    config = TermConfig(phrase_seen=seen)
    found = numbered(texts)
    terms, of_pairs = learn_terms(found.sequences, found.words, "en", config)
    names = [*terms.words, *terms.phrases]
    for row, text in enumerate(texts):
        mine = of_pairs.words[of_pairs.starts[row] : of_pairs.starts[row + 1]]
        expected = runs(text, 1)
        for size in (2, 3):
            expected |= {
                run
                for run in runs(text, size)
                if sum(run in runs(other, size) for other in texts) >= seen
            }
        assert {names[term].removeprefix("en:") for term in mine} == expected
        assert (np.diff(mine) > 0).all()


@given(TEXTS)
@settings(max_examples=30, deadline=None)
def test_terms_of_other_texts_are_found_as_in_training(texts):
    found = numbered(texts)
    terms, of_pairs = learn_terms(found.sequences, found.words, "en", TermConfig(phrase_seen=2))
    again = known_terms(texts, terms, "en")
    assert again.words.tolist() == of_pairs.words.tolist()
    assert again.starts.tolist() == of_pairs.starts.tolist()


@given(st.integers(0, 5), st.integers(1, 40))
@settings(max_examples=20, deadline=None)
def test_a_negative_never_has_the_term_and_a_positive_always_has(seed, most):
    data = toy_data(toy_pairs(60, seed), small_config())
    batches = SearcherBatches(data.training.terms, BatchConfig(size=7, seed=seed), most)
    seen = []
    for batch in batches.epoch(0):
        seen += batch.sentences.tolist()
        assert 0 < len(batch.terms) <= most
        for line, term in enumerate(batch.terms):
            for column, row in enumerate(batch.sentences):
                starts = data.training.terms.starts
                has = term in data.training.terms.words[starts[row] : starts[row + 1]]
                assert batch.labels[line, column] == has
    assert sorted(seen) == list(range(len(data.training)))


def test_an_epoch_can_be_entered_anywhere():
    data = toy_data(toy_pairs(60), small_config())
    batches = SearcherBatches(data.training.terms, BatchConfig(size=7), 9)
    whole = list(batches.epoch(2))
    late = list(batches.epoch(2, start=3))
    assert len(whole) == len(batches)
    for one, other in zip(whole[3:], late, strict=True):
        assert one.terms.tolist() == other.terms.tolist()
        assert one.labels.tolist() == other.labels.tolist()


def test_all_terms_of_a_batch_are_used_where_there_is_room():
    terms = known_terms([["red"], ["red", "house"]], Terms(("en:red", "en:house")), "en")
    batch = label_batch(terms, np.array([1, 0]), 10, np.random.default_rng(0))
    assert batch.labels.tolist() == [[1, 1], [1, 0]]


def test_a_query_is_its_longest_phrases_and_the_other_words():
    table = Terms(("en:prime", "en:minister", "en:walks"), ("en:walk",), ("en:prime minister",))
    terms, unknown = table.split(Text("The Prime Minister walked the zebra", "en"))
    assert [term.text for term in terms] == ["prime minister", "walked"]
    assert terms[0].rows == (0, 1, 4)
    assert terms[0].weights == (0.5, 0.5, 1.0)
    assert (terms[1].rows, terms[1].by_stem) == ((3,), True)
    assert unknown == ["zebra"]


def test_a_query_of_stop_words_alone_is_searched_as_it_is():
    terms, _ = Terms(("en:the",)).split(Text("the", "en"))
    assert [term.text for term in terms] == ["the"]


def test_bitext_without_words_is_refused():
    with pytest.raises(InputError, match="found 0 pairs with words"):
        toy_data([SentencePair("...", "!")] * 20, small_config())


def test_held_out_pairs_are_not_trained_on():
    pairs = [SentencePair(f"thing{n} common", f"kitu{n} kawaida") for n in range(50)]
    data = toy_data(pairs, small_config(held_out=5))
    assert (len(data.training), len(data.held_out)) == (45, 5)
    own = {name for name in data.terms.words if name != "en:common"}
    assert len(own) == 45
