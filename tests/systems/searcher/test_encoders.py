"""What a word sees, and that it never sees another sentence."""

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError, UnknownName
from dragoman.systems.searcher.config import EncoderKind, SearcherConfig, SearcherModelConfig
from dragoman.systems.searcher.encoders import build_encoder, gapped_positions, pad_sentences

KINDS = pytest.mark.parametrize("kind", list(EncoderKind))


def made(kind=EncoderKind.CONVOLUTION, **settings):
    torch.manual_seed(0)
    config = SearcherModelConfig(**({"size": 8, "blocks": 2, "encoder": kind} | settings))
    return build_encoder(config).eval()


def starts_of(*lengths):
    return np.cumsum([0, *lengths], dtype=np.int64)


def seen_from_the_middle(blocks, width, length):
    model = made(blocks=blocks, width=width)
    words = torch.randn(length, 8, requires_grad=True)
    model(words, starts_of(length))[length // 2].sum().backward()
    return (words.grad.abs().sum(dim=1) > 0).nonzero().ravel()


def test_fifteen_blocks_of_width_three_see_thirty_one_words():
    seen = seen_from_the_middle(15, 3, 61)
    assert (int(seen.min()), int(seen.max()), len(seen)) == (15, 45, 31)
    assert SearcherConfig.paper().model.receptive_field == 31


@pytest.mark.parametrize(("blocks", "width"), [(0, 3), (1, 3), (2, 5), (3, 1)])
def test_the_receptive_field_is_what_the_settings_say(blocks, width):
    seen = seen_from_the_middle(blocks, width, 41)
    assert len(seen) == SearcherModelConfig(size=8, blocks=blocks, width=width).receptive_field


@KINDS
def test_a_sentence_is_encoded_alike_in_any_company(kind):
    model = made(kind, blocks=3)
    lengths = [3, 1, 12, 5]
    words = torch.randn(sum(lengths), 8)
    starts = starts_of(*lengths)
    together = model(words, starts)
    for first, last in pairwise(starts):
        alone = model(words[first:last], starts_of(int(last - first)))
        assert torch.allclose(together[first:last], alone, atol=1e-5)


@KINDS
def test_no_gradient_crosses_a_sentence_end(kind):
    words = torch.randn(9, 8, requires_grad=True)
    made(kind, blocks=4)(words, starts_of(4, 5))[:4].sum().backward()
    assert words.grad[4:].abs().max() == 0
    assert words.grad[:4].abs().min() > 0


@KINDS
def test_the_order_of_words_matters(kind):
    model = made(kind)
    words = torch.randn(4, 8)
    turned = model(words.flip(0), starts_of(4)).flip(0)
    assert not torch.allclose(model(words, starts_of(4)), turned, atol=1e-3)


def test_padding_and_gaps_are_where_they_should_be():
    words, empty = pad_sentences(torch.arange(1.0, 5.0)[:, None], starts_of(1, 3))
    assert words[:, :, 0].tolist() == [[1, 0, 0], [2, 3, 4]]
    assert empty.tolist() == [[False, True, True], [False, False, False]]
    assert gapped_positions(starts_of(2, 1, 2), 2).tolist() == [0, 1, 4, 7, 8]


def test_wrong_settings_are_answered():
    with pytest.raises(ConfigError, match="width must be odd"):
        SearcherModelConfig(width=4)
    with pytest.raises(UnknownName, match="Did you mean 'transformer'"):
        SearcherModelConfig(encoder="transformers")
    with pytest.raises(ConfigError, match="multiple of heads"):
        SearcherModelConfig(encoder="transformer", size=10, heads=4)
    with pytest.raises(UnknownName, match="Unknown pooling 'mean'"):
        SearcherModelConfig(pooling="mean")
