"""What a snapshot answers to fixed queries, to be compared with another one or with plain loops."""

from collections import Counter
from math import log
from typing import Any

import numpy as np

from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.search.nearest import nearest
from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Record
from dragoman.scores.bm25 import Bm25Config
from dragoman.types import Document, Hit
from made_records import LANGUAGES, dimension

CONFIG = Bm25Config()
K = 7
FILTERS = tuple(
    parse_filter(languages, conditions)
    for languages, conditions in [
        ((), ()),
        (("de",), ()),
        (("en", "fr"), ("year>=2018",)),
        ((), ("author=Anna|Zoë", "draft!=true")),
        ((), ("weight<1", "tags=b")),
        (("fr",), ("place.city!=Oslo",)),
        ((), ("author=" + "x" * 300,)),
    ]
)
QUERIES = (("anna", "tide", "stone"), ("moskau", "moon"))
POINTS = tuple(np.array(p, np.float32) for p in ([1, 0, 0, 0, 0, 0], [1, -2, 3, 0.5, -0.5, 1]))
NAMES = ("hanna", "moskva", "schmid")

Answers = dict[str, Any]


def live_numbers(snapshot: Snapshot) -> np.ndarray:
    """The numbers of all documents that are not deleted."""
    found = [np.zeros(0, np.int64)]
    for reader in snapshot.readers:
        mine = np.arange(len(reader.segment)) + reader.base
        found.append(mine[~reader.deleted] if len(reader.deleted) else mine)
    return np.concatenate(found)


def documents_of(snapshot: Snapshot) -> dict[str, Document]:
    """All documents by id; an id that is there twice is an error."""
    numbers = live_numbers(snapshot)
    found = snapshot.documents(numbers)
    assert snapshot.doc_ids(numbers) == [one.doc_id for one in found]
    by_id = {one.doc_id: one for one in found}
    assert len(by_id) == len(found) == len(snapshot)
    return by_id


def answers(snapshot: Snapshot) -> Answers:
    """The documents, rankings, names and bags of a snapshot."""
    return {
        "documents": documents_of(snapshot),
        "languages": dict(snapshot.languages),
        "counts": [counted(snapshot, words, f) for words in QUERIES for f in FILTERS],
        "rows": [near(snapshot, one, f) for one in POINTS for f in FILTERS],
        "names": {(n, code): alike(snapshot, n, code) for n in NAMES for code in LANGUAGES},
        "bags": bags(snapshot),
    }


def counted(snapshot: Snapshot, words: tuple[str, ...], chosen: Filter) -> list[Hit]:
    """The best documents by BM25, with idf over all languages."""
    postings = SnapshotPostings(snapshot, "counts")
    wanted = np.unique([dimension(code, word) for code in LANGUAGES for word in words])
    located = postings.locate(wanted)
    weights = np.array([idf(df, len(snapshot)) for df in located.frequencies.tolist()])
    scores = postings.scores(located, weights, CONFIG)
    return snapshot.hits(snapshot.top_k(scores, K, snapshot.select(chosen)))


def idf(frequency: float, documents: int) -> float:
    """How rare a word is, as BM25 has it."""
    return log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def near(snapshot: Snapshot, query: np.ndarray, chosen: Filter) -> list[Hit]:
    """The best documents by their best row."""
    return snapshot.hits(nearest(snapshot, "rows", query, K, snapshot.select(chosen)))


def alike(snapshot: Snapshot, name: str, language: str) -> list[tuple[str, float]]:
    """The words of live documents that may be the same name."""
    found: dict[str, float] = {}
    for reader in snapshot.readers:
        found.update(reader.segment.words("names").same_names(name, language))
    live = {word for word in found if _frequency(snapshot, dimension(language, word))}
    return sorted((word, likeness) for word, likeness in found.items() if word in live)


def _frequency(snapshot: Snapshot, wanted: int) -> int:
    located = SnapshotPostings(snapshot, "counts").locate(np.array([wanted]))
    return int(located.frequencies[0])


def bags(snapshot: Snapshot) -> dict[str, dict[str, tuple[int, list[float]]]]:
    """Every document's bag: its keys with their counts and points."""
    found = {}
    for reader in snapshot.readers:
        matrix = reader.segment.bags("bags")
        for place, doc_id in enumerate(reader.segment.ids):
            if len(reader.deleted) and reader.deleted[place]:
                continue
            entries = range(int(matrix.starts[place]), int(matrix.starts[place + 1]))
            found[doc_id] = {
                matrix.strings[int(key)]: (int(matrix.counts[entry]), matrix.points[key].tolist())
                for entry in entries
                for key in [matrix.keys[entry]]
            }
    return found


