"""A collection folder as ``dragoman collection get`` builds it -> documents and one task a pair.

Questions are those of the test split, where queries name one; otherwise all that are judged.
"""

from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.lexical.experiment import Collection, Task
from dragoman.text import collection as folders
from dragoman.types import Judgments, Query

SPLIT = "test"


def opened(path: Path) -> Collection:
    """The collection at ``path``, with a task for each language of questions and documents."""
    folder = folders.Collection.open(path)
    documents = tuple(folder.documents())
    language_of = {document.doc_id: document.language for document in documents}
    queries = list(folder.queries())
    if any(query.metadata.get("split") == SPLIT for query in queries):
        queries = [query for query in queries if query.metadata.get("split") == SPLIT]
    name = str(folder.manifest.get("collection", folder.name))
    tasks = _tasks(name, queries, folder.judgments(), language_of)
    if not tasks:
        raise InputError(path, None, found="no judged question", expected="relevant documents")
    return Collection(name, documents, tasks)


def _tasks(
    name: str, queries: list[Query], judgments: Judgments, language_of: dict[str, str]
) -> tuple[Task, ...]:
    """One task for every pair of languages; questions without a relevant document are left out."""
    asked: dict[tuple[str, str], list[Query]] = {}
    judged: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for query in queries:
        parts: dict[str, dict[str, int]] = {}
        for doc_id, grade in judgments.get(query.query_id, {}).items():
            if doc_id in language_of:
                parts.setdefault(language_of[doc_id], {})[doc_id] = grade
        for code, grades in parts.items():
            if any(grade > 0 for grade in grades.values()):
                asked.setdefault((query.language, code), []).append(query)
                judged.setdefault((query.language, code), {})[query.query_id] = grades
    return tuple(Task(name, *pair, tuple(asked[pair]), judged[pair]) for pair in sorted(asked))
