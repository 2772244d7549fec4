"""A collection -> examples of its splits, with the relevant queries of every document.

A document of a query's highest grade is a positive, one of grade 0 a negative; what lies between is
neither. Relevant queries are ready-made or mined, and never ask what the validation or the test
asks, nor what the example itself asks: a model that saw the answer beside the question would learn
to look for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.leakage import (
    exclude_queries,
    normalize_queries,
    refuse_leaks,
)
from dragoman.systems.semi_interactive.relevant_queries import (
    RelevantQueries,
    mined_queries,
    ready_made_queries,
)
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.source import read_clicks
from dragoman.types import Document, Query

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)
SPARE = 1  # a relevant query more than are read, for examples that leave out their own


@dataclass(frozen=True, kw_only=True, slots=True)
class ExampleConfig:
    """Which pairs of a collection are learnt from."""

    languages: tuple[str, str] | None = None  # asked and searched; None takes every pair
    negatives: int = 4  # of every positive
    most: int = 0  # queries of a split; 0 takes all
    clicks: Path | None = None  # a click log to mine; None takes titles
    seed: int = 0

    def __post_init__(self) -> None:
        if self.negatives < 1 or self.most < 0:
            raise ConfigError(
                f"negatives must be 1 or more and most 0 or more, got {self.negatives}, {self.most}"
            )


def read_examples(
    collection: Collection,
    relevant_queries: int,
    config: ExampleConfig,
    advance: Advance = no_progress,
) -> dict[str, list[RelevanceExample]]:
    """The examples of every split, each document with at most so many relevant queries."""
    asked, searched = config.languages or ("", "")
    queries = {
        split: _some([q for q in collection.queries(split) if asked in ("", q.language)], config)
        for split in SPLITS
    }
    judgments = collection.judgments()
    chosen = {one.query_id for some in queries.values() for one in some}
    judged = {doc_id for query_id in chosen for doc_id in judgments.get(query_id, ())}
    documents: list[Document] = []
    titled: list[Document] = []
    for document in collection.documents():
        titled.append(Document(document.doc_id, "", document.title, document.language))
        if document.doc_id in judged and searched in ("", document.language):
            documents.append(document)
        advance()
    evaluated = [query for split in (VALIDATION, TEST) for query in queries[split]]
    relevant = _relevant(titled, evaluated, relevant_queries, config)
    places = {document.doc_id: document for document in documents}
    found = {
        split: _examples(queries[split], judgments, places, relevant, config) for split in SPLITS
    }
    for split, examples in found.items():
        _require(collection, split, config, examples)
        refuse_leaks(examples, evaluated)
    return found


def _some(queries: Sequence[Query], config: ExampleConfig) -> Sequence[Query]:
    """At most so many, evenly from the first to the last."""
    if not config.most or len(queries) <= config.most:
        return queries
    return [queries[place * len(queries) // config.most] for place in range(config.most)]


def _relevant(
    titled: Iterable[Document], evaluated: Sequence[Query], count: int, config: ExampleConfig
) -> RelevantQueries:
    if not count:
        return {}
    if config.clicks is not None:
        log = read_clicks(config.clicks, Faults())
        return mined_queries(log, most=count + SPARE, excluded=evaluated)
    rng = np.random.default_rng(config.seed)
    return ready_made_queries(titled, most=count + SPARE, excluded=evaluated, rng=rng)


def _examples(
    queries: Sequence[Query],
    judgments: Mapping[str, Mapping[str, int]],
    documents: Mapping[str, Document],
    relevant: RelevantQueries,
    config: ExampleConfig,
) -> list[RelevanceExample]:
    rng = np.random.default_rng((config.seed, len(queries)))
    found: list[RelevanceExample] = []
    for query in queries:
        grades = {
            doc_id: grade
            for doc_id, grade in judgments.get(query.query_id, {}).items()
            if doc_id in documents
        }
        best = max(grades.values(), default=0)
        positives = [doc_id for doc_id, grade in grades.items() if grade == best > 0]
        others = sorted(doc_id for doc_id, grade in grades.items() if grade == 0)
        wanted = min(config.negatives * len(positives), len(others))
        drawn = rng.choice(len(others), wanted, replace=False) if wanted else ()
        own = normalize_queries([query])
        for doc_id in [*positives, *(others[place] for place in drawn)]:
            beside = exclude_queries(relevant.get(doc_id, ()), own)
            label = float(doc_id in positives)
            found.append(RelevanceExample(query, documents[doc_id], beside, label))
    return found


def _require(
    collection: Collection,
    split: str,
    config: ExampleConfig,
    examples: Sequence[RelevanceExample],
) -> None:
    if not examples:
        asked, searched = config.languages or ("any language", "any language")
        raise InputError(
            collection.name,
            None,
            found=f"no judged pair of the split {split!r} with queries in {asked} and documents in"
            f" {searched}",
            expected="queries with judgments in the splits train, validation and test",
        )
