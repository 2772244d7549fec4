"""Layers that begin by looking for like tokens, for encoders too small to have learnt to.

To say whether two texts belong together, an interactive model must compare their tokens. Large
encoders learnt to when they were pre-trained (multilingual BERT told following sentences from
others); a small one of our own has token vectors that are alike across languages, but layers that
hardly look from one text to the other, and some thousand examples do not teach them to. Here every
layer begins with identities for queries, keys, values and their output: a token attends to those
with like vectors, in either text, and adds what it finds to itself. Segments get vectors of a
length that shows in the sum, so that the mean state tells how much was found across.
"""

from typing import cast

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from dragoman.errors import ConfigError
from dragoman.systems.semi_interactive.encoding import reads_segments

SEGMENT = 0.6  # the length of a segment's vector, beside the mean length of a token's


@torch.no_grad()
def look_for_likes(encoder: PreTrainedModel, generator: torch.Generator) -> None:
    """Let every layer begin by looking for likes; ``generator`` draws the segments' vectors."""
    layers = getattr(getattr(encoder, "encoder", None), "layer", None)
    if layers is None or not reads_segments(encoder):
        raise ConfigError(
            f"an encoder of the kind {encoder.config.model_type!r} cannot begin by looking for"
            " likes: that needs the layers of BERT, and segments; set attention to 'encoder'"
        )
    for layer in layers:
        own = layer.attention.self
        for part in (own.query, own.key, own.value, layer.attention.output.dense):
            part.weight.copy_(torch.eye(len(part.weight)))
            part.bias.zero_()
    words = cast("nn.Embedding", encoder.get_input_embeddings()).weight
    segments: Tensor = encoder.embeddings.token_type_embeddings.weight  # type: ignore[union-attr,assignment]
    drawn = torch.randn(segments.shape, generator=generator)
    length = SEGMENT * words.norm(dim=1).mean()
    segments.copy_(drawn * (length / drawn.norm(dim=1, keepdim=True)))
