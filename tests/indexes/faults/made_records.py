"""Records of every kind of space, made of a seed, and folders for stores of them."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import numpy as np

from dragoman.indexes.spaces import Bag, Counts, Record, Space, SpaceKind, Vector
from dragoman.types import Document

SPACES = (
    Space("counts", SpaceKind.COUNTS),
    Space("rows", SpaceKind.ROWS, 6),
    Space("names", SpaceKind.WORDS),
    Space("bags", SpaceKind.BAGS, 3),
)
LANGUAGES = ("de", "en", "fr")
WORDS = (
    *("anna", "hanna", "johanna", "berta", "bertha", "roberta", "schmidt", "schmitt", "smith"),
    *("moskau", "moscow", "moskva", "tide", "moon", "river", "stone", "winter", "garden"),
)
AUTHORS = ("Anna", "Ben", "Zoë", "x" * 300)
MEMORY = Path("/dev/shm")  # noqa: S108 - where there is such a place, flushes cost nothing


def made_record(doc_id: str, rng: np.random.Generator) -> Record:
    """A document of few distinct values, so that scores are often equal."""
    words = sorted(set(rng.choice(WORDS, int(rng.integers(0, 7))).tolist()))
    text = f"{' '.join(words)} {rng.integers(1 << 40)} \N{GREEK SMALL LETTER OMEGA}"
    metadata = {
        "year": int(rng.integers(2015, 2022)),
        "weight": float(rng.integers(0, 4)) / 2,
        "author": str(rng.choice(AUTHORS)),
        "draft": bool(rng.integers(2)),
        "tags": rng.choice(["a", "b", "c"], int(rng.integers(0, 4))).tolist(),
        "place": {"city": str(rng.choice(["Oslo", "Rom"]))},
    }
    for name in rng.choice(sorted(metadata), int(rng.integers(0, 3)), replace=False).tolist():
        del metadata[name]
    document = Document(
        doc_id, text, str(rng.choice(["", "Titel"])), str(rng.choice(LANGUAGES)), metadata
    )
    return Record(document, made_vectors(words, document.language, rng))


def dimension(language: str, word: str) -> int:
    """The dimension of a word in the space of counts."""
    return crc32(f"{language}:{word}".encode())


def made_vectors(words: list[str], language: str, rng: np.random.Generator) -> dict[str, Vector]:
    """Vectors of some of the spaces, often all."""
    counts = rng.integers(1, 4, len(words)).astype(np.float64) / 2
    dimensions = np.array([dimension(language, word) for word in words], np.int64)
    order = np.argsort(dimensions)
    vectors: dict[str, Vector] = {
        "counts": Counts(dimensions[order], counts[order], int(np.ceil(counts.sum()))),
        "rows": rng.integers(-2, 3, (int(rng.integers(1, 4)), 6)).astype(np.float32) / 2,
        "names": words,
        "bags": Bag(words, rng.integers(1, 5, len(words)), np.array([*map(point, words)])),
    }
    absent = str(rng.choice(["", "rows", "bags", "counts names"], p=[0.85, 0.05, 0.05, 0.05]))
    return {space: vector for space, vector in vectors.items() if space not in absent.split()}


def point(word: str) -> list[float]:
    """Where a word of a bag lies: the same wherever it occurs."""
    return [float(len(word)), float(crc32(word.encode()) % 7), 1.0]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """An empty folder in memory where that is possible: for tests that do not cut the power."""
    place = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="dragoman-test-", dir=place) as folder:
        yield Path(folder)


def seeds(few: int) -> range:
    """The seeds of a run: ``DRAGOMAN_SEEDS`` of them, or few."""
    return range(int(os.environ.get("DRAGOMAN_SEEDS", few)))
