"""psq against untranslated BM25 and the translated-query baselines, by language pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dragoman
from dragoman import registry
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.sections import provenance
from dragoman.experiments.tasks import DEPTH, MEASURE, RetrievalTask, TaskCollection, TaskRow
from dragoman.indexes.index import Index
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.types import Signature


@dataclass(frozen=True, slots=True)
class SystemVariant:
    """A registered system with settings, under its label in the table."""

    label: str
    system: str
    settings: Mapping[str, object]


SYSTEMS = (
    SystemVariant("BM25 untranslated", "bm25", {"translate": False}),
    SystemVariant("tf", "tf", {}),
    SystemVariant("idf", "idf", {}),
    SystemVariant("BM25", "bm25", {}),
    SystemVariant("psq", "psq", {}),
)


def compare(
    collection: TaskCollection,
    systems: Sequence[SystemVariant] = SYSTEMS,
    advance: Advance = no_progress,
) -> list[TaskRow]:
    """One row per task; every system indexes the collection once, all languages together."""
    values: list[dict[str, float]] = [{} for _ in collection.tasks]
    for one in systems:
        with temporary_index(collection.documents, one.system, one.settings) as index:
            for task, means in zip(collection.tasks, values, strict=True):
                means[one.label] = _mean(index, task)
                advance()
    return [TaskRow(task, means) for task, means in zip(collection.tasks, values, strict=True)]


def _mean(index: Index, task: RetrievalTask) -> float:
    scope = index.scope([task.document_language], balance=Balance.OFF)
    rankings = list(index.rank_all(task.queries, DEPTH, scope))
    pair = f"{task.query_language}-{task.document_language}"
    return float(task.values(pair, rankings).mean())


def report(rows: Sequence[TaskRow], command: str) -> str:
    """The section of ``docs/results.md``: how it was measured, and the table."""
    labels = list(rows[0].values)
    lines = [
        "## Lexical systems across languages",
        "",
        f"{MEASURE}, higher is better. One index per collection holds all its languages; a search"
        " is restricted to the language of the row. Settings are the defaults, the same for every"
        " row. The titles of XQuAD-R paragraphs are English in every language, which helps an"
        " untranslated English query; paragraphs are searched without and with them.",
        "",
        *provenance(command),
        *(f"- signature: `{signature}`" for signature in signatures(rows)),
        "",
        f"| collection | queries | documents | {' | '.join(labels)} | psq / untranslated |",
        f"|---|---|---|{'---:|' * (len(labels) + 1)}",
        *(row.markdown(_ratio(row.values)) for row in rows),
    ]
    return "\n".join(lines)


def _ratio(values: Mapping[str, float]) -> str:
    untranslated = values[SYSTEMS[0].label]
    return f"{values['psq'] / untranslated:.1f}" if untranslated else "-"


def signatures(rows: Sequence[TaskRow]) -> list[Signature]:
    """One per collection: tables with equal signatures may be compared number by number."""
    names = list(dict.fromkeys(row.task.collection for row in rows))
    config = registry.system("psq").configure({})
    settings = {"k1": config.bm25.k1, "b": config.bm25.b, "measure": MEASURE}
    return [Signature(name, "psq", settings, dragoman.__version__) for name in names]
