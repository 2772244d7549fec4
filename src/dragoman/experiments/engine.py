"""psq, sentence vectors and both together, in the engine as people use it.

Language pairs are those of ``lexical``; in addition, questions in every language are asked to the
sentences of all languages pooled, as LAReQA does (Roy et al. 2020), with languages balanced or not.
"""

import platform
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dragoman
from dragoman.experiments.lexical import Collection, Row, Task
from dragoman.indexes.engine import Index
from dragoman.indexes.resident import Resident
from dragoman.indexes.scope import Scope
from dragoman.metrics.measured import measure_run
from dragoman.metrics.parse import parse_measure
from dragoman.protocols import Advance, silent
from dragoman.ranking.balance import Balance
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, Judgments, Query, Ranking

SYSTEMS = ("psq", "dense", "hybrid")
PAIR_MEASURE, PAIR_DEPTH = "nDCG@10", 10
POOL_MEASURE, POOL_DEPTH = "AP@100", 100


@dataclass(frozen=True, slots=True)
class Pooled:
    """One system on the pool: the mean over all questions, and over those in each language."""

    system: str
    balance: Balance
    mean: float
    by_language: Mapping[str, float]


def parts(index: Index) -> dict[str, Resident]:
    """The systems of a hybrid index by their names."""
    hybrid: Any = index.system
    return {"psq": hybrid.psq, "dense": hybrid.dense, "hybrid": hybrid}


def compare(collection: Collection, most: int, advance: Advance = silent) -> list[Row]:
    """One row per task with every system's value, over at most ``most`` questions."""
    rows = []
    with _indexed(collection.documents) as index:
        for task in collection.tasks:
            fewer = replace(task, queries=spread(task.queries, most))
            scope = index.scope([task.searched])
            rows.append(Row(fewer, dict(_values(index, fewer, scope, advance))))
    return rows


def _values(
    index: Index,
    task: Task,
    scope: Scope,
    advance: Advance,
) -> Iterator[tuple[str, float]]:
    judged = {query.query_id: task.judgments[query.query_id] for query in task.queries}
    for name, system in parts(index).items():
        rankings = [system.search(index.store, q, PAIR_DEPTH, scope) for q in task.queries]
        yield name, _mean(rankings, judged, PAIR_MEASURE)
        advance()


def compare_pooled(folder: Path, most: int, advance: Advance = silent) -> list[Pooled]:
    """Every system on the pooled sentences, over at most ``most`` questions a language."""
    faults = Faults()
    judgments = read_judgments(folder / "sentences", faults)
    queries: dict[str, list[Query]] = {}
    for query in read_queries(folder / "queries.jsonl.gz", faults):
        if judgments.get(query.query_id):
            queries.setdefault(query.language, []).append(query)
    chosen = {code: spread(asked, most) for code, asked in sorted(queries.items())}
    with _indexed(read_documents(folder / "sentences", faults)) as index:
        return [
            _pooled(index, name, balance, chosen, judgments, advance)
            for name in SYSTEMS
            for balance in (Balance.OFF, Balance.CALIBRATED)
        ]


def _pooled(
    index: Index,
    name: str,
    balance: Balance,
    queries: Mapping[str, Sequence[Query]],
    judgments: Judgments,
    advance: Advance,
) -> Pooled:
    system, scope = parts(index)[name], index.scope(balance=balance)
    by_language = {}
    for code, asked in queries.items():
        rankings = [system.search(index.store, query, POOL_DEPTH, scope) for query in asked]
        judged = {query.query_id: judgments[query.query_id] for query in asked}
        by_language[code] = _mean(rankings, judged, POOL_MEASURE)
        advance()
    sizes = [len(asked) for asked in queries.values()]
    mean = sum(v * n for v, n in zip(by_language.values(), sizes, strict=True)) / sum(sizes)
    return Pooled(name, balance, mean, by_language)


def spread(queries: Sequence[Query], most: int) -> tuple[Query, ...]:
    """At most ``most`` queries, evenly from the first to the last."""
    if len(queries) <= most:
        return tuple(queries)
    return tuple(queries[place * len(queries) // most] for place in range(most))


def _mean(rankings: Iterable[Ranking], judgments: Judgments, measure: str) -> float:
    measured = measure_run("run", rankings, judgments, [parse_measure(measure)])
    return float(measured.overall.values[measure].mean())


@contextmanager
def _indexed(documents: Iterable[Document]) -> Iterator[Index]:
    """An index that is gone afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="dragoman-") as folder,
        dragoman.index(documents, Path(folder) / "index", system="hybrid") as index,
    ):
        yield index


def report(rows: Sequence[Row], pooled: Sequence[Pooled], command: str) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        "## The engine: words, sentence vectors, and both",
        "",
        f"- command: `{command}`",
        f"- date: {datetime.now(UTC):%Y-%m-%d}; machine: {platform.machine()},"
        f" Python {platform.python_version()}; version {dragoman.__version__}, default settings",
        "",
        f"{PAIR_MEASURE} by language pair; the number of questions in brackets, spread evenly.",
        "",
        f"| collection | questions | documents | {' | '.join(SYSTEMS)} |",
        f"|---|---|---|{'---:|' * len(SYSTEMS)}",
        *(_row(row) for row in rows),
    ]
    if pooled:
        codes = list(pooled[0].by_language)
        lines += [
            "",
            f"Mean {POOL_MEASURE} on XQuAD-R's sentences of all languages pooled, by the language"
            " of the question. LAReQA reports mAP on this pool for fine-tuned mBERT: En-En .29,"
            " X-X .23, X-X-mono .52, X-Y .66.",
            "",
            f"| system | languages | all | {' | '.join(codes)} |",
            f"|---|---|{'---:|' * (len(codes) + 1)}",
            *(_pooled_row(one, codes) for one in pooled),
        ]
    return "\n".join(lines)


def _row(row: Row) -> str:
    best = max(row.values.values())
    cells = [f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in row.values.values()]
    task = row.task
    return (
        f"| {task.collection} | {task.asked} ({len(task.queries):,}) | {task.searched} |"
        f" {' | '.join(cells)} |"
    )


def _pooled_row(one: Pooled, codes: Sequence[str]) -> str:
    values = " | ".join(f"{one.by_language[code]:.3f}" for code in codes)
    return f"| {one.system} | balance {one.balance} | {one.mean:.3f} | {values} |"
