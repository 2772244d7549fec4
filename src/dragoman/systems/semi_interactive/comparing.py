"""Sentence pairs -> examples that teach an interactive model to compare two texts at all.

Multilingual BERT was pre-trained to tell whether one sentence follows another, and so learnt to
look from text to text; an encoder of our own did not. Telling translations from other sentences is
the like of it across languages, and bitext has more of it than a collection has judgments.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext
from dragoman.types import Document, Query, SentencePair

MOST_READ = 500_000  # pairs that are drawn from
FEWEST = 20  # pairs, of which some are held out


def drawn_pairs(
    sources: Sequence[str | Path], most: int, rng: np.random.Generator
) -> list[SentencePair]:
    """At most so many different pairs of the bitext, drawn by chance."""
    read = islice(read_bitext(sources, Faults()), MOST_READ)
    pairs = list(dict.fromkeys(pair for pair in read if pair.source != pair.target))
    if len(pairs) < FEWEST:
        raise InputError(
            str(sources[0]), None, found=f"{len(pairs)} pairs", expected=f"{FEWEST} or more"
        )
    return [pairs[row] for row in rng.permutation(len(pairs))[:most]]


def comparisons(pairs: Iterable[SentencePair], rng: np.random.Generator) -> list[RelevanceExample]:
    """For each pair its translation, and another's: either side is the query every other time."""
    kept = list(pairs)
    found = []
    for row, pair in enumerate(kept):
        other = kept[(row + 1 + int(rng.integers(len(kept) - 1))) % len(kept)]
        sides = (pair.source, pair.target, other.target)
        asked, right, wrong = sides if row % 2 else (pair.target, pair.source, other.source)
        query = Query(str(row), asked)
        found += [
            RelevanceExample(query, Document(f"{row}", right), (), 1.0),
            RelevanceExample(query, Document(f"{row}-other", wrong), (), 0.0),
        ]
    return found
