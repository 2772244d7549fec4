"""Files of bitext and collections -> texts, divided into training and held-out pairs.

Every file of bitext is a group, named after the file (``en-sw``), with folders above it if several
have that name (``help/bitext/en-sw``); the first column is the common language of all groups. Only
the bodies of a collection's documents are read: titles and queries are left for evaluation.
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
LONGEST = 20_000  # characters of a document; longer than any input of the encoder
SUFFIXES = {".gz", ".zst", ".tsv", ".tmx"}


@dataclass(frozen=True, slots=True)
class Bitext:
    """Pairs of texts with their groups, by row."""

    names: tuple[str, ...]  # of the groups
    firsts: Sequence[str]
    seconds: Sequence[str]
    groups: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)

    def sizes(self, rows: IntArray | None = None) -> NDArray[np.int64]:
        """The number of pairs, or of ``rows``, of each group."""
        groups = self.groups if rows is None else self.groups[rows]
        return np.bincount(groups, minlength=len(self.names)).astype(np.int64)


def read_groups(sources: Sequence[Path], faults: Faults, advance: Advance = no_progress) -> Bitext:
    """The pairs of files and of folders of files; repeated files are read once."""
    distinct = {file.resolve() for source in sources for file in _files(source)}
    files = sorted(distinct, key=lambda file: (file.name, file))
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
            expected=f"{FEWEST_PAIRS} or more, for training and validation",
        )
    return Bitext(group_names(files), firsts, seconds, np.array(groups, dtype=np.int64))


def limit_groups(bitext: Bitext, count: int, rng: np.random.Generator) -> Bitext:
    """A random sample of at most ``count`` pairs of each group, in their order."""
    sampled = [
        rng.permutation(np.flatnonzero(bitext.groups == group))[:count]
        for group in range(len(bitext.names))
    ]
    rows = np.sort(np.concatenate(sampled))
    return Bitext(
        bitext.names,
        [bitext.firsts[row] for row in rows],
        [bitext.seconds[row] for row in rows],
        bitext.groups[rows],
    )


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    files = bitext_files(source)
    if not files:
        raise InputError(source, None, found="no bitext", expected="*.tsv or *.tmx files")
    return files


def group_names(files: Sequence[Path]) -> tuple[str, ...]:
    """The names of files without suffixes, each with as many folders as make it unique."""
    paths = [(*file.absolute().parent.parts, _stem(file)) for file in files]
    names = [path[-1] for path in paths]
    for depth in range(2, max(map(len, paths), default=0) + 1):
        counts = Counter(names)
        longer = ["/".join(path[-depth:]) for path in paths]
        names = [
            long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)
        ]
    counts = Counter(names)  # en-sw.tsv next to en-sw.tmx
    return tuple(
        str(file) if counts[name] > 1 else name for file, name in zip(files, names, strict=True)
    )


def _stem(file: Path) -> str:
    while file.suffix in SUFFIXES:
        file = file.with_suffix("")
    return file.name


def read_bodies(
    collections: Sequence[str], faults: Faults, advance: Advance = no_progress
) -> Iterator[str]:
    """The bodies of all documents."""
    for name in collections:
        for document in Collection.open(name, faults).documents():
            if document.text.strip():
                yield document.text[:LONGEST]
            advance()


@dataclass(frozen=True, slots=True)
class BitextSplit:
    """Rows of training and of held-out pairs, which have no text in common."""

    training: NDArray[np.int64]
    held_out: NDArray[np.int64]


def hold_out(bitext: Bitext, count: int, rng: np.random.Generator) -> BitextSplit:
    """Hold out ``count`` pairs of each group, a tenth at most, all distinct on both sides.

    Pairs of any group with a held-out text on either side are not used for training.
    """
    firsts, seconds = set[str](), set[str]()
    held_out: list[int] = []
    for group in range(len(bitext.names)):
        rows = np.flatnonzero(bitext.groups == group)
        wanted = min(count, len(rows) // 10)
        group_firsts, group_seconds = set[str](), set[str]()
        for row in rng.permutation(rows).tolist():
            if len(group_firsts) == wanted:
                break
            first, second = bitext.firsts[row].lower(), bitext.seconds[row].lower()
            if first not in group_firsts and second not in group_seconds:
                group_firsts.add(first)
                group_seconds.add(second)
                held_out.append(row)
        firsts |= group_firsts
        seconds |= group_seconds
    training = [
        row
        for row in range(len(bitext))
        if bitext.firsts[row].lower() not in firsts and bitext.seconds[row].lower() not in seconds
    ]
    if not held_out or not training:
        raise ConfigError(
            f"the bitext has {len(bitext)} pairs, {len(training)} of them for training and"
            f" {len(held_out)} for validation; expected one or more of each. Add distinct pairs"
        )
    return BitextSplit(
        np.array(training, dtype=np.int64), np.array(sorted(held_out), dtype=np.int64)
    )


def quotas(sizes: IntArray, total: int, smoothing: float) -> NDArray[np.int64]:
    """The number of examples of each group: in proportion to its size to the power ``smoothing``.

    Empty groups have none, every other group at least one.
    """
    weights = np.where(sizes > 0, np.maximum(sizes, 1).astype(np.float64) ** smoothing, 0.0)
    counts: NDArray[np.int64] = np.floor(total * weights / weights.sum()).astype(np.int64)
    counts[(sizes > 0) & (counts == 0)] = 1
    return counts


def sample_rows(
    bitext: Bitext, rows: IntArray, total: int, smoothing: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """About ``total`` random ``rows``, by the quotas of groups, without replacement; ascending."""
    sampled = []
    for group, quota in enumerate(quotas(bitext.sizes(rows), total, smoothing)):
        group_rows = rows[bitext.groups[rows] == group]
        sampled.append(rng.permutation(group_rows)[:quota])
    return np.sort(np.concatenate(sampled))
