"""Lines as an encoder reads them, and what is hidden in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.masking import MASKED, PAD, mask_tokens, pad_pairs, pad_texts
from dragoman.training.sequences import Sequences
from toy_pretraining import toy_tokenizer

TEXTS = ["water and bread", "moto", "bread, salt", "rain"]


def sequences(texts):
    encoded = toy_tokenizer().encode_batch(texts, add_special_tokens=False)
    return Sequences.pack([one.ids for one in encoded])


def padded(encodings, what):
    rows = [getattr(one, what) for one in encodings]
    width = max(map(len, rows))
    return [[*row, *[0] * (width - len(row))] for row in rows]


def test_framed_texts_are_those_of_the_tokenizer():
    rows = np.array([2, 0, 1])
    found = pad_texts(sequences(TEXTS), rows)
    encoded = toy_tokenizer().encode_batch([TEXTS[row] for row in rows])
    assert found.tokens.tolist() == padded(encoded, "ids")
    assert found.real.tolist() == padded(encoded, "attention_mask")
    assert found.types.tolist() == padded(encoded, "type_ids")
    assert found.positions[:, :4].tolist() == [[0, 1, 2, 3]] * 3


def test_pairs_side_by_side_are_those_of_the_tokenizer():
    rows = np.array([1, 0])
    others = ["maji na mkate", "fire"]
    found = pad_pairs(sequences(TEXTS[:2]), rows, sequences(others), rows)
    encoded = toy_tokenizer().encode_batch([(TEXTS[row], others[row]) for row in rows])
    assert found.tokens.tolist() == padded(encoded, "ids")
    assert found.real.tolist() == padded(encoded, "attention_mask")
    assert found.types.tolist() == padded(encoded, "type_ids")


def test_places_go_on_in_the_second_text():
    one, two = sequences(["water", "bread"]), sequences(["fire smoke", "rain"])
    together = pad_pairs(one, np.array([0, 1]), two, np.array([1, 0]))
    width = together.tokens.shape[1]
    assert together.positions.tolist() == [list(range(width))] * 2


def test_hidden_tokens_of_some_lines_alone_are_asked_for():
    lines = pad_texts(sequences(TEXTS), np.arange(4))
    whole = mask_tokens(lines, 0.9, 150, np.random.default_rng(0))
    kept = np.array([True, False, True, False])
    found = whole.restrict(kept)
    assert found.inputs is whole.inputs
    width = lines.tokens.shape[1]
    asked = dict(zip(whole.indices.tolist(), whole.targets.tolist(), strict=True))
    assert dict(zip(found.indices.tolist(), found.targets.tolist(), strict=True)) == {
        at: wanted for at, wanted in asked.items() if kept[at // width]
    }


def test_a_piece_of_a_text_keeps_its_places():
    found = pad_texts(sequences(["water", "bread salt milk"]), np.array([0, 1]), np.array([0, 30]))
    assert found.positions[1, 0] == 30
    assert found.positions[0].tolist()[: int(found.real[0].sum())] == [0, 1, 2]
    assert found.positions.max() == 30 + found.tokens.shape[1] - 1


@settings(max_examples=25, deadline=None)
@given(st.floats(0.01, 0.9), st.integers(0, 1000))
def test_hidden_tokens_can_be_put_back(share, seed):
    lines = pad_texts(sequences(TEXTS), np.arange(4))
    hidden = mask_tokens(lines, share, 150, np.random.default_rng(seed))
    back = hidden.inputs.tokens.ravel().copy()
    back[hidden.indices] = hidden.targets
    assert back.tolist() == lines.tokens.ravel().tolist()
    assert len(hidden.indices) >= 1
    assert (hidden.targets >= 5).all()  # no special token is ever asked for
    assert (hidden.inputs.tokens[lines.real == 0] == PAD).all()


def test_eight_in_ten_are_masked_and_one_is_another():
    lines = pad_texts(sequences(["water " * 60] * 60), np.arange(60))
    hidden = mask_tokens(lines, 0.3, 150, np.random.default_rng(0))
    shown = hidden.inputs.tokens.ravel()[hidden.indices]
    assert len(hidden.indices) / (lines.tokens >= 5).sum() == pytest.approx(0.3, abs=0.03)
    assert (shown == MASKED).mean() == pytest.approx(0.8, abs=0.05)
    assert (shown == hidden.targets).mean() == pytest.approx(0.1, abs=0.04)


def test_lines_without_words_hide_nothing():
    lines = pad_texts(Sequences.pack([[], []]), np.arange(2))
    assert lines.tokens.tolist() == [[2, 3], [2, 3]]
    assert len(mask_tokens(lines, 0.5, 150, np.random.default_rng(0)).indices) == 0
