"""Records for stores, made of a number alone, and what plain arrays say of them."""

import numpy as np

from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse
from dragoman.types import Document

SPACES = (Space("words", SpaceKind.SPARSE), Space("passages", SpaceKind.PASSAGES, 4))


def record(
    number: int, language: str = "de", rows: int | None = None, **metadata: object
) -> Record:
    """Document ``d<number>``; it has one to three passages unless ``rows`` says how many."""
    rng = np.random.default_rng(number)
    dimensions = np.unique(rng.integers(0, 30, 6)).astype(np.uint32)
    weights = rng.random(len(dimensions)).astype(np.float32)
    matrix = rng.standard_normal((1 + number % 3 if rows is None else rows, 4)).astype(np.float32)
    return Record(
        Document(f"d{number}", f"Text {number} é", f"Titel {number}", language, metadata),
        {"words": Sparse(dimensions, weights), "passages": matrix},
    )


def of_rows(
    doc_id: str, rows: list[list[float]], language: str = "de", **metadata: object
) -> Record:
    """A document with these passages and nothing else."""
    document = Document(doc_id, f"Text of {doc_id}", "", language, metadata)
    return Record(document, {"passages": np.array(rows, dtype=np.float32).reshape(len(rows), 4)})


def dense_score(query: np.ndarray, mine: Record) -> float:
    """The best passage's score; vectors are kept in half precision."""
    return float((mine.vectors["passages"].astype(np.float16).astype(np.float32) @ query).max())


def sparse_score(query: Sparse, mine: Record) -> float:
    """The inner product of two sparse vectors."""
    weights = dict(zip(query.dimensions.tolist(), query.weights.tolist(), strict=True))
    vector = mine.vectors["words"]
    pairs = zip(vector.dimensions.tolist(), vector.weights.tolist(), strict=True)
    return sum(weights.get(d, 0.0) * w for d, w in pairs)


def same(mine: Record, other: Record) -> bool:
    """Whether two records hold the same document and the same vectors."""
    words = [each.vectors["words"] for each in (mine, other)]
    return (
        mine.document == other.document
        and np.array_equal(mine.vectors["passages"], other.vectors["passages"])
        and dict(zip(words[0].dimensions, words[0].weights, strict=True))
        == dict(zip(words[1].dimensions, words[1].weights, strict=True))
    )
