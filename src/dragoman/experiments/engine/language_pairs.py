"""psq, dense and hybrid on one index, language pair by language pair."""

from collections.abc import Iterator

from dragoman.experiments.index_cache import index_systems
from dragoman.experiments.tasks import DEPTH, RetrievalTask, TaskCollection, TaskRow
from dragoman.indexes.index import Index
from dragoman.protocols import Advance, no_progress


def compare(
    index: Index,
    collection: TaskCollection,
    most: int | None = None,
    advance: Advance = no_progress,
) -> list[TaskRow]:
    """One row per task with every system's mean, over at most ``most`` queries."""
    tasks = [task.sampled(most) for task in collection.tasks]
    return [TaskRow(task, dict(_means(index, task, advance))) for task in tasks]


def _means(index: Index, task: RetrievalTask, advance: Advance) -> Iterator[tuple[str, float]]:
    scope = index.scope([task.document_language])
    for name, system in index_systems(index).items():
        with index.snapshot() as snapshot:
            rankings = [system.search(snapshot, query, DEPTH, scope) for query in task.queries]
        yield name, float(task.values(name, rankings).mean())
        advance()
