"""Bitext whose third column names a source -> the pairs that tables and students are learnt from.

Left out are machine translation of courses (``ms-beginners``; rankings on XQuAD-R's development
half are the same without it, .806, and Thai ones better) and names that the word lists have already
(``word_lists``; CLDR's currencies harm Hausa). Where the default encoder reads the language, pairs
of the sources that are partly misaligned are dropped if their cosine is below ``LEAST_COSINE``: of
150 pairs of each source and language, more than 2 % lay below .25 in these sources alone, most of
them in the French part of TICO-19 (7 %).
"""

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from dragoman.encoders.sentence_encoder import SentenceEncoder, load_encoder
from dragoman.types import SentencePair

LEFT_OUT = frozenset({"cldr", "id-tagging", "ms-beginners"})
PARTLY_MISALIGNED = frozenset({"hf-course", "korean-parallel", "mdn", "opensource.guide", "tico19"})
LEAST_COSINE = 0.4


def read_pairs(paths: Iterable[Path], language: str) -> list[SentencePair]:
    """The pairs of files in shared/data, English first, in their order."""
    chosen: list[SentencePair] = []
    doubtful: list[int] = []
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                source, target, origin = line.rstrip("\n").split("\t")
                if origin not in LEFT_OUT and source.strip() and target.strip():
                    if origin in PARTLY_MISALIGNED:
                        doubtful.append(len(chosen))
                    chosen.append(SentencePair(source.strip(), target.strip()))
    dropped = _misaligned(chosen, doubtful, language)
    return [pair for row, pair in enumerate(chosen) if row not in dropped]


def _misaligned(pairs: Sequence[SentencePair], rows: Sequence[int], language: str) -> set[int]:
    """Those of the rows whose two sides mean different things; none where nobody can tell."""
    encoder = _encoder()
    if not rows or not encoder.supports(language):
        return set()
    left = encoder.encode([pairs[row].source for row in rows])
    right = encoder.encode([pairs[row].target for row in rows])
    cosines = np.einsum("ij,ij->i", left, right)
    return {
        row for row, cosine in zip(rows, cosines.tolist(), strict=True) if cosine < LEAST_COSINE
    }


@cache
def _encoder() -> SentenceEncoder:
    return load_encoder("default")
