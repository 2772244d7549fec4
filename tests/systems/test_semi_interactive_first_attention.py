"""Layers that begin by looking for likes, and pairs of sentences to learn to compare from."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError, InputError
from dragoman.systems.semi_interactive import FirstAttention, SemiInteractiveConfig, train
from dragoman.systems.semi_interactive.comparing import comparisons, drawn_pairs
from dragoman.systems.semi_interactive.learning import first_model
from dragoman.types import SentencePair
from toy_relevance import WORDS, save_encoder

THINGS = 14
LIKES = SemiInteractiveConfig(
    architecture="interactive",
    attention="likes",
    max_length=32,
    batch=16,
    epochs=4,
    warm_up=20,
    learning_rate=1e-2,
    patience=0,
    dropout=0.0,
)


@pytest.fixture(scope="module")
def aligned(tmp_path_factory):
    """An encoder in which a thing and its translation are the same vector."""
    axes = {f"{word}{n}": n for word in ("thing", "cosa") for n in range(THINGS)}
    return save_encoder(tmp_path_factory.mktemp("aligned"), list(axes), layers=2, axes=axes)


def sentence_pairs(count, seed):
    rng = np.random.default_rng(seed)
    chosen = [rng.permutation(THINGS)[:3] for _ in range(count)]
    return [
        SentencePair(*(" ".join(f"{word}{n}" for n in some) for word in ("thing", "cosa")))
        for some in chosen
    ]


def test_the_layers_are_identities_and_segments_can_be_told_apart(aligned):
    encoder = first_model(aligned, LIKES).encoder("pairs")
    for layer in encoder.encoder.layer:
        own = layer.attention.self
        for part in (own.query, own.key, own.value, layer.attention.output.dense):
            assert torch.equal(part.weight, torch.eye(16))
            assert not part.bias.any()
    words = encoder.get_input_embeddings().weight.norm(dim=1).mean()
    segments = encoder.embeddings.token_type_embeddings.weight
    assert segments.norm(dim=1).tolist() == pytest.approx([0.6 * words.item()] * 2, rel=1e-4)
    assert not torch.equal(segments[0], segments[1])


def test_so_an_interactive_model_learns_to_compare(aligned, tmp_path):
    rng = np.random.default_rng(0)
    examples = comparisons(sentence_pairs(400, 0), rng)
    judged = comparisons(sentence_pairs(80, 1), rng)
    found = {
        way: train(examples, judged, aligned, replace(LIKES, attention=way), tmp_path / way)
        for way in FirstAttention
    }
    assert found["likes"].validation > 0.9
    assert found["encoder"].validation < 0.7


def test_an_encoder_without_segments_cannot_begin_so(tmp_path):
    other = save_encoder(tmp_path / "other", WORDS, kind="xlm-roberta")
    with pytest.raises(ConfigError, match="'xlm-roberta' cannot begin by looking for likes"):
        first_model(other, LIKES)


def test_a_comparison_is_a_translation_or_another_sentence():
    pairs = sentence_pairs(30, 0)
    whole = {(pair.source, pair.target) for pair in pairs}
    whole |= {(target, source) for source, target in whole}
    examples = comparisons(pairs, np.random.default_rng(0))
    assert len(examples) == 60
    for one in examples:
        assert ((one.query.text, one.document.text) in whole) == bool(one.label)
    asked = [one.query.text.startswith("thing") for one in examples]
    assert 0 < sum(asked) < len(asked)


def test_pairs_are_drawn_from_bitext(tmp_path):
    lines = [f"{pair.source}\t{pair.target}\n" for pair in sentence_pairs(40, 0)]
    (tmp_path / "en-it.tsv").write_text("".join([*lines, *lines, "same\tsame\n"]))
    drawn = drawn_pairs([tmp_path / "en-it.tsv"], 25, np.random.default_rng(0))
    assert len(drawn) == len(set(drawn)) == 25
    (tmp_path / "few.tsv").write_text("".join(lines[:3]))
    with pytest.raises(InputError, match="found 3 pairs; expected 20 or more"):
        drawn_pairs([tmp_path / "few.tsv"], 25, np.random.default_rng(0))
