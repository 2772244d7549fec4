"""Stems -> surface forms for people: the most frequent one of each stem, per language.

Tables contain stems ("mar", "gravit"); an explanation shows "marée" and "gravité". The shipped
forms are counted by ``tools/build_forms.py`` in the texts that the shipped lexicons were learnt
from. A stem that is its own most frequent form is not stored.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import InputError
from dragoman.lexicons.lexicon_files import (
    compress,
    decompress,
    words_from_bytes,
    words_to_bytes,
)
from dragoman.lexicons.shipped_lexicons import DATA
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.segmentation import chunks

FILE = DATA / "forms.safetensors.zst"
VERSION = 1
CAPITAL = 128  # added to the number of shared letters where the form begins with a capital

Forms = Mapping[str, str]


def surface_form(stem: str, language: str) -> str:
    """The surface form of a stem of ``language``; the stem itself if none is known."""
    return shipped_forms(language).get(stem, stem)


@cache
def shipped_forms(language: str) -> Forms:
    """The shipped forms of a language that differ from their stems; empty for other languages."""
    return unpack_forms(FILE, language)


def most_frequent_forms(
    sentences: Iterable[str], entries: Iterable[str], language: str, analyzer: Analyzer
) -> dict[str, str]:
    """The most frequent surface form of each stem; ties go to the shorter, then by letter.

    A sentence's first word only breaks ties, because its capital means nothing; dictionary
    entries have no such capital. ``analyzer`` must split no compounds: no text shows their parts.
    """
    openings: Counter[str] = Counter()
    inside = Counter(chunk for entry in entries for chunk in chunks(entry))
    for sentence in sentences:
        first, *others = chunks(sentence) or [""]
        openings[first] += 1
        inside.update(others)
    frequencies: defaultdict[str, defaultdict[str, list[int]]]
    frequencies = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for position, counts in enumerate((inside, openings)):
        for chunk, count in counts.items():
            for stem, surface in analyzer.analyse_with_surface(chunk, language):
                frequencies[stem][surface][position] -= count
    return {
        stem: min(negated, key=lambda surface: (*negated[surface], len(surface), surface))
        for stem, negated in frequencies.items()
    }


def pack_forms(by_language: Mapping[str, Forms]) -> bytes:
    """All languages in one compressed file; equal forms give equal bytes."""
    tensors: dict[str, NDArray[np.uint8]] = {"version": np.array([VERSION], dtype=np.uint8)}
    for language, forms in by_language.items():
        stems = tuple(sorted(stem for stem, form in forms.items() if form != stem))
        starts = [_shared(stem, forms[stem]) for stem in stems]
        endings = [
            forms[stem][start % CAPITAL :] for stem, start in zip(stems, starts, strict=True)
        ]
        tensors[f"{language}.stems"] = words_to_bytes(stems)
        tensors[f"{language}.starts"] = np.array(starts, dtype=np.uint8)
        tensors[f"{language}.endings"] = words_to_bytes(tuple(endings))
    return compress(tensors)


def unpack_forms(path: Path, language: str) -> Forms:
    """The forms of one language in a file of ``pack_forms``."""
    tensors = decompress(path, "packed forms of words")
    if (version := tensors["version"].tolist()) != [VERSION]:
        raise InputError(path, None, found=f"version {version}", expected=f"version {VERSION}")
    if f"{language}.stems" not in tensors:
        return {}
    stems = words_from_bytes(tensors[f"{language}.stems"])
    # a single empty ending is encoded as no bytes
    endings = words_from_bytes(tensors[f"{language}.endings"]) or ("",) * len(stems)
    starts = tensors[f"{language}.starts"].tolist()
    rows = zip(stems, starts, endings, strict=True)
    return {stem: _start(stem, start) + ending for stem, start, ending in rows}


def _shared(stem: str, form: str) -> int:
    """The length of the common prefix of stem and form; see ``CAPITAL``."""
    first = stem[:1]
    capital = first != form[:1] and first.upper() == form[:1]
    shared = int(capital)
    while shared < min(len(stem), len(form), CAPITAL - 1) and stem[shared] == form[shared]:
        shared += 1
    return shared + CAPITAL * capital


def _start(stem: str, code: int) -> str:
    shared = stem[: code % CAPITAL]
    return shared[:1].upper() + shared[1:] if code >= CAPITAL else shared
