"""A trained model -> its encoder of queries, or of pairs, as ONNX in eight bits; what that costs.

The weights are quantised by column, activations as the graph runs. The export is compared with the
model on examples: how much faster one input is read, how far results lie apart, what it does to the
AUC. These measures are of the machine that made the export, and are written beside it.
"""

import logging
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from dragoman.encoders.onnx_session import open_session
from dragoman.errors import DragomanError
from dragoman.storage.staging import staged_folder
from dragoman.systems.semi_interactive.encoding import reads_segments
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.exported_encoder import (
    FACTS,
    FOLDER,
    FORMAT,
    IDS,
    OUTPUT,
    SEGMENTS,
    ExportedEncoder,
)
from dragoman.systems.semi_interactive.inputs import EncoderInput
from dragoman.systems.semi_interactive.model import (
    PAIRS,
    QUERIES,
    RelevanceModel,
    load_model,
)
from dragoman.systems.semi_interactive.tokenized_examples import (
    TokenizedExamples,
    tokenize_examples,
)
from dragoman.systems.semi_interactive.training import pooled_auc
from dragoman.types import FloatArray

OPSET = 17
TRACED = 9  # tokens of the input that the graph is traced with; any other number must work too
TIMED = 200  # inputs
CLOSE = 1e-3  # between the model and its graph before it is quantised


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export gains and loses, measured where it was made."""

    role: str
    examples: int
    milliseconds: dict[str, float]  # of one input, the median: "torch" and "int8"
    speed_up: float
    largest_difference: float  # between scores
    auc: dict[str, float]  # "torch" and "int8"
    bytes: int


class TracedEncoder(nn.Module):
    """What the graph computes: the mean state of one input, or its logit."""

    def __init__(self, model: RelevanceModel, role: str) -> None:
        super().__init__()
        self.encoder, self.head = model.encoder(role), model.head

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """(1, d) or (1, 1) for one input without padding."""
        segments = {} if token_type_ids is None else {SEGMENTS: token_type_ids}
        states = self.encoder(input_ids=input_ids, **segments).last_hidden_state.mean(dim=1)
        found: Tensor = states if self.head is None else self.head(states)
        return found


def export_model(folder: Path, examples: Sequence[RelevanceExample]) -> ExportReport:
    """Export the model in ``folder`` into its folder ``onnx``, and measure it on ``examples``."""
    model = load_model(folder)
    role = PAIRS if model.interactive else QUERIES
    prepared = tokenize_examples(examples, model.reader, model.config)
    inputs = _inputs(model, prepared)
    with staged_folder(folder / FOLDER) as staged:
        _write_graph(model, role, staged / f"{role}.onnx", inputs)
        FORMAT.write(staged / FACTS, {"role": role, "signature": model.signature})
        served = ExportedEncoder(staged)
        report = _measure(model, served, prepared, inputs)
        size = (staged / f"{role}.onnx").stat().st_size
        made = ExportReport(role=role, examples=len(examples), bytes=size, **report)
        FORMAT.write(staged / FACTS, {**asdict(made), "signature": model.signature})
    return made


def _inputs(model: RelevanceModel, prepared: TokenizedExamples) -> list[EncoderInput]:
    if model.interactive:
        return prepared.pair_inputs(model.reader, np.arange(len(prepared)))
    return prepared.query_inputs(model.reader, np.arange(len(prepared.queries)))


def _write_graph(
    model: RelevanceModel, role: str, path: Path, inputs: Sequence[EncoderInput]
) -> None:
    traced = TracedEncoder(model, role).eval()
    names = [IDS, SEGMENTS] if reads_segments(model.encoder(role)) else [IDS]
    shape = (1, TRACED)
    number = model.reader.query([]).ids[0]  # any token there is
    fed = tuple(torch.full(shape, number if name == IDS else 0) for name in names)
    with tempfile.TemporaryDirectory(prefix="dragoman-") as place:
        whole = Path(place) / "whole.onnx"
        with warnings.catch_warnings():  # of the exporter's age, and of shapes; tested below
            warnings.simplefilter("ignore")
            torch.onnx.export(
                traced,
                fed,
                str(whole),
                input_names=names,
                output_names=[OUTPUT],
                dynamic_axes={name: {1: "tokens"} for name in names},
                opset_version=OPSET,
                dynamo=False,
            )
        _refuse_other_graph(whole, traced, inputs, names)
        # seven bits of a weight: eight would overflow on processors without VNNI
        with _without_advice():
            quantize_dynamic(
                whole, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
            )


@contextmanager
def _without_advice() -> Iterator[None]:
    """Hold back the quantiser's advice to run its own preparation, which changes nothing here."""

    def keep(record: logging.LogRecord) -> bool:
        return "pre-processing before quantization" not in record.getMessage()

    logger = logging.getLogger()
    logger.addFilter(keep)
    try:
        yield
    finally:
        logger.removeFilter(keep)


def _refuse_other_graph(
    path: Path, traced: TracedEncoder, inputs: Sequence[EncoderInput], names: Sequence[str]
) -> None:
    """A graph that was traced with one length must be right for the shortest and the longest."""
    session = open_session(path)
    ordered = sorted(inputs, key=len)
    for one in (ordered[0], ordered[len(ordered) // 2], ordered[-1]):
        ids = torch.tensor([list(one.ids)])
        segments = torch.zeros_like(ids)
        segments[0, one.first :] = 1
        fed = {IDS: ids, SEGMENTS: segments}
        with torch.no_grad():
            expected = traced(*(fed[name] for name in names)).numpy()
        (found,) = session.run([OUTPUT], {name: fed[name].numpy() for name in names})
        if not np.allclose(found, expected, atol=CLOSE):
            raise DragomanError(
                f"The graph of this encoder is off by {np.abs(found - expected).max():.3g} for"
                f" {len(one)} tokens; it cannot be exported. Serve the model as it is."
            )


def _measure(
    model: RelevanceModel,
    served: ExportedEncoder,
    prepared: TokenizedExamples,
    inputs: Sequence[EncoderInput],
) -> dict[str, Any]:
    """Time of one input, and scores of all examples, both ways."""
    some = [inputs[place * len(inputs) // TIMED] for place in range(min(TIMED, len(inputs)))]
    role = served.role
    plain = _milliseconds(lambda one: model.mean_states_of(role, [one]), some)
    fast = _milliseconds(lambda one: served.run([one]), some)
    scores = {
        "torch": model.score_prepared(prepared),
        "int8": _exported_scores(model, served, prepared),
    }
    return {
        "milliseconds": {"torch": plain, "int8": fast},
        "speed_up": plain / fast,
        "largest_difference": float(np.abs(scores["torch"] - scores["int8"]).max()),
        "auc": {name: pooled_auc(found, prepared.labels) for name, found in scores.items()},
    }


def _milliseconds(read: Callable[[EncoderInput], object], inputs: Sequence[EncoderInput]) -> float:
    read(inputs[0])
    seconds = []
    for one in inputs:
        started = time.perf_counter()
        read(one)
        seconds.append(time.perf_counter() - started)
    return 1000 * statistics.median(seconds)


def _exported_scores(
    model: RelevanceModel, served: ExportedEncoder, prepared: TokenizedExamples
) -> FloatArray:
    """The scores of all examples through the export."""
    model.export = served
    try:
        return model.score_prepared(prepared)
    finally:
        model.export = None
