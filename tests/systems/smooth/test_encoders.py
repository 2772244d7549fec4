"""Towers against plain torch layers over padded texts."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from torch import nn

from dragoman.systems.smooth.encoders import (
    AveragePooling,
    Convolution,
    FirstPositionRecurrent,
    Recurrent,
)
from dragoman.systems.smooth.filters import max_activations, torch_activations, window_rows
from dragoman.systems.smooth.vocabulary import TokenizedTexts
from dragoman.training.sequences import Sequences

WORDS = [[1, 2, 3, 4, 5], [2], [], [5, 5, 1], [7, 3]]
ROWS = np.array([3, 0, 2, 1, 0, 4])
TOWERS = [AveragePooling, Convolution, Recurrent, FirstPositionRecurrent]
TABLE = np.random.default_rng(0).standard_normal((9, 6)).astype(np.float32)


@pytest.fixture
def texts():
    sequences = Sequences.pack(WORDS)
    return TokenizedTexts(sequences, sequences.bags())


def tower(kind):
    torch.manual_seed(0)
    made = kind(TABLE) if kind is AveragePooling else kind(TABLE, 0.0)
    return made.eval()


def dense(gradient):
    return gradient.coalesce().to_dense()


def test_average_pooling_is_tanh_of_the_mean(texts):
    found = tower(AveragePooling)(texts, ROWS).detach().numpy()
    for row, text in zip(found, ROWS, strict=True):
        mean = TABLE[WORDS[text]].mean(axis=0) if WORDS[text] else np.zeros(6)
        np.testing.assert_allclose(row, np.tanh(mean), atol=1e-6)


def test_the_convolution_is_that_of_torch_with_its_gradients(texts):
    mine = tower(Convolution)
    table = nn.Parameter(torch.tensor(TABLE))
    kernel = mine.filters.weight.detach().reshape(300, 3, 6).transpose(1, 2).clone()
    kernel = nn.Parameter(kernel)
    rows = []
    for text in ROWS:
        if not WORDS[text]:
            rows.append(torch.zeros(64))
            continue
        vectors = table[WORDS[text]].T[None]
        answers = nn.functional.conv1d(vectors, kernel, mine.filters.bias, padding=1)
        rows.append(mine.output(torch.tanh(answers.amax(dim=2)))[0])
    expected = torch.stack(rows)
    found = mine(texts, ROWS)
    np.testing.assert_allclose(found.detach(), expected.detach(), atol=1e-5)
    found.square().sum().backward()
    expected.square().sum().backward()
    np.testing.assert_allclose(dense(mine.table.weight.grad), table.grad, atol=1e-4)
    filters = mine.filters.weight.grad.reshape(300, 3, 6).transpose(1, 2)
    np.testing.assert_allclose(filters, kernel.grad, atol=1e-4)


def test_other_devices_give_the_same_answers_and_gradients():
    values = np.random.default_rng(1).standard_normal((9, 4)).astype(np.float32)
    starts = np.array([0, 3, 4, 9])
    filters = nn.Linear(12, 5)
    found = []
    for answer in (max_activations, lambda *a: torch_activations(*a[:2], window_rows(a[2]), a[2])):
        vectors = torch.tensor(values, requires_grad=True)
        filters.zero_grad()
        answer(vectors, filters, starts).square().sum().backward()
        found.append([vectors.grad, filters.weight.grad.clone(), filters.bias.grad.clone()])
    for first, second in zip(*found, strict=True):
        np.testing.assert_allclose(first, second, atol=1e-5)


def test_the_lstm_is_that_of_torch_with_its_gradients(texts):
    mine = tower(Recurrent)
    table = nn.Parameter(torch.tensor(TABLE))
    rows = []
    for text in ROWS:
        if not WORDS[text]:
            rows.append(torch.zeros(64))
            continue
        words = WORDS[text]
        forwards = mine.forwards(table[words][:, None, :])[1][0][0, 0]
        backwards = mine.backwards(table[words[::-1]][:, None, :])[1][0][0, 0]
        rows.append(mine.output(torch.cat([forwards, backwards])))
    expected = torch.stack(rows)
    found = mine(texts, ROWS)
    np.testing.assert_allclose(found.detach(), expected.detach(), atol=1e-5)
    (by_torch,) = torch.autograd.grad(expected.square().sum(), table)
    found.square().sum().backward()
    np.testing.assert_allclose(dense(mine.table.weight.grad), by_torch, atol=1e-4)


def test_the_lstm_of_the_first_position_is_the_first_output_of_torch_in_both_directions(texts):
    mine = tower(FirstPositionRecurrent)
    both = nn.LSTM(6, 64, bidirectional=True)
    layers = dict(mine.forwards.state_dict())
    layers |= {f"{name}_reverse": one for name, one in mine.backwards.state_dict().items()}
    both.load_state_dict(layers)
    found = mine(texts, ROWS).detach()
    for row, text in zip(found, ROWS, strict=True):
        expected = torch.zeros(64)
        if WORDS[text]:
            outputs, _ = both(torch.tensor(TABLE[WORDS[text]])[:, None, :])
            expected = mine.output(outputs[0, 0]).detach()
        np.testing.assert_allclose(row, expected, atol=1e-5)


@pytest.mark.parametrize("kind", TOWERS)
def test_a_text_is_encoded_alike_alone_and_in_a_batch(kind, texts):
    made = tower(kind)
    together = made(texts, ROWS).detach()
    for place, row in enumerate(ROWS):
        alone = made(texts, np.array([row])).detach()[0]
        np.testing.assert_allclose(alone, together[place], atol=1e-6)


def test_texts_of_different_lengths_find_back_to_their_places():
    rng = np.random.default_rng(2)
    sequences = Sequences.pack([rng.integers(1, len(TABLE), n).tolist() for n in range(40, -1, -1)])
    many = TokenizedTexts(sequences, sequences.bags())
    made = tower(Recurrent)
    together = made(many, np.arange(41)).detach()  # more than are read at a time
    for row in (0, 7, 22, 39, 40):
        alone = made(many, np.array([row])).detach()[0]
        np.testing.assert_allclose(alone, together[row], atol=1e-5)


@pytest.mark.parametrize("kind", TOWERS)
def test_texts_without_a_word_are_zero(kind, texts):
    assert not tower(kind)(texts, np.array([2, 2])).any()


@pytest.mark.parametrize("kind", [Convolution, Recurrent])
def test_dropout_changes_training_alone(kind, texts):
    torch.manual_seed(1)
    made = kind(TABLE, 0.5)
    assert not torch.equal(made(texts, ROWS), made(texts, ROWS))
    made.eval()
    assert torch.equal(made(texts, ROWS), made(texts, ROWS))
