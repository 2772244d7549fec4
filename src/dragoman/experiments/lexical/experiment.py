"""psq against untranslated BM25 and the translated-query baselines, on any data folder that fits.

The folder holds ``xquad-r`` (paragraphs: questions in each language against English paragraphs and
English questions against its paragraphs) and ``afriqa-XX`` (questions in XX against English).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import dragoman
from dragoman import registry
from dragoman.errors import InputError
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.sections import circumstances
from dragoman.indexes.index import Index
from dragoman.metrics.measured import measure_run
from dragoman.metrics.parse import parse_measure
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, Judgments, Query, Signature

MEASURE = "nDCG@10"
DEPTH = 10
XQUAD_LANGUAGES = ("de", "es", "ru", "el", "ar", "tr", "hi")
AFRIQA_LANGUAGES = ("sw", "ha")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A system under the name that the table gives it."""

    label: str
    system: str
    settings: Mapping[str, object]


CONTESTANTS = (
    Contestant("BM25 untranslated", "bm25", {"translate": False}),
    Contestant("tf", "tf", {}),
    Contestant("idf", "idf", {}),
    Contestant("BM25", "bm25", {}),
    Contestant("psq", "psq", {}),
)


@dataclass(frozen=True, slots=True)
class Task:
    """Questions in one language, documents in another, and what is relevant among these."""

    collection: str
    asked: str
    searched: str
    queries: tuple[Query, ...]
    judgments: Judgments


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents and the tasks on them."""

    name: str
    documents: tuple[Document, ...]
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """The measured value of every contestant on one task."""

    task: Task
    values: Mapping[str, float]


def collections(data: Path) -> Iterator[Collection]:
    """The collections that lie in ``data``; an error where there is none."""
    found = False
    if (data / "xquad-r").is_dir():
        found = True
        yield _xquad(data / "xquad-r", with_titles=False)
        yield _xquad(data / "xquad-r", with_titles=True)
    for language in AFRIQA_LANGUAGES:
        if (folder := data / f"afriqa-{language}").is_dir():
            found = True
            yield _afriqa(folder, language)
    if not found:
        raise InputError(data, None, found="no collection", expected="xquad-r or afriqa-sw in it")


def _xquad(folder: Path, *, with_titles: bool) -> Collection:
    """Paragraphs; their titles are English in every language and answer for the text."""
    faults = Faults()
    name = "xquad-r, titles" if with_titles else "xquad-r"
    wanted = {"en", *XQUAD_LANGUAGES}
    paragraphs = read_documents(folder / "paragraphs", faults)
    chosen = (document for document in paragraphs if document.language in wanted)
    documents = tuple(d if with_titles else replace(d, title="") for d in chosen)
    queries = list(read_queries(folder / "queries.jsonl.gz", faults))
    judgments = read_judgments(folder / "paragraphs", faults)
    pairs = [pair for code in XQUAD_LANGUAGES for pair in ((code, "en"), ("en", code))]
    tasks = [_task(name, asked, code, queries, judgments, documents) for asked, code in pairs]
    return Collection(name, documents, tuple(tasks))


def _afriqa(folder: Path, language: str) -> Collection:
    faults = Faults()
    documents = tuple(read_documents(folder, faults))
    queries = list(read_queries(folder, faults))
    judgments = read_judgments(folder, faults)
    task = _task(folder.name, language, "en", queries, judgments, documents)
    return Collection(folder.name, documents, (task,))


def _task(
    name: str,
    asked: str,
    searched: str,
    queries: Iterable[Query],
    judgments: Judgments,
    documents: Iterable[Document],
) -> Task:
    """The part of a collection that one pair of languages is about."""
    inside = {document.doc_id for document in documents if document.language == searched}
    chosen = tuple(query for query in queries if query.language == asked)
    relevant = {
        query.query_id: {
            doc_id: grade
            for doc_id, grade in judgments.get(query.query_id, {}).items()
            if doc_id in inside
        }
        for query in chosen
    }
    return Task(name, asked, searched, chosen, relevant)


def compare(
    collection: Collection,
    contestants: Sequence[Contestant] = CONTESTANTS,
    advance: Advance = no_progress,
) -> list[Row]:
    """One row per task; every contestant indexes the collection once, all languages together."""
    values: list[dict[str, float]] = [{} for _ in collection.tasks]
    for contestant in contestants:
        with temporary_index(collection.documents, contestant.system, contestant.settings) as index:
            for task, of_task in zip(collection.tasks, values, strict=True):
                of_task[contestant.label] = _value(index, task)
                advance()
    return [Row(task, of_task) for task, of_task in zip(collection.tasks, values, strict=True)]


def _value(index: Index, task: Task) -> float:
    scope = index.scope([task.searched], balance=Balance.OFF)
    rankings = list(index.rank_all(task.queries, DEPTH, scope))
    name = f"{task.asked}-{task.searched}"
    measured = measure_run(name, rankings, task.judgments, [parse_measure(MEASURE)])
    return float(measured.overall.values[MEASURE].mean())


def report(rows: Sequence[Row], command: str) -> str:
    """The section of ``docs/results.md``: how it was made, the table, what it says."""
    labels = list(rows[0].values)
    lines = [
        "## Lexical systems across languages",
        "",
        f"{MEASURE}, higher is better. One index per collection holds all its languages; a search"
        " is restricted to the language of the row. Settings are the defaults, the same for every"
        " row. The titles of XQuAD-R paragraphs are English in every language, which helps an"
        " untranslated English question; paragraphs are searched without and with them.",
        "",
        *circumstances(command),
        *(f"- signature: `{signature}`" for signature in signatures(rows)),
        "",
        f"| collection | questions | documents | {' | '.join(labels)} | psq / untranslated |",
        f"|---|---|---|{'---:|' * (len(labels) + 1)}",
        *(_line(row, labels) for row in rows),
    ]
    return "\n".join(lines)


def _line(row: Row, labels: Sequence[str]) -> str:
    best = max(row.values.values())
    cells = [
        f"**{v:.3f}**" if v == best else f"{v:.3f}"
        for v in map(row.values.get, labels)
        if v is not None
    ]
    untranslated = row.values[CONTESTANTS[0].label]
    ratio = f"{row.values['psq'] / untranslated:.1f}" if untranslated else "-"
    task = row.task
    return (
        f"| {task.collection} | {task.asked} ({len(task.queries):,}) | {task.searched} |"
        f" {' | '.join(cells)} | {ratio} |"
    )


def signatures(rows: Sequence[Row]) -> list[Signature]:
    """One per collection: two tables with equal ones may be compared number by number."""
    names = list(dict.fromkeys(row.task.collection for row in rows))
    config = registry.system("psq").configure({})
    settings = {"k1": config.bm25.k1, "b": config.bm25.b, "measure": MEASURE}
    return [Signature(name, "psq", settings, dragoman.__version__) for name in names]
