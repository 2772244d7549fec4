"""Layers that begin by comparing: tokens look for their likes in the other text of a line.

To say whether two texts belong together, their tokens must be compared. A small encoder begins with
token vectors that are alike across languages (``bags.py``), but drawn layers hardly look from one
text to the other, and in the steps that it has it does not learn to. So the parameters are not all
drawn, but begin as follows; training changes them like any others.

- The *segment* is a direction: tokens of a second text stand at some height along it, those of a
  first, or only, text at 0.
- *Attention*: queries, keys and values are the states themselves, but keys are mirrored along the
  segment, around half that height. A token then attends to tokens with like vectors, more to those
  of the other text, and what it finds there draws it towards the middle.
- *Feed-forward*: two units measure how far a token still is from the middle, and write it along
  another direction, *alone*: tokens that found their like in the other text are low there.
- What *compares* begins by reading that direction of the mean state, turned round.

A text by itself has one segment, so that mirrored keys change nothing for it.
"""

import torch
from torch import Tensor
from transformers.models.bert.modeling_bert import BertLayer

from dragoman.training.pretraining.model import PretrainModel

LENGTH = 1.0  # of the segment's vector, beside the mean length of a token's
WRITTEN = 0.5  # of a token's distance from the middle
READ = 5.0  # how steeply a mean state is told by it


@torch.no_grad()
def initialize_cross_attention(model: PretrainModel, generator: torch.Generator) -> None:
    """Let all layers begin so; ``generator`` draws the two directions."""
    size = model.vectors.shape[1]
    segment, alone = _directions(size, generator)
    embeddings = model.encoder.embeddings
    segments = embeddings.token_type_embeddings.weight
    segments.zero_()
    segments[1] = segment * LENGTH * model.vectors.norm(dim=1).mean()
    # states are normalised to the length sqrt(size); a token's own vector has the rest of it
    middle = size**0.5 * LENGTH / (1 + LENGTH**2) ** 0.5 / 2
    for layer in model.encoder.encoder.layer:
        assert isinstance(layer, BertLayer)
        _initialize_attention(layer, segment, middle)
        _initialize_feed_forward(layer, segment, middle, alone)
    model.compares.weight[0] = -READ * alone
    model.compares.bias.zero_()


def _directions(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Two of length one at right angles; their numbers sum to 0, as those of states do."""
    drawn = torch.randn(size, 2, generator=generator)
    drawn = torch.linalg.qr(drawn - drawn.mean(dim=0)).Q
    return drawn[:, 0], drawn[:, 1]


def _initialize_attention(layer: BertLayer, segment: Tensor, middle: float) -> None:
    own = layer.attention.self
    identity = torch.eye(len(segment))
    for part in (own.query, own.key, own.value, layer.attention.output.dense):
        part.weight.copy_(identity)
        part.bias.zero_()
    own.query.bias.copy_(-middle * segment)
    own.key.weight.sub_(2 * torch.outer(segment, segment))
    own.key.bias.copy_(middle * segment)


def _initialize_feed_forward(
    layer: BertLayer, segment: Tensor, middle: float, alone: Tensor
) -> None:
    inner, outer = layer.intermediate.dense, layer.output.dense
    for unit, side in enumerate((1, -1)):
        inner.weight[unit] = side * segment
        inner.bias[unit] = -side * middle
        outer.weight[:, unit] = WRITTEN * alone
