"""A model's exported encoder of queries, or of pairs: the quantised ONNX graph of every search.

    MODEL/onnx/queries.onnx or pairs.onnx     tokens of one input -> its mean state, or its logit
    MODEL/onnx/export.json                    measurements of the export

Activations are quantised dynamically by their largest value, so that every input is run alone: its
result does not depend on other inputs. As many run in parallel as there are cores.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.onnx_session import open_session
from dragoman.processors import cores
from dragoman.storage.facts import Format
from dragoman.systems.semi_interactive.inputs import EncoderInput

FORMAT = Format("dragoman-semi-interactive-onnx", 1, "'dragoman train ... --export'")
FOLDER, FACTS = "onnx", "export.json"
IDS, SEGMENTS, OUTPUT = "input_ids", "token_type_ids", "output"
INPUTS_A_TASK = 8  # of a thread


class ExportedEncoder:
    """An exported encoder, ready to run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts: Mapping[str, Any] = FORMAT.read(folder / FACTS)
        self.role = str(self.facts["role"])
        self._session = open_session(folder / f"{self.role}.onnx")
        self._input_names = {node.name for node in self._session.get_inputs()}

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(cores())

    def run(self, inputs: Sequence[EncoderInput]) -> NDArray[np.float32]:
        """(n, width): the result of every input."""
        if len(inputs) <= 1:
            return self._rows(inputs)
        # longest first, so that all threads end at about the same time
        order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]))
        tasks = [
            order[start : start + INPUTS_A_TASK] for start in range(0, len(order), INPUTS_A_TASK)
        ]
        parts = self._threads.map(lambda rows: self._rows([inputs[row] for row in rows]), tasks)
        sorted_rows = np.concatenate(list(parts))
        rows = np.empty_like(sorted_rows)
        rows[order] = sorted_rows
        return rows

    def _rows(self, inputs: Sequence[EncoderInput]) -> NDArray[np.float32]:
        rows = [self._one(one) for one in inputs]
        return np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)

    def _one(self, one: EncoderInput) -> NDArray[np.float32]:
        ids = np.array([one.ids], dtype=np.int64)
        segments = np.zeros_like(ids)
        segments[0, one.first :] = 1
        arrays = {IDS: ids, SEGMENTS: segments}
        accepted = {name: array for name, array in arrays.items() if name in self._input_names}
        output: NDArray[np.float32] = self._session.run([OUTPUT], accepted)[0][0]
        return output


def open_export(folder: Path) -> ExportedEncoder | None:
    """The export in a model's folder; None if there is none."""
    export = folder / FOLDER
    return ExportedEncoder(export) if (export / FACTS).is_file() else None
