"""Files of bitext and collections -> texts, and which pairs are held out to measure the encoder.

Every file of bitext is a group, named after it (``en-sw``), and after the folders above it where
several have that name (``help/bitext/en-sw``); the first column is the language that all have in
common. Of a collection only the bodies of its documents are read: titles and queries are what
others measure with.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Advance, no_progress
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.source import bitext_files, read_bitext
from dragoman.types import IntArray

FEWEST_PAIRS = 20
LONGEST = 20_000  # characters of a document that are read; places beyond are never reached
ENDINGS = {".gz", ".zst", ".tsv", ".tmx"}


@dataclass(frozen=True, slots=True)
class Bitext:
    """Pairs of texts; row i of all three belongs together."""

    names: tuple[str, ...]  # of the groups
    firsts: Sequence[str]
    seconds: Sequence[str]
    groups: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)

    def sizes(self, rows: IntArray | None = None) -> NDArray[np.int64]:
        """How many pairs, or how many of ``rows``, each group has."""
        chosen = self.groups if rows is None else self.groups[rows]
        return np.bincount(chosen, minlength=len(self.names)).astype(np.int64)


def read_groups(sources: Sequence[Path], faults: Faults, advance: Advance = no_progress) -> Bitext:
    """The pairs of files and of folders of files; a file that is named twice is read once."""
    found = dict.fromkeys(file.resolve() for source in sources for file in _files(source))
    files = sorted(found, key=lambda file: (file.name, file))
    firsts: list[str] = []
    seconds: list[str] = []
    groups: list[int] = []
    for group, file in enumerate(files):
        for pair in read_bitext([file], faults):
            firsts.append(pair.source)
            seconds.append(pair.target)
            groups.append(group)
            advance()
    if len(firsts) < FEWEST_PAIRS:
        raise InputError(
            " ".join(map(str, sources)),
            None,
            found=f"{len(firsts)} pairs",
            expected=f"{FEWEST_PAIRS} or more to learn from and to measure with",
        )
    return Bitext(group_names(files), firsts, seconds, np.array(groups, dtype=np.int64))


def limit_groups(bitext: Bitext, count: int, rng: np.random.Generator) -> Bitext:
    """The same with so many pairs of each group, any of them, in their order."""
    chosen = [
        rng.permutation(np.flatnonzero(bitext.groups == group))[:count]
        for group in range(len(bitext.names))
    ]
    rows = np.sort(np.concatenate(chosen))
    return Bitext(
        bitext.names,
        [bitext.firsts[row] for row in rows],
        [bitext.seconds[row] for row in rows],
        bitext.groups[rows],
    )


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    found = bitext_files(source)
    if not found:
        raise InputError(source, None, found="no bitext", expected="*.tsv or *.tmx files")
    return found


def group_names(files: Sequence[Path]) -> tuple[str, ...]:
    """The names of different files without their endings, each with as many folders as it needs."""
    paths = [(*file.absolute().parent.parts, _stem(file)) for file in files]
    names = [path[-1] for path in paths]
    for depth in range(2, max(map(len, paths), default=0) + 1):
        counts = Counter(names)
        longer = ["/".join(path[-depth:]) for path in paths]
        names = [
            long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)
        ]
    counts = Counter(names)  # en-sw.tsv beside en-sw.tmx
    return tuple(
        str(file) if counts[name] > 1 else name for file, name in zip(files, names, strict=True)
    )


def _stem(file: Path) -> str:
    while file.suffix in ENDINGS:
        file = file.with_suffix("")
    return file.name


def read_bodies(
    collections: Sequence[str], faults: Faults, advance: Advance = no_progress
) -> Iterator[str]:
    """The texts of all documents, without their titles."""
    for name in collections:
        for document in Collection.open(name, faults).documents():
            if document.text.strip():
                yield document.text[:LONGEST]
            advance()


@dataclass(frozen=True, slots=True)
class BitextSplit:
    """Rows to learn from and rows that were held out; no text stands in both."""

    training: NDArray[np.int64]
    held_out: NDArray[np.int64]


def hold_out(bitext: Bitext, count: int, rng: np.random.Generator) -> BitextSplit:
    """``count`` pairs of each group, a tenth at most, all different on both sides.

    A pair with a held-out text on either side, in whichever group, is not learnt from.
    """
    firsts, seconds = set[str](), set[str]()
    held: list[int] = []
    for group in range(len(bitext.names)):
        rows = np.flatnonzero(bitext.groups == group)
        wanted = min(count, len(rows) // 10)
        mine, other = set[str](), set[str]()
        for row in rng.permutation(rows).tolist():
            if len(mine) == wanted:
                break
            first, second = bitext.firsts[row].lower(), bitext.seconds[row].lower()
            if first not in mine and second not in other:
                mine.add(first)
                other.add(second)
                held.append(row)
        firsts |= mine
        seconds |= other
    kept = [
        row
        for row in range(len(bitext))
        if bitext.firsts[row].lower() not in firsts and bitext.seconds[row].lower() not in seconds
    ]
    if not held or not kept:
        raise ConfigError(
            f"the bitext has {len(bitext)} pairs and leaves {len(kept)} to learn from and"
            f" {len(held)} to measure with; more different pairs are needed"
        )
    return BitextSplit(np.array(kept, dtype=np.int64), np.array(sorted(held), dtype=np.int64))


def quotas(sizes: IntArray, total: int, smoothing: float) -> NDArray[np.int64]:
    """How many of ``total`` examples each group gives: in proportion to its size to a power.

    Groups without an example give none; every other one gives at least one.
    """
    parts = np.where(sizes > 0, np.maximum(sizes, 1).astype(np.float64) ** smoothing, 0.0)
    given: NDArray[np.int64] = np.floor(total * parts / parts.sum()).astype(np.int64)
    given[(sizes > 0) & (given == 0)] = 1
    return given


def sample_rows(
    bitext: Bitext, rows: IntArray, total: int, smoothing: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Some ``total`` of ``rows``, groups by their quotas, each row at most once; rising."""
    chosen = []
    for group, quota in enumerate(quotas(bitext.sizes(rows), total, smoothing)):
        mine = rows[bitext.groups[rows] == group]
        chosen.append(rng.permutation(mine)[:quota])
    return np.sort(np.concatenate(chosen))
