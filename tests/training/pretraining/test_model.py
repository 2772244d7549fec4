"""The model, and that transformers loads what was saved of it."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from dragoman.encoders.transformer import load_transformer
from dragoman.training.pretraining.masking import pad_pairs, pad_texts
from dragoman.training.pretraining.model import set_token_vectors, sinusoids, write_encoder
from dragoman.training.sequences import Sequences
from toy_pretraining import CONFIG, toy_data, toy_model, toy_tokenizer


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    model = toy_model(taught=6)
    write_encoder(folder, model, toy_tokenizer(), CONFIG.encoder)
    return folder, model.eval()


def test_transformers_tells_hidden_tokens_as_the_model_does(saved):
    folder, model = saved
    theirs, info = AutoModelForMaskedLM.from_pretrained(folder, output_loading_info=True)
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]
    text = "water [MASK] bread"
    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    lines = pad_texts(_packed(text), np.array([0]))
    with torch.no_grad():
        expected = theirs(**tokens).logits
        found = model.logits(model.states(lines))
    assert torch.allclose(found, expected, atol=1e-5)


def test_the_saved_encoder_has_the_states_of_the_model(saved):
    folder, model = saved
    encoder = load_transformer(folder)
    tokens = encoder.tokenizer("rain and fire", return_tensors="pt")
    with torch.no_grad():
        expected = encoder.model(**tokens).last_hidden_state
        found = model.states(pad_texts(_packed("rain and fire"), np.array([0])))
    assert torch.allclose(found, expected, atol=1e-6)
    assert (encoder.layers, encoder.dimension, encoder.longest) == (2, 16, 128)
    assert encoder.model.config.hidden_dropout_prob == 0.1


def test_two_texts_are_cut_as_in_training(saved):
    encoder = load_transformer(saved[0])
    found = encoder.tokenizer("water", "maji", return_token_type_ids=True)
    lines = pad_pairs(_packed("water"), np.array([0]), _packed("maji"), np.array([0]))
    assert found["input_ids"] == lines.tokens[0].tolist()
    assert found["token_type_ids"] == lines.types[0].tolist()


def test_logits_of_some_tokens_are_those_of_all():
    model = toy_model()
    states = torch.randn(3, 16, generator=torch.Generator().manual_seed(0))
    some = np.array([4, 9, 30])
    assert torch.allclose(model.logits(states, some), model.logits(states)[:, some], atol=1e-6)


def test_the_first_bias_is_the_frequency():
    counts = toy_data().counts
    found = torch.softmax(toy_model().bias, dim=0).detach().numpy()
    assert found == pytest.approx((counts + 1) / (counts + 1).sum(), rel=1e-4)


def test_only_known_vectors_take_the_place_of_drawn_ones():
    model = toy_model()
    before = model.vectors.detach().clone()
    given = np.zeros(tuple(before.shape), dtype=np.float32)
    given[[3, 8]] = 1.0  # 3 is a special token
    set_token_vectors(model, given)
    changed = (model.vectors.detach() != before).any(dim=1)
    assert changed.nonzero().ravel().tolist() == [8]


def test_the_same_seed_draws_the_same_model_and_leaves_others_alone():
    state = torch.random.get_rng_state()
    one, two, other = toy_model(), toy_model(), toy_model(seed=1)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.equal(one.vectors, two.vectors)
    assert not torch.equal(one.vectors, other.vectors)


def test_near_places_are_alike():
    table = sinusoids(50, 16)
    assert table[0].tolist() == [0.0] * 8 + [1.0] * 8
    assert (table**2).sum(axis=1) == pytest.approx(np.full(50, 8.0), rel=1e-5)
    assert table[10] @ table[11] > table[10] @ table[14] > table[10] @ table[40]


def _packed(text):
    return Sequences.pack([toy_tokenizer().encode(text, add_special_tokens=False).ids])
