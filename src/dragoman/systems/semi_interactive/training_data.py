"""A collection -> examples of its splits, with the relevant queries of every document.

A document with the highest grade of a query is a positive, one with grade 0 a negative; others are
not used. Relevant queries are ready-made or mined. They never contain a validation or test query,
nor the query of the example itself: the model would learn to look for it.
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
SPARE = 1  # an additional relevant query, for examples that exclude their own


@dataclass(frozen=True, kw_only=True, slots=True)
class ExampleConfig:
    """Which pairs of a collection become examples."""

    languages: tuple[str, str] | None = None  # of queries and documents; None uses all
    negatives: int = 4  # per positive
    most: int = 0  # maximum number of queries of a split; 0 uses all
    clicks: Path | None = None  # a click log to mine; None uses titles
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
    """The examples of every split, with at most ``relevant_queries`` per document."""
    query_language, document_language = config.languages or ("", "")
    queries = {
        split: _limit(
            [q for q in collection.queries(split) if query_language in ("", q.language)], config
        )
        for split in SPLITS
    }
    judgments = collection.judgments()
    chosen = {query.query_id for some in queries.values() for query in some}
    judged = {doc_id for query_id in chosen for doc_id in judgments.get(query_id, ())}
    documents: list[Document] = []
    titled: list[Document] = []
    for document in collection.documents():
        titled.append(Document(document.doc_id, "", document.title, document.language))
        if document.doc_id in judged and document_language in ("", document.language):
            documents.append(document)
        advance()
    evaluation_queries = [query for split in (VALIDATION, TEST) for query in queries[split]]
    relevant = _relevant(titled, evaluation_queries, relevant_queries, config)
    by_id = {document.doc_id: document for document in documents}
    splits = {
        split: _examples(queries[split], judgments, by_id, relevant, config) for split in SPLITS
    }
    for split, examples in splits.items():
        _require_examples(collection, split, config, examples)
        refuse_leaks(examples, evaluation_queries)
    return splits


def _limit(queries: Sequence[Query], config: ExampleConfig) -> Sequence[Query]:
    """At most ``config.most`` queries, evenly spaced."""
    if not config.most or len(queries) <= config.most:
        return queries
    return [queries[index * len(queries) // config.most] for index in range(config.most)]


def _relevant(
    titled: Iterable[Document], excluded: Sequence[Query], count: int, config: ExampleConfig
) -> RelevantQueries:
    if not count:
        return {}
    if config.clicks is not None:
        log = read_clicks(config.clicks, Faults())
        return mined_queries(log, most=count + SPARE, excluded=excluded)
    rng = np.random.default_rng(config.seed)
    return ready_made_queries(titled, most=count + SPARE, excluded=excluded, rng=rng)


def _examples(
    queries: Sequence[Query],
    judgments: Mapping[str, Mapping[str, int]],
    documents: Mapping[str, Document],
    relevant: RelevantQueries,
    config: ExampleConfig,
) -> list[RelevanceExample]:
    rng = np.random.default_rng((config.seed, len(queries)))
    examples: list[RelevanceExample] = []
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
        sampled = rng.choice(len(others), wanted, replace=False) if wanted else ()
        own = normalize_queries([query])
        for doc_id in [*positives, *(others[index] for index in sampled)]:
            relevant_queries = exclude_queries(relevant.get(doc_id, ()), own)
            label = float(doc_id in positives)
            example = RelevanceExample(query, documents[doc_id], relevant_queries, label)
            examples.append(example)
    return examples


def _require_examples(
    collection: Collection,
    split: str,
    config: ExampleConfig,
    examples: Sequence[RelevanceExample],
) -> None:
    if not examples:
        queries, documents = config.languages or ("any language", "any language")
        raise InputError(
            collection.name,
            None,
            found=f"no judged pair of the split {split!r} with queries in {queries} and documents"
            f" in {documents}",
            expected="queries with judgments in the splits train, validation and test",
        )
