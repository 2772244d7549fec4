"""Lexicons on disk: arrays as safetensors, facts as JSON with a format version; never pickle.

Two formats. A *folder* (``lexicon.json``, ``tables.safetensors``) stores probabilities exactly. A
*packed* file, the format of the shipped lexicons, is one zstd-compressed safetensors file that
stores the logarithm of a probability in 8 bits, 254 steps down to e^-12: at most 2.4 % off. Rows
are scaled to sum to one when it is read.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as tensors_from_bytes
from safetensors.numpy import save as tensors_to_bytes

from dragoman.errors import InputError
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder

FORMAT = Format("dragoman-lexicon", 1, "'dragoman learn lexicon'")
FACTS, TABLES = "lexicon.json", "tables.safetensors"
LOG_RANGE = 12.0  # e^-12 is far below any probability that pruning retains
STEPS = 254

Tensors = Mapping[str, NDArray[Any]]
Facts = Mapping[str, Any]


def write_folder(folder: Path, tensors: Tensors, facts: Facts) -> None:
    """Write both files; the folder appears only when it is complete."""
    with staged_folder(folder) as staged:
        (staged / TABLES).write_bytes(tensors_to_bytes(dict(tensors)))
        FORMAT.write(staged / FACTS, facts)


def read_folder(folder: Path) -> tuple[Tensors, Facts]:
    """The arrays and facts of a folder that ``write_folder`` wrote."""
    for name in (FACTS, TABLES):
        if not (folder / name).is_file():
            raise InputError(
                folder,
                None,
                found=f"no {name}",
                expected="a folder written by 'dragoman learn lexicon'",
            )
    facts = FORMAT.read(folder / FACTS)
    return _tensors(folder / TABLES, (folder / TABLES).read_bytes()), facts


def pack(tensors: Tensors, facts: Facts) -> bytes:
    """The packed file; equal tables give equal bytes."""
    text = np.frombuffer(FORMAT.dump(facts).encode(), dtype=np.uint8)
    return compress({**tensors, "facts": text})


def unpack(path: Path) -> tuple[Tensors, Facts]:
    """The arrays and facts of a packed file."""
    tensors = dict(decompress(path, "a packed lexicon"))
    return tensors, FORMAT.parse(tensors.pop("facts").tobytes().decode(), path)


def compress(tensors: Tensors) -> bytes:
    """The arrays as zstd-compressed safetensors; equal arrays give equal bytes."""
    compressor = zstandard.ZstdCompressor(level=19, write_checksum=True)
    return compressor.compress(tensors_to_bytes(dict(tensors)))


def decompress(path: Path, expected: str) -> Tensors:
    """The arrays in a file of ``compress``; ``expected`` describes the file in errors."""
    try:
        raw = zstandard.ZstdDecompressor().decompress(path.read_bytes())
    except zstandard.ZstdError as error:
        raise InputError(
            path, None, found=f"a broken archive ({error})", expected=expected
        ) from error
    return _tensors(path, raw)


def words_to_bytes(words: tuple[str, ...]) -> NDArray[np.uint8]:
    """All words as UTF-8, one per line."""
    assert not any("\n" in word for word in words), "a word contains no line end"
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def words_from_bytes(blob: NDArray[np.uint8]) -> tuple[str, ...]:
    """The words that ``words_to_bytes`` encoded."""
    return tuple(blob.tobytes().decode().split("\n")) if len(blob) else ()


def quantised(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Probabilities as levels of their logarithm: 255 is one, 1 is e^-12 or less, 0 is zero."""
    logs = np.log(np.maximum(values.astype(np.float64), np.exp(-LOG_RANGE)))
    levels = np.rint((1 + logs / LOG_RANGE) * STEPS).astype(np.uint8) + np.uint8(1)
    return np.where(values > 0, levels, np.uint8(0))


def dequantised(levels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The probabilities of levels."""
    steps = np.exp((np.arange(-1, STEPS + 1) / STEPS - 1) * LOG_RANGE)
    steps[0] = 0
    return steps.astype(np.float32)[levels]


def gaps(columns: NDArray[Any], starts: NDArray[Any]) -> NDArray[np.int32]:
    """The distance of each column to the previous one in its row: small numbers compress well."""
    distances: NDArray[Any] = np.diff(columns, prepend=0)
    first = starts[:-1][np.diff(starts) > 0]
    distances[first] = columns[first]
    return distances.astype(np.int32)


def columns_from_gaps(distances: NDArray[np.int32], starts: NDArray[Any]) -> NDArray[np.int32]:
    """The columns that ``gaps`` encoded."""
    running = np.concatenate(([0], np.cumsum(distances, dtype=np.int64)))
    columns: NDArray[Any] = running[1:] - np.repeat(running[starts[:-1]], np.diff(starts))
    return columns.astype(np.int32)


def _tensors(path: Path, raw: bytes) -> Tensors:
    try:
        return tensors_from_bytes(raw)
    except SafetensorError as error:
        raise InputError(
            path, None, found=f"no safetensors ({error})", expected="the tables of a lexicon"
        ) from error
