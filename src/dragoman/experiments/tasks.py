"""Collections on disk -> documents and one retrieval task per pair of languages.

A data folder holds ``xquad-r`` (paragraphs: queries in each language for English paragraphs, and
English queries for paragraphs in each language) and ``afriqa-XX`` (queries in XX for English
documents). A collection folder is what ``dragoman collection get`` builds: its queries are those of
the test split where they name one, otherwise all that have a relevant document.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.sampling import evenly_spaced
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measure
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, FloatArray, Judgments, Query, Ranking

MEASURE, DEPTH = "nDCG@10", 10
SPLIT = "test"
XQUAD_LANGUAGES = ("de", "es", "ru", "el", "ar", "tr", "hi")
AFRIQA_LANGUAGES = ("sw", "ha")


@dataclass(frozen=True, slots=True)
class RetrievalTask:
    """Queries in one language, documents in another, and the judgments of these documents."""

    collection: str
    query_language: str
    document_language: str
    queries: tuple[Query, ...]
    judgments: Judgments

    def sampled(self, most: int | None) -> "RetrievalTask":
        """The task with at most ``most`` queries, evenly spaced."""
        return replace(self, queries=evenly_spaced(self.queries, most))

    def values(self, system: str, rankings: Sequence[Ranking]) -> FloatArray:
        """nDCG@10 of each query, from the rankings of all of them by one system."""
        judged = {query.query_id: self.judgments[query.query_id] for query in self.queries}
        measured = measure_run(system, rankings, judged, [parse_measure(MEASURE)])
        return measured.overall.values[MEASURE]


@dataclass(frozen=True, slots=True)
class TaskCollection:
    """Documents and the tasks on them."""

    name: str
    documents: tuple[Document, ...]
    tasks: tuple[RetrievalTask, ...]

    def sampled(self, most: int | None) -> "TaskCollection":
        """The collection with at most ``most`` queries of each task, evenly spaced."""
        return replace(self, tasks=tuple(task.sampled(most) for task in self.tasks))


@dataclass(frozen=True, slots=True)
class TaskRow:
    """The mean value of every system on one task: a row of a table."""

    task: RetrievalTask
    values: Mapping[str, float]

    def markdown(self, *more: str) -> str:
        """The row as Markdown, the best value bold; ``more`` cells follow."""
        best = max(self.values.values())
        cells = [f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in self.values.values()]
        task = self.task
        return (
            f"| {task.collection} | {task.query_language} ({len(task.queries):,}) |"
            f" {task.document_language} | {' | '.join([*cells, *more])} |"
        )


def read_data_folder(data: Path) -> Iterator[TaskCollection]:
    """The collections in a data folder; an error where there is none."""
    empty = True
    if (data / "xquad-r").is_dir():
        empty = False
        yield read_xquad(data / "xquad-r", with_titles=False)
        yield read_xquad(data / "xquad-r", with_titles=True)
    for language in AFRIQA_LANGUAGES:
        if (folder := data / f"afriqa-{language}").is_dir():
            empty = False
            yield read_afriqa(folder, language)
    if empty:
        raise InputError(data, None, found="no collection", expected="xquad-r or afriqa-sw in it")


def read_xquad(folder: Path, *, with_titles: bool) -> TaskCollection:
    """The paragraphs, with or without their titles, which are English in every language."""
    faults = Faults()
    name = "xquad-r, titles" if with_titles else "xquad-r"
    wanted = {"en", *XQUAD_LANGUAGES}
    paragraphs = read_documents(folder / "paragraphs", faults)
    chosen = (document for document in paragraphs if document.language in wanted)
    documents = tuple(d if with_titles else replace(d, title="") for d in chosen)
    queries = list(read_queries(folder / "queries.jsonl.gz", faults))
    judgments = read_judgments(folder / "paragraphs", faults)
    pairs = [pair for code in XQUAD_LANGUAGES for pair in ((code, "en"), ("en", code))]
    tasks = [language_pair_task(name, *pair, queries, judgments, documents) for pair in pairs]
    return TaskCollection(name, documents, tuple(tasks))


def read_afriqa(folder: Path, language: str) -> TaskCollection:
    """The English documents of ``afriqa-XX``, with one task in the language XX."""
    faults = Faults()
    documents = tuple(read_documents(folder, faults))
    queries = list(read_queries(folder, faults))
    judgments = read_judgments(folder, faults)
    task = language_pair_task(folder.name, language, "en", queries, judgments, documents)
    return TaskCollection(folder.name, documents, (task,))


def language_pair_task(
    name: str,
    query_language: str,
    document_language: str,
    queries: Iterable[Query],
    judgments: Judgments,
    documents: Iterable[Document],
) -> RetrievalTask:
    """The queries in one language, with their judgments of documents in the other."""
    searched = {d.doc_id for d in documents if d.language == document_language}
    chosen = tuple(query for query in queries if query.language == query_language)
    relevant = {
        query.query_id: {
            doc_id: grade
            for doc_id, grade in judgments.get(query.query_id, {}).items()
            if doc_id in searched
        }
        for query in chosen
    }
    return RetrievalTask(name, query_language, document_language, chosen, relevant)


def read_collection(path: Path) -> TaskCollection:
    """The collection folder at ``path``, with a task for each pair of languages."""
    folder = Collection.open(path)
    documents = tuple(folder.documents())
    language_of = {document.doc_id: document.language for document in documents}
    queries = list(folder.queries())
    if any(query.metadata.get("split") == SPLIT for query in queries):
        queries = [query for query in queries if query.metadata.get("split") == SPLIT]
    name = str(folder.manifest.get("collection", folder.name))
    tasks = _judged_tasks(name, queries, folder.judgments(), language_of)
    if not tasks:
        raise InputError(path, None, found="no judged query", expected="relevant documents")
    return TaskCollection(name, documents, tasks)


def _judged_tasks(
    name: str, queries: list[Query], judgments: Judgments, language_of: dict[str, str]
) -> tuple[RetrievalTask, ...]:
    """One task for every pair of languages; queries without a relevant document are left out."""
    chosen: dict[tuple[str, str], list[Query]] = {}
    judged: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for query in queries:
        by_language: dict[str, dict[str, int]] = {}
        for doc_id, grade in judgments.get(query.query_id, {}).items():
            if doc_id in language_of:
                by_language.setdefault(language_of[doc_id], {})[doc_id] = grade
        for code, grades in by_language.items():
            if any(grade > 0 for grade in grades.values()):
                chosen.setdefault((query.language, code), []).append(query)
                judged.setdefault((query.language, code), {})[query.query_id] = grades
    return tuple(
        RetrievalTask(name, *pair, tuple(chosen[pair]), judged[pair]) for pair in sorted(chosen)
    )
