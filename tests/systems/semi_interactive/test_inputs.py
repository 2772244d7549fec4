"""What an encoder reads: special tokens in their places, and nothing dropped that must stay."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.encoders.transformer import load_transformer
from dragoman.systems.semi_interactive.inputs import InputBuilder, cut_evenly
from dragoman.types import Text
from toy_relevance import WORDS, save_encoder

CLS, SEP = 2, 3
tokens = st.lists(st.integers(5, 20), max_size=60)
filled = st.lists(st.integers(5, 20), min_size=1, max_size=60)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return load_transformer(save_encoder(tmp_path_factory.mktemp("encoder"), WORDS)).tokenizer


def test_texts_become_tokens_without_special_ones(tokenizer):
    reader = InputBuilder(tokenizer, 32)
    found = reader.tokens([Text("Thing1 noise0"), Text("?!"), Text(""), Text("unheard thing1")])
    first = tokenizer.convert_tokens_to_ids(["thing1", "noise0"])
    assert found == [first, [], [], [1, first[0]]]
    assert reader.tokens([]) == []


def test_broken_and_endless_texts_are_read(tokenizer):
    (found,) = InputBuilder(tokenizer, 32).tokens([Text("\ud800 thing1\0" + " thing1" * 100_000)])
    assert len(found) == 32


def test_the_three_inputs(tokenizer):
    reader = InputBuilder(tokenizer, 32)
    assert reader.query([7, 8]).ids == [CLS, 7, 8, SEP]
    pair = reader.pair([7, 8], [9])
    assert (pair.ids, pair.first) == ([CLS, 7, 8, SEP, 9, SEP], 4)
    document = reader.document([9, 9], [[7], [], [8, 8]])
    assert (document.ids, document.first) == ([CLS, 9, 9, SEP, 7, SEP, 8, 8, SEP], 4)
    assert reader.document([9], []).ids == [CLS, 9, SEP]


@given(document=tokens, relevant=st.lists(filled, max_size=8), longest=st.integers(32, 80))
@settings(max_examples=60, deadline=None)
def test_no_relevant_query_is_ever_dropped(tokenizer, document, relevant, longest):
    read = InputBuilder(tokenizer, longest).document(document, relevant)
    assert len(read) <= longest
    parts: list[list[int]] = [[]]
    for token in read.ids[1:]:
        if token == SEP:
            parts.append([])
        else:
            parts[-1].append(token)
    kept, beside = parts[0], parts[1:-1]
    assert kept == document[: len(kept)]
    assert len(beside) == len(relevant)
    for found, whole in zip(beside, relevant, strict=True):
        assert found
        assert found == whole[: len(found)]
    cut = kept != document or beside != relevant
    assert len(read) == longest or not cut or len(read) > longest - len(relevant) - 1


@given(query=tokens, document=tokens, longest=st.integers(32, 80))
@settings(max_examples=60, deadline=None)
def test_a_pair_keeps_of_both_sides(tokenizer, query, document, longest):
    read = InputBuilder(tokenizer, longest).pair(query, document)
    assert len(read) <= longest
    left, right = read.ids[1 : read.first - 1], read.ids[read.first : -1]
    assert left == query[: len(left)]
    assert right == document[: len(right)]
    assert bool(left) == bool(query)
    assert bool(right) == bool(document)


@given(st.lists(st.integers(1, 40), max_size=8), st.integers(8, 100))
def test_the_longest_are_cut_to_one_length(lengths, room):
    cut = cut_evenly(lengths, room)
    assert sum(cut) <= max(room, 0)
    assert all(0 < now <= before for now, before in zip(cut, lengths, strict=True))
    if sum(lengths) <= room:
        assert cut == lengths
    else:
        shortened = [now for now, before in zip(cut, lengths, strict=True) if now < before]
        assert max(shortened) - min(shortened) <= 1
        assert max(cut) - min(shortened) <= 1


def test_a_pair_may_be_read_with_relevant_queries(tokenizer):
    reader = InputBuilder(tokenizer, 32)
    with_queries = reader.pair([7, 8], [9, 10], [[11], [], [12, 13]])
    assert with_queries.ids == [CLS, 7, 8, SEP, 9, 10, SEP, 11, SEP, 12, 13, SEP]
    assert with_queries.first == 4
    assert reader.pair([7, 8], [9, 10], []) == reader.pair([7, 8], [9, 10])


@given(query=filled, document=filled, relevant=st.lists(filled, max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_pair_with_relevant_queries_fits_and_keeps_of_all(tokenizer, query, document, relevant):
    built = InputBuilder(tokenizer, 48).pair(query, document, relevant)
    assert len(built) <= 48
    parts = " ".join(map(str, built.ids[1:])).split(f" {SEP}")
    assert len([part for part in parts if part.strip()]) == 2 + len(relevant)
