"""Polyglot's vectors (Al-Rfou et al. 2013): a pickled pair of words and matrix, read as data.

``pickled`` says why that is safe. The file is read whole; Polyglot's have at most 100,000 words.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dragoman.embeddings.readers.safe_pickle import read_pickled
from dragoman.embeddings.readers.word_row import (
    Wanted,
    WordRow,
    accept_all,
    check_dimension,
    check_finite,
)
from dragoman.errors import InputError
from dragoman.text.files import Faults


def read_polyglot(path: Path, faults: Faults, wanted: Wanted = accept_all) -> Iterator[WordRow]:
    """The rows of a pickled file of one language; an error's line counts words from 1."""
    found = read_pickled(path)
    if (
        not isinstance(found, tuple)
        or len(found) != 2
        or not isinstance(found[0], tuple)
        or not isinstance(found[1], np.ndarray)
        or found[1].ndim != 2
        or len(found[0]) != len(found[1])
    ):
        raise InputError(
            path,
            None,
            found="something else in the pickle",
            expected="a pair: words, and a matrix with one row per word",
        )
    words, matrix = found
    check_dimension(path, None, matrix.shape[1])
    for number, (word, row) in enumerate(zip(words, matrix, strict=True), start=1):
        try:
            if not isinstance(word, str):
                found_type = type(word).__name__
                raise InputError(path, number, found=f"a {found_type}", expected="a word")
            if not wanted(word, ""):
                continue
            vector = row.astype(np.float32)
            check_finite(path, number, word, vector)
        except InputError as error:
            faults.report(error)
        else:
            yield WordRow(word, vector)
