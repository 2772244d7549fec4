"""Initial layers with attention between similar tokens of two concatenated texts.

To classify two texts as translations, their tokens must be compared. Token vectors are aligned
across languages (``token_vectors.py``), but random layers hardly attend from one text to the other,
and a short training does not teach them to. So some parameters are not random, but initialized as
follows; training changes them like all others.

- *Segment*: the embedding of the second segment is a vector along one direction; that of the first
  segment is 0.
- *Attention*: queries, keys and values are the states themselves, but keys are reflected along the
  segment direction, around half of the segment vector. A token then attends to tokens with similar
  vectors, more to those of the other text, which moves its state towards the middle.
- *Feed-forward*: two units measure the distance of a token from the middle and write it along
  another direction, *unmatched*: tokens with a similar token in the other text are low there.
- The classifier of translations begins as the negative of that direction of the mean state.

A single text has one segment, so that reflected keys change nothing for it.
"""

import torch
from torch import Tensor
from transformers.models.bert.modeling_bert import BertLayer

from dragoman.training.pretraining.model import PretrainModel

LENGTH = 1.0  # of the segment vector, relative to the mean length of token vectors
WRITE_SCALE = 0.5  # of a token's distance from the middle
READ_SCALE = 5.0  # of the classifier


@torch.no_grad()
def initialize_cross_attention(model: PretrainModel, generator: torch.Generator) -> None:
    """Initialize all layers; ``generator`` draws the two directions."""
    size = model.vectors.shape[1]
    segment, unmatched = _directions(size, generator)
    embeddings = model.encoder.embeddings
    segments = embeddings.token_type_embeddings.weight
    segments.zero_()
    segments[1] = segment * LENGTH * model.vectors.norm(dim=1).mean()
    # states have length sqrt(size), of the segment vector and the token vector
    middle = size**0.5 * LENGTH / (1 + LENGTH**2) ** 0.5 / 2
    for layer in model.encoder.encoder.layer:
        assert isinstance(layer, BertLayer)
        _initialize_attention(layer, segment, middle)
        _initialize_feed_forward(layer, segment, middle, unmatched)
    model.compares.weight[0] = -READ_SCALE * unmatched
    model.compares.bias.zero_()


def _directions(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Two orthogonal unit vectors whose components sum to 0, as those of normalised states."""
    drawn = torch.randn(size, 2, generator=generator)
    drawn = torch.linalg.qr(drawn - drawn.mean(dim=0)).Q
    return drawn[:, 0], drawn[:, 1]


def _initialize_attention(layer: BertLayer, segment: Tensor, middle: float) -> None:
    own = layer.attention.self
    identity = torch.eye(len(segment))
    for linear in (own.query, own.key, own.value, layer.attention.output.dense):
        linear.weight.copy_(identity)
        linear.bias.zero_()
    own.query.bias.copy_(-middle * segment)
    own.key.weight.sub_(2 * torch.outer(segment, segment))
    own.key.bias.copy_(middle * segment)


def _initialize_feed_forward(
    layer: BertLayer, segment: Tensor, middle: float, unmatched: Tensor
) -> None:
    inner, outer = layer.intermediate.dense, layer.output.dense
    for unit, sign in enumerate((1, -1)):
        inner.weight[unit] = sign * segment
        inner.bias[unit] = -sign * middle
        outer.weight[:, unit] = WRITE_SCALE * unmatched
