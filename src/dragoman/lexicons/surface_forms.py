"""Stems -> the forms that people read: the one that texts write most often, per language.

Tables hold what analysers make of words ("mar", "gravit"); an explanation shows "marée" and
"gravité". The forms that we ship are counted by ``tools/build_forms.py`` in the texts
that the shipped tables were learnt from. A stem that is its own commonest form takes no room.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import zstandard
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as tensors_from_bytes
from safetensors.numpy import save as tensors_to_bytes

from dragoman.errors import InputError
from dragoman.lexicons.lexicon_files import words_from_bytes, words_to_bytes
from dragoman.lexicons.shipped_lexicons import DATA
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.segmentation import chunks

FILE = DATA / "forms.safetensors.zst"
VERSION = 1
CAPITAL = 128  # added to the number of shared letters where the form begins with a capital

Forms = Mapping[str, str]


def surface_form(stem: str, language: str) -> str:
    """The form to show for a stem of ``language``; the stem itself where none is known."""
    return shipped_forms(language).get(stem, stem)


@cache
def shipped_forms(language: str) -> Forms:
    """The shipped forms of a language that differ from their stems; none for other languages."""
    return unpack_forms(FILE, language)


def most_frequent_forms(
    sentences: Iterable[str], entries: Iterable[str], language: str, analyzer: Analyzer
) -> dict[str, str]:
    """The form that texts write most often for each stem; the shorter of equals, then by letter.

    A sentence's first word only breaks ties, because its capital says nothing; a dictionary's
    entries have no such capital. ``analyzer`` must split no compounds: no text shows their parts.
    """
    openings: Counter[str] = Counter()
    inside = Counter(chunk for entry in entries for chunk in chunks(entry))
    for sentence in sentences:
        first, *others = chunks(sentence) or [""]
        openings[first] += 1
        inside.update(others)
    sightings: defaultdict[str, defaultdict[str, list[int]]]
    sightings = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for place, counts in enumerate((inside, openings)):
        for chunk, count in counts.items():
            for stem, surface in analyzer.analyse_with_surface(chunk, language):
                sightings[stem][surface][place] -= count
    return {
        stem: min(found, key=lambda surface: (*found[surface], len(surface), surface))
        for stem, found in sightings.items()
    }


def pack_forms(by_language: Mapping[str, Forms]) -> bytes:
    """All languages in one compressed file; equal forms give equal bytes."""
    tensors: dict[str, NDArray[np.uint8]] = {"version": np.array([VERSION], dtype=np.uint8)}
    for language, found in by_language.items():
        stems = tuple(sorted(stem for stem, shown in found.items() if shown != stem))
        starts = [_shared(stem, found[stem]) for stem in stems]
        endings = [
            found[stem][start % CAPITAL :] for stem, start in zip(stems, starts, strict=True)
        ]
        tensors[f"{language}.stems"] = words_to_bytes(stems)
        tensors[f"{language}.starts"] = np.array(starts, dtype=np.uint8)
        tensors[f"{language}.endings"] = words_to_bytes(tuple(endings))
    raw = tensors_to_bytes(tensors)
    return zstandard.ZstdCompressor(level=19, write_checksum=True).compress(raw)


def unpack_forms(path: Path, language: str) -> Forms:
    """One language's part of what ``pack`` made."""
    try:
        raw = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        tensors = tensors_from_bytes(raw)
    except (zstandard.ZstdError, SafetensorError) as error:
        raise InputError(
            path, None, found=f"a broken archive ({error})", expected="packed forms of words"
        ) from error
    if (version := tensors["version"].tolist()) != [VERSION]:
        raise InputError(path, None, found=f"version {version}", expected=f"version {VERSION}")
    if f"{language}.stems" not in tensors:
        return {}
    stems = words_from_bytes(tensors[f"{language}.stems"])
    # a lone empty ending leaves no bytes
    endings = words_from_bytes(tensors[f"{language}.endings"]) or ("",) * len(stems)
    starts = tensors[f"{language}.starts"].tolist()
    rows = zip(stems, starts, endings, strict=True)
    return {stem: _start(stem, start) + ending for stem, start, ending in rows}


def _shared(stem: str, shown: str) -> int:
    """How many first letters of the stem the form begins with; see ``CAPITAL``."""
    first = stem[:1]
    capital = first != shown[:1] and first.upper() == shown[:1]
    shared = int(capital)
    while shared < min(len(stem), len(shown), CAPITAL - 1) and stem[shared] == shown[shared]:
        shared += 1
    return shared + CAPITAL * capital


def _start(stem: str, code: int) -> str:
    shared = stem[: code % CAPITAL]
    return shared[:1].upper() + shared[1:] if code >= CAPITAL else shared
