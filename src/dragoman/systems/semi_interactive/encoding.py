"""Inputs -> vectors: padded batches, and the mean of the encoder's hidden states."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedModel

from dragoman.encoders.transformer import mean_states
from dragoman.systems.semi_interactive.inputs import EncoderInput

MOST_TOKENS = 16_384  # of a batch, including padding


@dataclass(frozen=True, slots=True)
class PaddedInputs:
    """The inputs of a batch, (n, longest) each."""

    ids: Tensor
    mask: Tensor  # 1 where there is a token
    segments: Tensor  # 0 in the first segment, 1 in the second


def pad_inputs(inputs: Sequence[EncoderInput], padding: int, device: torch.device) -> PaddedInputs:
    """The inputs as one batch."""
    shape = (len(inputs), max(map(len, inputs)))
    ids = np.full(shape, padding, dtype=np.int64)
    mask, segments = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, one in enumerate(inputs):
        ids[row, : len(one)] = one.ids
        mask[row, : len(one)] = 1
        segments[row, one.first : len(one)] = 1
    tensors = (torch.from_numpy(array).to(device) for array in (ids, mask, segments))
    return PaddedInputs(*tensors)


def reads_segments(encoder: PreTrainedModel) -> bool:
    """Whether an encoder has segment embeddings; XLM-R and DistilBERT have none."""
    accepted = "token_type_ids" in inspect.signature(encoder.forward).parameters
    return accepted and getattr(encoder.config, "type_vocab_size", 1) > 1


def mean_vectors(encoder: PreTrainedModel, batch: PaddedInputs) -> Tensor:
    """(n, d): the mean of the last hidden states of every input."""
    segments = {"token_type_ids": batch.segments} if reads_segments(encoder) else {}
    states = encoder(input_ids=batch.ids, attention_mask=batch.mask, **segments)
    return mean_states(states.last_hidden_state, batch.mask)


def compute_by_length(
    inputs: Sequence[EncoderInput],
    batch: int,
    compute: Callable[[Sequence[EncoderInput]], Tensor],
    width: int,
) -> NDArray[np.float32]:
    """(n, width): ``compute`` of all inputs, in batches of similar length."""
    lengths = np.array([len(one) for one in inputs], dtype=np.int64)
    results = np.zeros((len(inputs), width), dtype=np.float32)
    order = np.argsort(-lengths, kind="stable")
    start = 0
    with torch.no_grad():
        while start < len(order):
            size = max(1, min(batch, MOST_TOKENS // max(1, int(lengths[order[start]]))))
            rows = order[start : start + size]
            values = compute([inputs[row] for row in rows])
            results[rows] = values.float().cpu().numpy().reshape(len(rows), width)
            start += size
    return results
