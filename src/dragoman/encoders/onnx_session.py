"""An ONNX model run over many texts: one text a run, on all cores.

Why not in batches: a model whose activations are quantised as it runs (the default encoder is one)
takes its scale from the largest value in the whole batch, so a text's vector would depend on its
neighbours; a batch of 32 moves it by up to .06 in cosine. One text a run gives the same bits every
time, and with one thread per run it is as fast as batches on all cores (benchmarks/encoders.py).
"""

import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from dragoman.errors import InputError
from dragoman.processors import cores
from dragoman.protocols import Advance
from dragoman.types import FloatArray

TEXTS_A_TASK = 16  # enough to make handing out tasks cheap, few enough to keep all cores busy
LETTER = re.compile(r"\w")


def open_session(model: Path, custom_operators: str = "") -> onnxruntime.InferenceSession:
    """The model, ready to be run from several threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3  # the runtime's remarks on the graph are not for the user
    # The runtime's own allocator has one lock, and hands memory that one core has just used to the
    # other: two threads encode 15 to 40 % more without it (benchmarks/encoders.py), one as much.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    if custom_operators:
        options.register_custom_ops_library(custom_operators)
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's errors share no other base
        raise InputError(
            model, None, found=f"no model that runs here ({error})", expected="an ONNX model"
        ) from error


def encode_each(
    encode: Callable[[str], FloatArray],
    texts: Sequence[str],
    dimension: int,
    longest: int,
    advance: Advance,
) -> FloatArray:
    """One row per text by ``encode``; equal texts are encoded once, texts without a letter not.

    Of a text above ``longest`` characters the rest is left out; passages are made before.
    """
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(clean_text(text, longest), []).append(row)
    advance(len(rows.pop("", ())))
    # long texts first: no core is left with a long one when the others are done
    waiting = sorted(rows, key=len, reverse=True)
    tasks = [waiting[i : i + TEXTS_A_TASK] for i in range(0, len(waiting), TEXTS_A_TASK)]
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)

    def work(task: Sequence[str]) -> list[Any]:
        return [encode(text) for text in task]

    def keep(task: Sequence[str], found: Sequence[FloatArray]) -> None:
        for text, vector in zip(task, found, strict=True):
            vectors[rows[text]] = vector
            advance(len(rows[text]))

    if len(tasks) <= 1:  # a question: a thread would take longer to start than it saves
        for task in tasks:
            keep(task, work(task))
        return vectors
    for task, found in zip(tasks, _pool().map(work, tasks), strict=True):
        keep(task, found)
    return vectors


@cache
def _pool() -> ThreadPoolExecutor:
    """As many threads as cores, for all who encode: more of them would slow each other down."""
    return ThreadPoolExecutor(cores(), thread_name_prefix="encoder")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of its threads


def clean_text(text: str, longest: int) -> str:
    """The text as a model can read it: no NUL, no half characters; empty without letters."""
    cut = text if len(text) <= longest else _whole_words(text[:longest])
    plain = cut.replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()
    return plain if LETTER.search(plain) else ""


def _whole_words(cut: str) -> str:
    return cut.rsplit(maxsplit=1)[0] if len(cut.split(maxsplit=1)) > 1 else cut