def check_against(records: dict[str, Record], found: Answers) -> None:
    """Compare answers with those of plain loops over the records."""
    assert found["documents"] == {name: one.document for name, one in records.items()}
    for (words, chosen), hits in zip(
        [(words, f) for words in QUERIES for f in FILTERS], found["counts"], strict=True
    ):
        scores = {name: s for name, s in plain_counts(records, words).items() if s > 0}
        _check_hits(hits, {n: s for n, s in scores.items() if passes(records[n], chosen)})
    for (query, chosen), hits in zip(
        [(one, f) for one in POINTS for f in FILTERS], found["rows"], strict=True
    ):
        scores = plain_rows(records, query)
        _check_hits(hits, {n: s for n, s in scores.items() if passes(records[n], chosen)})
    for doc_id, bag in found["bags"].items():
        given = records[doc_id].vectors.get("bags")
        rows = (
            zip(given.keys, given.counts.tolist(), given.points.tolist(), strict=True)
            if given
            else ()
        )
        assert bag == {key: (count, place) for key, count, place in rows}
    assert found["bags"].keys() == records.keys()


def _check_hits(hits: list[Hit], scores: dict[str, float]) -> None:
    """The best by these scores; which of nearly equal ones come last is left open."""
    assert len(hits) == min(K, len(scores))
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))
    for hit in hits:
        assert abs(hit.score - scores[hit.doc_id]) < 1e-5
    others = scores.keys() - {hit.doc_id for hit in hits}
    assert all(scores[name] <= hits[-1].score + 1e-5 for name in others)


def plain_counts(records: dict[str, Record], words: tuple[str, ...]) -> dict[str, float]:
    """BM25 of every document, by its formula."""
    held = {name: _counts(one) for name, one in records.items()}
    codes = {name: one.document.language for name, one in records.items()}
    lengths: dict[str, list[int]] = {}
    frequencies: Counter[tuple[str, str]] = Counter()
    for name, (mine, length) in held.items():
        frequencies.update((codes[name], word) for word in mine)
        if length:
            lengths.setdefault(codes[name], []).append(length)
    found = {}
    for name, (mine, length) in held.items():
        known = lengths.get(codes[name], [0])
        mean = sum(known) / len(known)
        norm = CONFIG.k1 * (1 - CONFIG.b + CONFIG.b * (length / mean if mean else 1))
        found[name] = sum(
            idf(frequencies[codes[name], word], len(records)) * mine[word] / (mine[word] + norm)
            for word in words
            if word in mine
        )
    return found


def _counts(record: Record) -> tuple[dict[str, float], int]:
    given, words = record.vectors.get("counts"), record.document.text.split()
    if given is None:
        return {}, 0
    by_dimension = dict(zip(given.dimensions.tolist(), given.counts.tolist(), strict=True))
    dimensions = {word: dimension(record.document.language, word) for word in words}
    mine = {word: by_dimension[d] for word, d in dimensions.items() if d in by_dimension}
    return mine, given.length


def plain_rows(records: dict[str, Record], query: np.ndarray) -> dict[str, float]:
    """The best product of every document that has a row."""
    return {
        name: float((one.vectors["rows"] @ query).max())
        for name, one in records.items()
        if "rows" in one.vectors
    }


def passes(record: Record, chosen: Filter) -> bool:
    """Whether a document passes a filter, by Python's own comparisons."""
    if chosen.languages and record.document.language not in chosen.languages:
        return False
    compare = {
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
    }
    for condition in chosen.conditions:
        held = _held(record.document.metadata, condition.field)
        sign = condition.operator.value
        if sign in compare:
            fits = any(
                compare[sign](one, condition.values[0])
                for one in held
                if isinstance(one, int | float)
            )
        else:
            fits = any(
                one == value and isinstance(one, bool) == isinstance(value, bool)
                for one in held
                for value in condition.values
            )
        if fits == (sign == "!="):
            return False
    return True


def _held(metadata: Any, field: str) -> list[Any]:
    value = metadata
    for name in field.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return [] if value is None else value if isinstance(value, list) else [value]
