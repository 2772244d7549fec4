"""``dragoman reproduce engine``: a data folder and collection folders -> all tables of the engine.

Language pairs one by one, languages together in a pool of sentences, rare languages under much
English, and what students add to the sentence encoder.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dragoman.experiments.engine.language_pairs import compare
from dragoman.experiments.engine.rare_languages import (
    BalanceRow,
    RareLanguageTask,
    compare_balances,
    rare_language_task,
)
from dragoman.experiments.engine.sentence_pool import (
    POOLED_SYSTEMS,
    PoolRow,
    SentencePool,
    compare_pooled,
    read_pool,
    without_translations,
)
from dragoman.experiments.engine.students import (
    STEPS,
    StudentRow,
    compare_students,
    students_with_bitext,
)
from dragoman.experiments.index_cache import SYSTEMS, cached_index
from dragoman.experiments.tasks import TaskCollection, TaskRow, read_collection, read_data_folder
from dragoman.protocols import Advance
from dragoman.ranking.balance import Balance

ProgressBar = Callable[[str, int | None], AbstractContextManager[Advance]]


@dataclass(frozen=True, slots=True)
class EngineReproduction:
    """Everything that the experiment measured."""

    rows: Sequence[TaskRow]
    pools: Sequence[tuple[SentencePool, Sequence[PoolRow]]] = ()
    rare_languages: Sequence[tuple[RareLanguageTask, Sequence[BalanceRow]]] = ()
    students: Sequence[StudentRow] = ()


def reproduce(
    data: Path,
    folders: Sequence[Path],
    most_queries: int | None,
    most_pooled: int,
    cache: Path | None,
    progress: ProgressBar,
    *,
    with_students: bool = True,
) -> EngineReproduction:
    """All tables; ``progress(name, steps)`` opens the progress bar of a stage."""
    rows: list[TaskRow] = []
    rare: list[tuple[RareLanguageTask, Sequence[BalanceRow]]] = []
    for collection in _collections(data, folders):
        rare_task = rare_language_task(collection, most_queries)
        steps = len(SYSTEMS) * len(collection.tasks) + (len(Balance) if rare_task else 0)
        with (
            progress(collection.name, steps) as advance,
            cached_index(collection.name, collection.documents, cache) as index,
        ):
            rows += compare(index, collection, most_queries, advance)
            if rare_task:
                rare.append((rare_task, compare_balances(index, rare_task, advance)))
    pools = list(_pools(data, most_pooled, cache, progress))
    students = students_with_bitext(data) if with_students else []
    with progress("students", STEPS * len(students)) as advance:
        taught = list(compare_students(students, advance)) if students else []
    return EngineReproduction(rows, pools, rare, taught)


def _collections(data: Path, folders: Sequence[Path]) -> Iterator[TaskCollection]:
    """Those of the data folder, without XQuAD-R's English titles, then the collection folders."""
    yield from (one for one in read_data_folder(data) if "titles" not in one.name)
    yield from map(read_collection, folders)


def _pools(
    data: Path, most: int, cache: Path | None, progress: ProgressBar
) -> Iterator[tuple[SentencePool, Sequence[PoolRow]]]:
    folder = data / "xquad-r"
    if not (folder / "sentences").is_dir():
        return
    whole = read_pool(folder, most)
    for pool in (whole, without_translations(whole)):
        with progress(pool.name, len(POOLED_SYSTEMS) * len(pool.queries)) as advance:
            yield pool, compare_pooled(pool, POOLED_SYSTEMS, cache, advance)
