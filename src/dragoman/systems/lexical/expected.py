"""Counts of a language's own words -> expected counts of pivot words: one sparse product."""

from typing import NamedTuple

import numpy as np

from dragoman.lexicons.rows import Table
from dragoman.scores.impacts import Rows
from dragoman.systems.lexical.collected import LanguageRows
from dragoman.systems.lexical.pivoting import PivotMapper
from dragoman.types import FloatArray

# Expected counts below this get no posting: they are two in five, and worth .001 of nDCG@10. Such a
# document still counts in the word's frequency, or unsure translations would look rare.
LEAST = 0.15

CHUNK = 20_000  # documents multiplied at a time, which bounds the memory beside the result


class Expected(NamedTuple):
    """The documents of one language as the pivot words they stand for."""

    words: tuple[str, ...]
    rows: Rows
    frequencies: FloatArray


def expected(part: LanguageRows, mapper: PivotMapper) -> Expected:
    """tf(e, d) = sum over f of tf(f, d) p(e | f), and in how many documents any such f occurs.

    That frequency, Pirkola's of a synonym set (1998), keeps a word with many unsure translations
    from looking rare; it ranked better on every language pair than the sum of probabilities.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415

    words: dict[str, int] = {}
    starts, columns, values = [0], [], []
    for word in part.words:
        for meaning, probability in mapper.pivots(word, part.language).items():
            columns.append(words.setdefault(meaning, len(words)))
            values.append(probability)
        starts.append(len(columns))
    shape = (len(part.words), len(words))
    table = csr_array((np.array(values, dtype=np.float32), columns, starts), shape=shape)
    counted = csr_array(
        (part.rows.values, part.rows.dimensions, part.rows.starts), shape=(len(part), shape[0])
    )
    pieces = [counted[first : first + CHUNK] @ table for first in range(0, len(part), CHUNK)]
    frequencies = np.zeros(len(words), dtype=np.float32)
    for piece in pieces:
        frequencies += np.bincount(piece.indices, minlength=len(words))
    return Expected(tuple(words), _rows(pieces), frequencies)


def _rows(pieces: list[Table]) -> Rows:
    """What is worth its postings of the expected counts."""
    sizes, dimensions, values = [], [], []
    for piece in pieces:
        worth = piece.data >= LEAST
        running = np.concatenate([[0], np.cumsum(worth)])
        sizes.append(np.diff(running[piece.indptr]))
        dimensions.append(piece.indices[worth])
        values.append(piece.data[worth])
    starts = np.concatenate([[0], *sizes]).cumsum()
    return Rows(starts, np.concatenate(dimensions), np.concatenate(values))
