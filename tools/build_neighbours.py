"""Rebuild the neighbours of pivot words that the package ships.

    python tools/build_neighbours.py        write them into the package's data folder

The words are the pivot stems that occur at least ``LEAST`` times in the inputs of the shipped
tables. The default encoder (dragoman models get default) reads the most frequent form of each
(``build_forms.py``). Their mean is subtracted and the first ``DIMENSIONS`` principal components are
compared: on XQuAD-R's articles of even number the best of 64, 128 and all 512.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import faiss
import numpy as np

from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.lexicons.shipped_lexicons import PIVOT, shipped_languages, shipped_lexicon
from dragoman.lexicons.surface_forms import surface_form
from dragoman.lexicons.word_neighbours import FILE, pack_neighbours
from dragoman.types import FloatArray, IntArray

LEAST = 5
DIMENSIONS = 128
NEIGHBOURS = 15
SMALLEST = 1e-9  # length


def frequent_words() -> list[str]:
    """The pivot stems of all tables that occur often enough, by letter."""
    counts: Counter[str] = Counter()
    for language in shipped_languages():
        table = shipped_lexicon(language)
        counts.update(dict(zip(table.source_words, table.source_counts.tolist(), strict=True)))
    return sorted(word for word, count in counts.items() if count >= LEAST)


def principal_components(vectors: FloatArray) -> FloatArray:
    """Centred vectors in their first principal components, of length one."""
    centred = vectors - vectors.mean(axis=0)
    _, components = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ components[:, : -DIMENSIONS - 1 : -1]
    lengths = np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), SMALLEST)
    return np.ascontiguousarray(reduced / lengths, np.float32)


def nearest(unit: FloatArray) -> tuple[IntArray, FloatArray]:
    """The ``NEIGHBOURS`` nearest others of each row, and their cosines, nearest first."""
    cosines, numbers = faiss.knn(unit, unit, NEIGHBOURS + 1, metric=faiss.METRIC_INNER_PRODUCT)
    others = numbers != np.arange(len(unit))[:, None]
    others[others.all(axis=1), -1] = False  # a row with copies of itself may not be listed
    shape = len(unit), NEIGHBOURS
    return numbers[others].reshape(shape), cosines[others].reshape(shape)


def main() -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args()
    words = frequent_words()
    encoded = load_encoder("default").encode([surface_form(word, PIVOT) for word in words])
    unit = principal_components(np.asarray(encoded, np.float32))
    packed = pack_neighbours(words, *nearest(unit))
    options.output.write_bytes(packed)
    print(f"{len(words):,} words, {len(packed):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
