"""What every reader promises: rows one by one, and only of the words that are wanted.

A reader is ``(path, faults, wanted) -> Iterator[WordRow]``. It asks ``wanted(word, language)``
before it parses a vector, so that a small vocabulary costs little of a large file; the language is
empty where the file holds only one and does not say which. Vectors come as the file has them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dragoman.errors import InputError
from dragoman.types import FloatArray

LONGEST_WORD = 4096  # bytes; the longest titles in published files have some hundreds
MOST_DIMENSIONS = 1 << 16

Wanted = Callable[[str, str], bool]


class WordRow(NamedTuple):
    """A word and its vector (float32), as in the file."""

    word: str
    vector: FloatArray


def accept_all(word: str, language: str) -> bool:
    """A ``Wanted`` that wants all."""
    return True


def parse_header(path: Path, line: bytes) -> tuple[int, int] | None:
    """The numbers of words and of dimensions in a first line; None where it is no header."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    words, dimension = int(fields[0]), int(fields[1])
    check_dimension(path, 1, dimension)
    return words, dimension


def check_dimension(path: Path, line: int | None, dimension: int) -> None:
    """Refuse a number of dimensions that no vectors have."""
    if not 2 <= dimension <= MOST_DIMENSIONS:
        raise InputError(
            path,
            line,
            found=f"{dimension} dimensions",
            expected=f"between 2 and {MOST_DIMENSIONS:,}",
        )


def decode_word(path: Path, line: int, raw: bytes) -> str:
    """The word, or an error that names the byte that is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            path,
            line,
            found=f"a word with the byte 0x{raw[error.start]:02x}",
            expected="UTF-8 text",
        ) from error


def check_finite(path: Path, line: int, word: str, vector: FloatArray) -> None:
    """Refuse a vector that holds NaN or infinity."""
    if not np.isfinite(vector).all():
        raise InputError(
            path,
            line,
            found=f"a vector of {word!r} that is not finite",
            expected="ordinary numbers",
        )
