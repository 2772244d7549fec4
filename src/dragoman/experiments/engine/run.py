"""A data folder and collection folders in -> everything that ``reproduce engine`` reports."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from dragoman.experiments.engine.experiment import SYSTEMS, Results, compare
from dragoman.experiments.engine.flood import Balanced, Flood, compare_flood, flooded
from dragoman.experiments.engine.pooled import (
    CONTESTANTS,
    Pool,
    Pooled,
    compare_pooled,
    pool,
    without_translations,
)
from dragoman.experiments.engine.students import STEPS, compare_students, students
from dragoman.experiments.index_cache import indexed
from dragoman.experiments.lexical.experiment import Collection, Row
from dragoman.experiments.lexical.experiment import collections as found_in
from dragoman.experiments.tasks import opened
from dragoman.protocols import Advance
from dragoman.ranking.balance import Balance

Progress = Callable[[str, int | None], AbstractContextManager[Advance]]
# What is compared where nothing has a translation: does raising translations do harm?
ECHOING = [contestant for contestant in CONTESTANTS if contestant.balance is Balance.CALIBRATED]


def measured(
    data: Path,
    folders: Sequence[Path],
    questions: int | None,
    pooled_questions: int,
    keep: Path | None,
    progress: Progress,
) -> Results:
    """All tables of the engine; ``progress(what, steps)`` is told of each stage."""
    rows: list[Row] = []
    floods: list[tuple[Flood, Sequence[Balanced]]] = []
    for collection in _collections(data, folders):
        flood = flooded(collection, questions)
        steps = len(SYSTEMS) * len(collection.tasks) + (len(Balance) if flood else 0)
        with (
            progress(collection.name, steps) as advance,
            indexed(collection.name, collection.documents, keep) as index,
        ):
            rows += compare(index, collection, questions, advance)
            if flood:
                floods.append((flood, compare_flood(index, flood, advance)))
    pools = list(_pools(data, pooled_questions, keep, progress))
    chosen = students(data)
    with progress("students", STEPS * len(chosen)) as advance:
        taught = list(compare_students(chosen, advance)) if chosen else []
    return Results(rows, pools, floods, taught)


def _collections(data: Path, folders: Sequence[Path]) -> Iterator[Collection]:
    """Those of the data folder, without XQuAD-R's English titles, and those named."""
    yield from (one for one in found_in(data) if "titles" not in one.name)
    yield from map(opened, folders)


def _pools(
    data: Path, most: int, keep: Path | None, progress: Progress
) -> Iterator[tuple[Pool, Sequence[Pooled]]]:
    folder = data / "xquad-r"
    if not (folder / "sentences").is_dir():
        return
    whole = pool(folder, most)
    for asked, contestants in ((whole, CONTESTANTS), (without_translations(whole), ECHOING)):
        with progress(asked.name, len(contestants) * len(asked.queries)) as advance:
            yield asked, compare_pooled(asked, contestants, keep, advance)
