"""``.vec`` and its kin: a word and its numbers a line, separated by blanks.

fastText and word2vec write a first line with the numbers of words and of dimensions, GloVe does
not; both are read, plain, ``.gz`` or ``.zst``. Words may hold blanks (GloVe's 840B file has
some): the last numbers of a line are the vector.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dragoman.embeddings.readers.word_row import (
    Wanted,
    WordRow,
    accept_all,
    check_dimension,
    check_finite,
    decode_word,
    parse_header,
)
from dragoman.errors import InputError
from dragoman.text.files import BROKEN_ARCHIVE, LONGEST_LINE, Faults, open_bytes
from dragoman.types import FloatArray


def read_text(path: Path, faults: Faults, wanted: Wanted = accept_all) -> Iterator[WordRow]:
    """The rows of a text file of one language."""
    for number, word, numbers in lines(path, faults):
        if wanted(word, ""):
            yield from parsed(path, faults, number, word, numbers)


def lines(path: Path, faults: Faults) -> Iterator[tuple[int, str, list[bytes]]]:
    """Line number, word and unparsed numbers of every row."""
    dimension = 0
    for number, raw in _raw_lines(path):
        if number == 1 and (header := parse_header(path, raw)):
            dimension = header[1]
            continue
        fields = raw.rstrip().split(b" ")
        if not dimension:
            dimension = len(fields) - 1
            check_dimension(path, number, dimension)
        try:
            if len(fields) <= dimension:
                raise InputError(
                    path,
                    number,
                    found=f"{len(fields)} fields",
                    expected=f"a word and {dimension} numbers",
                )
            word = decode_word(path, number, b" ".join(fields[:-dimension]))
        except InputError as error:
            faults.report(error)
        else:
            yield number, word, fields[-dimension:]


def parsed(
    path: Path, faults: Faults, line: int, word: str, numbers: list[bytes]
) -> Iterator[WordRow]:
    """The row, or nothing where its numbers are a fault that is skipped."""
    try:
        vector = _vector(path, line, numbers)
        check_finite(path, line, word, vector)
    except InputError as error:
        faults.report(error)
    else:
        yield WordRow(word, vector)


def _vector(path: Path, line: int, numbers: list[bytes]) -> FloatArray:
    try:
        return np.array(numbers, dtype=np.float32)
    except ValueError as error:
        raise InputError(
            path, line, found=f"no number ({error})", expected=f"{len(numbers)} numbers"
        ) from error


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    with open_bytes(path) as stream:
        try:
            while raw := stream.readline(LONGEST_LINE):
                number += 1
                if len(raw) >= LONGEST_LINE:
                    found = f"a line above {LONGEST_LINE:,} bytes"
                    raise InputError(path, number, found=found, expected="a word and its numbers")
                yield number, raw
        except BROKEN_ARCHIVE as error:
            raise InputError(
                path, number + 1, found=f"a broken archive ({error})", expected="a whole file"
            ) from error
    if number == 0:
        raise InputError(path, None, found="an empty file", expected="word vectors")
