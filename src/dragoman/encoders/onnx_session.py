"""Texts -> vectors by an ONNX model: one text per run, on all cores.

Not in batches: a model with dynamically quantised activations (as the default encoder) takes its
scale from the largest value of the batch, so that a text's vector would depend on the other texts;
a batch of 32 changes it by up to .06 in cosine. One text per run gives the same bits every time,
and with one thread per run it is as fast as batches on all cores (benchmarks/encoders.py).
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

TEXTS_PER_TASK = 16  # enough to make scheduling cheap, few enough to use all cores
LETTER = re.compile(r"\w")


def open_session(model: Path, custom_operators: str = "") -> onnxruntime.InferenceSession:
    """The model; its session may be used by several threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3  # hides the runtime's remarks on the graph
    # The runtime's arena has one lock and gives memory of one core to another: without it, two
    # threads encode 15 to 40 % more texts (benchmarks/encoders.py), one thread as many.
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
    """One row per text by ``encode``; equal texts are encoded once, texts without letters are 0.

    A text is truncated at ``longest`` characters: long documents are split into passages before.
    """
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(clean_text(text, longest), []).append(row)
    advance(len(rows.pop("", ())))
    # long texts first, so that no core ends with a long one alone
    queue = sorted(rows, key=len, reverse=True)
    tasks = [queue[i : i + TEXTS_PER_TASK] for i in range(0, len(queue), TEXTS_PER_TASK)]
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)

    def work(task: Sequence[str]) -> list[Any]:
        return [encode(text) for text in task]

    def store(task: Sequence[str], encoded: Sequence[FloatArray]) -> None:
        for text, vector in zip(task, encoded, strict=True):
            vectors[rows[text]] = vector
            advance(len(rows[text]))

    if len(tasks) <= 1:  # a query: handing it to a thread takes longer than it saves
        for task in tasks:
            store(task, work(task))
        return vectors
    for task, encoded in zip(tasks, _pool().map(work, tasks), strict=True):
        store(task, encoded)
    return vectors


@cache
def _pool() -> ThreadPoolExecutor:
    """One thread per core, shared by all encoders: more threads would slow each other down."""
    return ThreadPoolExecutor(cores(), thread_name_prefix="encoder")


os.register_at_fork(after_in_child=_pool.cache_clear)  # its threads do not survive a fork


def clean_text(text: str, longest: int) -> str:
    """The text as model input: truncated, without NUL and surrogates; empty without letters."""
    cut = text if len(text) <= longest else _whole_words(text[:longest])
    plain = cut.replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()
    return plain if LETTER.search(plain) else ""


def _whole_words(cut: str) -> str:
    return cut.rsplit(maxsplit=1)[0] if len(cut.split(maxsplit=1)) > 1 else cut
