"""Numberbatch as HDF5, the form of ``mini.h5``: a pandas table ``mat`` of int8 or float numbers.

Read with h5py: ``mat/axis1`` holds the uris, ``mat/block0_values`` the rows. A table whose labels
pandas has pickled is refused.
"""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np

from dragoman.embeddings.readers.numberbatch import parse_uri
from dragoman.embeddings.readers.word_row import (
    Wanted,
    WordRow,
    accept_all,
    check_dimension,
    check_finite,
    decode_word,
)
from dragoman.errors import InputError
from dragoman.text.files import Faults

TABLE, LABELS, VALUES = "mat", "axis1", "block0_values"
BLOCK = 1 << 14  # rows at a time


def read_hdf5(path: Path, faults: Faults, wanted: Wanted = accept_all) -> Iterator[WordRow]:
    """The rows of the table; an error's line counts rows from 1."""
    with _opened(path) as file:
        labels, values = _table(path, file)
        for start in range(0, len(labels), BLOCK):
            chosen: list[tuple[int, str]] = []
            for place, raw in enumerate(labels[start : start + BLOCK]):
                try:
                    uri = decode_word(path, start + place + 1, raw)
                    language, word = parse_uri(path, start + place + 1, uri)
                except InputError as error:
                    faults.report(error)
                    continue
                if wanted(word, language):
                    chosen.append((place, word))
            if not chosen:
                continue
            block = np.asarray(values[start : start + BLOCK], dtype=np.float32)
            for place, word in chosen:
                try:
                    check_finite(path, start + place + 1, word, block[place])
                except InputError as error:
                    faults.report(error)
                else:
                    yield WordRow(word, block[place])


def _opened(path: Path) -> h5py.File:
    if not path.is_file():
        raise InputError(path, None, found="no such file", expected="an HDF5 file")
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise InputError(
            path, None, found=f"no HDF5 ({error})", expected="Numberbatch's mini.h5"
        ) from error


def _table(path: Path, file: h5py.File) -> tuple[h5py.Dataset, h5py.Dataset]:
    names = [f"{TABLE}/{LABELS}", f"{TABLE}/{VALUES}"]
    found = [file.get(name) for name in names]
    if not all(isinstance(one, h5py.Dataset) for one in found):
        raise InputError(
            path,
            None,
            found=f"the parts {', '.join(file) or 'none'}",
            expected=" and ".join(names),
        )
    labels, values = found
    if labels.dtype.kind != "S" or labels.ndim != 1:
        raise InputError(
            path,
            None,
            found=f"labels of type {labels.dtype}",
            expected="strings of fixed length",
            advice="Labels that pandas has pickled are not read.",
        )
    if values.ndim != 2 or len(values) != len(labels) or values.dtype.kind not in "fi":
        raise InputError(
            path,
            None,
            found=f"{len(labels)} labels, {values.dtype} values of shape {values.shape}",
            expected="one row of numbers per label",
        )
    check_dimension(path, None, values.shape[1])
    return labels, values
