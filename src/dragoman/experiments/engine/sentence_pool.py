"""Queries in every language on the sentences of all languages together, as in LAReQA.

Roy et al. 2020 pool XQuAD-R's sentences of 11 languages: the relevant sentences of a query are one
sentence and its translations, and a system that prefers the query's own language ranks most of them
low. A second pool holds every article in one language only, so that no sentence is a translation of
another: the translation boost must not lose there what it gains on the first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.index_cache import cached_index, index_systems
from dragoman.experiments.sampling import evenly_spaced
from dragoman.indexes.index import Index
from dragoman.metrics.measurement import defined_mean, measure_run
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.parser import parse_measures
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, FloatArray, Judgments, Query

MEASURE, BIAS, DEPTH = "AP@100", "LanguageTau", 100


@dataclass(frozen=True, slots=True)
class SentencePool:
    """Sentences of many languages, queries in each of them, and their judgments."""

    name: str
    documents: tuple[Document, ...]
    queries: Mapping[str, tuple[Query, ...]]  # by language
    judgments: Judgments


@dataclass(frozen=True, slots=True)
class PooledSystem:
    """A system and how it balances languages; without ``boost`` there is no translation boost."""

    label: str
    system: str
    balance: Balance
    boost: bool = True


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One system: the mean over all queries, the bias, and the means by query language."""

    system: PooledSystem
    mean: float
    bias: float
    by_language: Mapping[str, float]


POOLED_SYSTEMS = (
    PooledSystem("psq", "psq", Balance.OFF),
    PooledSystem("psq", "psq", Balance.CALIBRATED),
    PooledSystem("dense", "dense", Balance.OFF),
    PooledSystem("dense", "dense", Balance.CALIBRATED),
    PooledSystem("hybrid", "hybrid", Balance.OFF),
    PooledSystem("hybrid without boost", "hybrid", Balance.CALIBRATED, boost=False),
    PooledSystem("hybrid", "hybrid", Balance.CALIBRATED),
    PooledSystem("hybrid", "hybrid", Balance.ROUND_ROBIN),
)


def read_pool(folder: Path, most: int | None) -> SentencePool:
    """XQuAD-R's sentences, with at most ``most`` queries per language."""
    faults = Faults()
    judgments = read_judgments(folder / "sentences", faults)
    queries: dict[str, list[Query]] = {}
    for query in read_queries(folder / "queries.jsonl.gz", faults):
        if judgments.get(query.query_id):
            queries.setdefault(query.language, []).append(query)
    chosen = {code: evenly_spaced(some, most) for code, some in sorted(queries.items())}
    documents = tuple(read_documents(folder / "sentences", faults))
    return SentencePool("xquad-r-sentences", documents, chosen, judgments)


def without_translations(whole: SentencePool) -> SentencePool:
    """The pool with each article in one language; ids are ``language-article-...``."""
    codes = sorted({document.language for document in whole.documents})

    def is_chosen(document: Document) -> bool:
        article = int(document.doc_id.split("-")[1])
        return codes[article % len(codes)] == document.language

    documents = tuple(document for document in whole.documents if is_chosen(document))
    known = {document.doc_id for document in documents}
    judgments = {
        query_id: inside
        for query_id, grades in whole.judgments.items()
        if (inside := {doc_id: grade for doc_id, grade in grades.items() if doc_id in known})
    }
    queries = {
        code: tuple(query for query in some if query.query_id in judgments)
        for code, some in whole.queries.items()
    }
    return SentencePool(f"{whole.name}-untranslated", documents, queries, judgments)


def compare_pooled(
    pool: SentencePool,
    systems: Sequence[PooledSystem] = POOLED_SYSTEMS,
    cache: Path | None = None,
    advance: Advance = no_progress,
) -> list[PoolRow]:
    """One row per system on the pool."""
    with cached_index(pool.name, pool.documents, cache) as index:
        return [_row(index, system, pool, advance) for system in systems]


def _row(index: Index, one: PooledSystem, pool: SentencePool, advance: Advance) -> PoolRow:
    system: Any = index_systems(index)[one.system]
    if not one.boost:
        system = type(system)(replace(system.config, boost_hits=0), system.psq, system.dense)
    scope = index.scope(balance=one.balance)
    languages = {document.doc_id: document.language for document in pool.documents}
    values: dict[str, FloatArray] = {}
    bias = []
    for code, queries in pool.queries.items():
        with index.snapshot() as snapshot:
            rankings = [system.search(snapshot, query, DEPTH, scope) for query in queries]
        measured = measure_run(
            one.label,
            rankings,
            {query.query_id: pool.judgments[query.query_id] for query in queries},
            parse_measures(f"{MEASURE} {BIAS}"),
            pairs=LanguagePairs({}, languages),
        ).overall.values
        values[code] = measured[MEASURE]
        bias.append(measured[BIAS])
        advance()
    return PoolRow(
        one,
        float(np.concatenate(list(values.values())).mean()),
        defined_mean(np.concatenate(bias)),
        {code: float(some.mean()) for code, some in values.items()},
    )


def pool_markdown(pool: SentencePool, rows: Sequence[PoolRow]) -> list[str]:
    """The table of one pool."""
    codes = list(pool.queries)
    return [
        f"| system | balance | all | {' | '.join(codes)} | {BIAS} |",
        f"|---|---|{'---:|' * (len(codes) + 2)}",
        *(_line(row, codes) for row in rows),
    ]


def _line(row: PoolRow, codes: Sequence[str]) -> str:
    values = " | ".join(f"{row.by_language[code]:.3f}" for code in codes)
    one = row.system
    return f"| {one.label} | {one.balance} | **{row.mean:.3f}** | {values} | {row.bias:+.2f} |"
