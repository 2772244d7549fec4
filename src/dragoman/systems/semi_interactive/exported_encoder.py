"""A model's encoder of queries, or of pairs, as ONNX in eight bits: what runs for every search.

    MODEL/onnx/queries.onnx or pairs.onnx     tokens of one input -> its mean state, or its logit
    MODEL/onnx/export.json                    what was measured when it was made

Activations are quantised as the graph runs, by the largest value in it, so that every input is run
by itself: its result is the same whatever else is asked. As many run at a time as there are cores.
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
A_TASK = 8  # inputs that a thread takes at a time


class ExportedEncoder:
    """An exported encoder, ready to run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts: Mapping[str, Any] = FORMAT.read(folder / FACTS)
        self.role = str(self.facts["role"])
        self._session = open_session(folder / f"{self.role}.onnx")
        self._named = {one.name for one in self._session.get_inputs()}

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(cores())

    def run(self, inputs: Sequence[EncoderInput]) -> NDArray[np.float32]:
        """(n, width): the result of every input."""
        if len(inputs) <= 1:
            return self._rows(inputs)
        # long ones first: no core is left with a long one when the others are done
        order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]))
        tasks = [order[start : start + A_TASK] for start in range(0, len(order), A_TASK)]
        parts = self._threads.map(lambda rows: self._rows([inputs[row] for row in rows]), tasks)
        found = np.concatenate(list(parts))
        arranged = np.empty_like(found)
        arranged[order] = found
        return arranged

    def _rows(self, inputs: Sequence[EncoderInput]) -> NDArray[np.float32]:
        rows = [self._one(one) for one in inputs]
        return np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)

    def _one(self, one: EncoderInput) -> NDArray[np.float32]:
        ids = np.array([one.ids], dtype=np.int64)
        segments = np.zeros_like(ids)
        segments[0, one.first :] = 1
        fed = {IDS: ids, SEGMENTS: segments}
        named = {name: array for name, array in fed.items() if name in self._named}
        found: NDArray[np.float32] = self._session.run([OUTPUT], named)[0][0]
        return found


def open_export(folder: Path) -> ExportedEncoder | None:
    """The export that lies in a model's folder; None where there is none."""
    place = folder / FOLDER
    return ExportedEncoder(place) if (place / FACTS).is_file() else None
