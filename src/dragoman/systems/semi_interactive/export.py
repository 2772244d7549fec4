"""A trained model -> its encoder of queries, or of pairs, as a quantised ONNX graph.

Weights are quantised to eight bits per column, activations dynamically. The export is compared with
the model on examples: speed, difference of scores, AUC. These measurements depend on the machine
that made the export, and are saved with it.
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
TRACED = 9  # tokens of the traced input; the length is dynamic
TIMED = 200  # inputs
TOLERANCE = 1e-3  # between the model and its graph before quantisation


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Speed and quality of an export, measured where it was made."""

    role: str
    examples: int
    milliseconds: dict[str, float]  # median of one input, by "torch" and "int8"
    speed_up: float
    largest_difference: float  # between scores
    auc: dict[str, float]  # by "torch" and "int8"
    bytes: int


class TracedEncoder(nn.Module):
    """The computation of the graph: the mean state of one input, or its logit."""

    def __init__(self, model: RelevanceModel, role: str) -> None:
        super().__init__()
        self.encoder, self.head = model.encoder(role), model.head

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """(1, d) or (1, 1) for one input without padding."""
        segments = {} if token_type_ids is None else {SEGMENTS: token_type_ids}
        states = self.encoder(input_ids=input_ids, **segments).last_hidden_state.mean(dim=1)
        output: Tensor = states if self.head is None else self.head(states)
        return output


def export_model(folder: Path, examples: Sequence[RelevanceExample]) -> ExportReport:
    """Export the model in ``folder`` to its subfolder ``onnx``, and measure it on ``examples``."""
    model = load_model(folder)
    role = PAIRS if model.interactive else QUERIES
    tokenized = tokenize_examples(examples, model.input_builder, model.config)
    inputs = _inputs(model, tokenized)
    with staged_folder(folder / FOLDER) as staged:
        _write_graph(model, role, staged / f"{role}.onnx", inputs)
        FORMAT.write(staged / FACTS, {"role": role, "signature": model.signature})
        exported = ExportedEncoder(staged)
        measurements = _measure(model, exported, tokenized, inputs)
        size = (staged / f"{role}.onnx").stat().st_size
        export_report = ExportReport(role=role, examples=len(examples), bytes=size, **measurements)
        FORMAT.write(staged / FACTS, {**asdict(export_report), "signature": model.signature})
    return export_report


def _inputs(model: RelevanceModel, tokenized: TokenizedExamples) -> list[EncoderInput]:
    if model.interactive:
        return tokenized.pair_inputs(model.input_builder, np.arange(len(tokenized)))
    return tokenized.query_inputs(model.input_builder, np.arange(len(tokenized.queries)))


def _write_graph(
    model: RelevanceModel, role: str, path: Path, inputs: Sequence[EncoderInput]
) -> None:
    traced = TracedEncoder(model, role).eval()
    names = [IDS, SEGMENTS] if reads_segments(model.encoder(role)) else [IDS]
    shape = (1, TRACED)
    number = model.input_builder.query([]).ids[0]  # any token of the vocabulary
    inputs_traced = tuple(torch.full(shape, number if name == IDS else 0) for name in names)
    with tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
        unquantised = Path(folder) / "whole.onnx"
        with warnings.catch_warnings():  # about the legacy exporter and about shapes; checked below
            warnings.simplefilter("ignore")
            torch.onnx.export(
                traced,
                inputs_traced,
                str(unquantised),
                input_names=names,
                output_names=[OUTPUT],
                dynamic_axes={name: {1: "tokens"} for name in names},
                opset_version=OPSET,
                dynamo=False,
            )
        _refuse_other_graph(unquantised, traced, inputs, names)
        # seven bits per weight: eight overflow on CPUs without VNNI
        with _without_advice():
            quantize_dynamic(
                unquantised, path, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
            )


@contextmanager
def _without_advice() -> Iterator[None]:
    """Suppress the quantiser's advice to run its pre-processing, which has no effect here."""

    def is_other(record: logging.LogRecord) -> bool:
        return "pre-processing before quantization" not in record.getMessage()

    logger = logging.getLogger()
    logger.addFilter(is_other)
    try:
        yield
    finally:
        logger.removeFilter(is_other)


def _refuse_other_graph(
    path: Path, traced: TracedEncoder, inputs: Sequence[EncoderInput], names: Sequence[str]
) -> None:
    """Refuse a graph whose results differ for short, median or long inputs."""
    session = open_session(path)
    ordered = sorted(inputs, key=len)
    for one in (ordered[0], ordered[len(ordered) // 2], ordered[-1]):
        ids = torch.tensor([list(one.ids)])
        segments = torch.zeros_like(ids)
        segments[0, one.first :] = 1
        arrays = {IDS: ids, SEGMENTS: segments}
        with torch.no_grad():
            expected = traced(*(arrays[name] for name in names)).numpy()
        (output,) = session.run([OUTPUT], {name: arrays[name].numpy() for name in names})
        if not np.allclose(output, expected, atol=TOLERANCE):
            raise DragomanError(
                f"The graph of this encoder is off by {np.abs(output - expected).max():.3g} for"
                f" {len(one)} tokens; it cannot be exported. Serve the model as it is."
            )


def _measure(
    model: RelevanceModel,
    exported: ExportedEncoder,
    tokenized: TokenizedExamples,
    inputs: Sequence[EncoderInput],
) -> dict[str, Any]:
    """Time of one input and AUC of all examples, by the model and by the export."""
    timed = [inputs[i * len(inputs) // TIMED] for i in range(min(TIMED, len(inputs)))]
    role = exported.role
    plain = _milliseconds(lambda one: model.mean_states_of(role, [one]), timed)
    fast = _milliseconds(lambda one: exported.run([one]), timed)
    scores = {
        "torch": model.score_tokenized(tokenized),
        "int8": _exported_scores(model, exported, tokenized),
    }
    return {
        "milliseconds": {"torch": plain, "int8": fast},
        "speed_up": plain / fast,
        "largest_difference": float(np.abs(scores["torch"] - scores["int8"]).max()),
        "auc": {name: pooled_auc(values, tokenized.labels) for name, values in scores.items()},
    }


def _milliseconds(
    encode: Callable[[EncoderInput], object], inputs: Sequence[EncoderInput]
) -> float:
    encode(inputs[0])
    seconds = []
    for one in inputs:
        started = time.perf_counter()
        encode(one)
        seconds.append(time.perf_counter() - started)
    return 1000 * statistics.median(seconds)


def _exported_scores(
    model: RelevanceModel, exported: ExportedEncoder, tokenized: TokenizedExamples
) -> FloatArray:
    """The scores of all examples by the export."""
    model.export = exported
    try:
        return model.score_tokenized(tokenized)
    finally:
        model.export = None
