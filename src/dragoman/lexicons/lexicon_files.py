"""Tables on disk: arrays as safetensors, facts as JSON with a format version; never pickle.

Two forms. A *folder* (``lexicon.json``, ``tables.safetensors``) keeps probabilities as they are.
A *packed* file, the form of the tables that we ship, is one zstd-compressed safetensors file that
keeps the logarithm of a probability in 8 bits, 254 steps down to e^-12: at most 2.4 % off. Rows
are scaled to sum to one when it is read.
"""

import json
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
from dragoman.storage.staging import staged_folder

FORMAT = "dragoman-lexicon"
VERSION = 1
FACTS, TABLES = "lexicon.json", "tables.safetensors"
LOG_RANGE = 12.0  # e^-12 is far below any probability that pruning keeps
STEPS = 254

Tensors = Mapping[str, NDArray[Any]]
Facts = Mapping[str, Any]


def write_folder(folder: Path, tensors: Tensors, facts: Facts) -> None:
    """Both files, in place only when whole."""
    with staged_folder(folder) as staged:
        (staged / TABLES).write_bytes(tensors_to_bytes(dict(tensors)))
        (staged / FACTS).write_text(_facts_to_json(facts) + "\n", encoding="utf-8")


def read_folder(folder: Path) -> tuple[Tensors, Facts]:
    """What ``write_folder`` wrote."""
    for name in (FACTS, TABLES):
        if not (folder / name).is_file():
            raise InputError(
                folder,
                None,
                found=f"no {name}",
                expected="a folder written by 'dragoman learn lexicon'",
            )
    facts = _facts_from_json(folder / FACTS, (folder / FACTS).read_text(encoding="utf-8"))
    return _tensors(folder / TABLES, (folder / TABLES).read_bytes()), facts


def pack(tensors: Tensors, facts: Facts) -> bytes:
    """One compressed file; the same tables give the same bytes."""
    words = np.frombuffer(_facts_to_json(facts).encode(), dtype=np.uint8)
    raw = tensors_to_bytes({**tensors, "facts": words})
    return zstandard.ZstdCompressor(level=19, write_checksum=True).compress(raw)


def unpack(path: Path) -> tuple[Tensors, Facts]:
    """What ``pack`` made."""
    try:
        raw = zstandard.ZstdDecompressor().decompress(path.read_bytes())
    except zstandard.ZstdError as error:
        raise InputError(
            path, None, found=f"a broken archive ({error})", expected="a packed lexicon"
        ) from error
    tensors = dict(_tensors(path, raw))
    return tensors, _facts_from_json(path, tensors.pop("facts").tobytes().decode())


def words_to_bytes(words: tuple[str, ...]) -> NDArray[np.uint8]:
    """All words as UTF-8, one a line."""
    assert not any("\n" in word for word in words), "a word holds no line end"
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def words_from_bytes(blob: NDArray[np.uint8]) -> tuple[str, ...]:
    """What ``words_to_bytes`` made."""
    return tuple(blob.tobytes().decode().split("\n")) if len(blob) else ()


def quantised(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Probabilities as levels of their logarithm: 255 is one, 1 is e^-12 or less, 0 is none."""
    logs = np.log(np.maximum(values.astype(np.float64), np.exp(-LOG_RANGE)))
    levels = np.rint((1 + logs / LOG_RANGE) * STEPS).astype(np.uint8) + np.uint8(1)
    return np.where(values > 0, levels, np.uint8(0))


def dequantised(levels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The probabilities that levels stand for."""
    steps = np.exp((np.arange(-1, STEPS + 1) / STEPS - 1) * LOG_RANGE)
    steps[0] = 0
    return steps.astype(np.float32)[levels]


def gaps(columns: NDArray[Any], starts: NDArray[Any]) -> NDArray[np.int32]:
    """Each column's distance to the one before it in its row: small numbers, which pack well."""
    distances: NDArray[Any] = np.diff(columns, prepend=0)
    first = starts[:-1][np.diff(starts) > 0]
    distances[first] = columns[first]
    return distances.astype(np.int32)


def columns_from_gaps(distances: NDArray[np.int32], starts: NDArray[Any]) -> NDArray[np.int32]:
    """What ``gaps`` was made from."""
    running = np.concatenate(([0], np.cumsum(distances, dtype=np.int64)))
    columns: NDArray[Any] = running[1:] - np.repeat(running[starts[:-1]], np.diff(starts))
    return columns.astype(np.int32)


def _facts_to_json(facts: Facts) -> str:
    written = {"format": FORMAT, "version": VERSION, **facts}
    return json.dumps(written, ensure_ascii=False, indent=2, sort_keys=True)


def _facts_from_json(path: Path, text: str) -> Facts:
    try:
        facts = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(path, error.lineno, found="broken JSON", expected="a lexicon") from error
    if facts.get("format") != FORMAT or facts.get("version") != VERSION:
        found = f"format {facts.get('format')!r} version {facts.get('version')!r}"
        raise InputError(path, None, found=found, expected=f"{FORMAT!r} version {VERSION}")
    return dict(facts)


def _tensors(path: Path, raw: bytes) -> Tensors:
    try:
        return tensors_from_bytes(raw)
    except SafetensorError as error:
        raise InputError(
            path, None, found=f"no safetensors ({error})", expected="the tables of a lexicon"
        ) from error
