"""What do weights that judgments chose gain on other queries, and how many judgments do they take?

    python benchmarks/tuning.py DATA --cache FOLDER [--collections xquad-r,afriqa-sw]

DATA holds ``xquad-r``, ``afriqa-XX`` and ``kubernetes-docs``. The first table tunes on one half of
a task's queries (XQuAD-R: the articles of even number) and measures the other half. The second
draws n queries of the first half many times, tunes on them, and counts how that ends on the other
half; it is repeated as if the default weights were other ones, as those of an index may be.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.experiments.index_cache import cached_index
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.tasks import read_afriqa, read_xquad
from dragoman.indexes.index import Index
from dragoman.metrics.significance import Interval, grouped_bootstrap_interval
from dragoman.text.files import Faults
from dragoman.text.source import read_documents
from dragoman.tuning.choice import Evidence, choose, folds_of, tried_values, weights_by_fold
from dragoman.tuning.judged_queries import JudgedQuery, judged_queries
from dragoman.tuning.trials import Trials, parse_ranked_measure
from dragoman.tuning.tuner import groups_of, with_weights
from dragoman.types import Document, FloatArray, IntArray, Judgments, Query

MEASURE = "nDCG@10"
QUERIES = 400  # of a task
DRAWS = 60  # of n queries
SIZES = (10, 20, 40, 80, 160)
OWN = 2  # the grade of a question's own paragraph
SHIFTS = (0.0, -0.3, 0.3)  # of the default weights
XQUAD = ("de", "ru", "tr", "ar", "el", "hi")  # the last two are read by students
TITLES = ("es", "fr", "de", "it")


@dataclass(frozen=True)
class MeasuredTask:
    """The gains of one weight on the queries of a task, and which half a query is in."""

    name: str
    evidence: Evidence
    groups: IntArray
    is_second: NDArray[np.bool_]  # the untouched half


def half_of(judged: JudgedQuery) -> int:
    """0 or 1, by the article of a question's paragraph (language-article-paragraph)."""
    return int(min(judged.best_documents).split("-")[1]) % 2


def measured_task(
    name: str, index: Index, queries: Sequence[Query], judgments: Judgments, within: str
) -> MeasuredTask:
    """Measure every query of a task with all values of the weight that most of them use."""
    system, scope = with_weights(index), index.scope([within])
    judged, _ = judged_queries(index, evenly_spaced(tuple(queries), QUERIES), judgments, scope)
    grid = {name: tried_values(value) for name, value in system.weights().items()}
    with index.snapshot() as snapshot:
        trials = Trials(system, snapshot, scope, parse_ranked_measure(MEASURE))
        for one in judged:
            trials.try_grid(one, grid)
        used = [system.weight_name(one.query, within) for one in judged]
        weight = max({*used}, key=used.count)
        mine = [one for one, each in zip(judged, used, strict=True) if each == weight]
        default = trials.values(mine, {})
        columns = [trials.values(mine, {weight: value}) - default for value in grid[weight]]
    groups = groups_of(mine)
    if name.startswith("xquad"):
        second = np.array([half_of(one) for one in mine], bool)
    else:
        second = (np.random.default_rng(0).permutation(int(groups.max()) + 1) % 2 == 1)[groups]
    places = np.arange(len(mine))
    default_value = system.weights()[weight]
    evidence = Evidence(weight, default_value, grid[weight], places, np.stack(columns, axis=1))
    return MeasuredTask(f"{name} ({default.mean():.3f})", evidence, groups, second)


def tasks(data: Path, cache: Path, collections: Sequence[str]) -> Iterator[MeasuredTask]:
    """The tasks of the collections; documents are English."""
    for name in collections:
        if name == "xquad-r":
            yield from xquad_tasks(data / name, cache)
        elif name == "kubernetes-docs":
            pages, titles = titles_of(data / name)
            own = {query.query_id: {str(query.metadata["page"]): 1} for query in titles}
            with cached_index("kubernetes-es", pages, cache) as index:
                yield measured_task("kubernetes titles", index, titles, own, "en")
        else:
            collection = read_afriqa(data / name, name.removeprefix("afriqa-"))
            (task,) = collection.tasks
            with cached_index(collection.name, collection.documents, cache) as index:
                yield measured_task(collection.name, index, task.queries, task.judgments, "en")


def xquad_tasks(folder: Path, cache: Path) -> Iterator[MeasuredTask]:
    """Questions in each language, each with its own paragraph."""
    collection = read_xquad(folder, with_titles=False)
    documents = [one for one in collection.documents if one.language == "en"]
    with cached_index("xquad-en", documents, cache) as index:
        for task in collection.tasks:
            if task.document_language == "en" and task.query_language in XQUAD:
                own = {
                    query_id: {doc_id: 1 for doc_id, grade in grades.items() if grade == OWN}
                    for query_id, grades in task.judgments.items()
                }
                name = f"xquad-r {task.query_language}-en"
                yield measured_task(name, index, task.queries, own, "en")


def titles_of(folder: Path) -> tuple[list[Document], list[Query]]:
    """The English pages that have a Spanish translation, and titles of all their translations."""
    read = {code: list(read_documents(folder / f"{code}.jsonl.gz", Faults())) for code in TITLES}
    wanted = {page.doc_id for page in read["es"]}
    english = read_documents(folder / "en.jsonl.gz", Faults())
    return [page for page in english if page.doc_id in wanted], [
        Query(f"{code}-{page.doc_id}", page.title, code, {"page": page.doc_id})
        for code, pages in read.items()
        for page in pages
        if page.doc_id in wanted
    ]


def shifted(task: MeasuredTask, by: float) -> MeasuredTask:
    """The task as if the default weight were another one."""
    one = task.evidence
    default = min(one.values, key=lambda value: abs(value - one.default - by))
    gains = one.gains - one.gains[:, [one.values.index(default)]]
    return replace(task, evidence=replace(one, default=default, gains=gains))


def value_gains(task: MeasuredTask, value: float) -> FloatArray:
    """What a value of the weight gains on each query."""
    gains: FloatArray = task.evidence.gains[:, task.evidence.values.index(value)]
    return gains


def held_out(task: MeasuredTask, drawn: IntArray, rng: np.random.Generator) -> Interval:
    """The interval of the gain that cross-validation over the drawn queries estimates."""
    groups = np.unique(task.groups[drawn], return_inverse=True)[1]
    one = task.evidence
    mine = Evidence(one.name, one.default, one.values, np.arange(len(drawn)), one.gains[drawn])
    folds = folds_of(groups, rng)
    chosen = weights_by_fold([mine], groups, folds)
    values = [chosen[fold].get(one.name, one.default) for fold in folds.tolist()]
    gains = [value_gains(task, v)[place] for v, place in zip(values, drawn, strict=True)]
    return grouped_bootstrap_interval(np.array(gains), groups, rng, draws=500)


def best_value(task: MeasuredTask, among: IntArray) -> float:
    """The value with the highest mean, whatever the noise."""
    means = task.evidence.gains[among].mean(axis=0)
    return task.evidence.values[int(np.lexsort((task.evidence.distances, -means))[0])]


def print_halves(measured: Sequence[MeasuredTask]) -> None:
    """Each task: the choice of the first half, its estimate there, and its gain on the second."""
    print(f"{'task (default)':28s} {'weight':24s} first half: chosen, held out    second half")
    for task in measured:
        rng = np.random.default_rng(0)
        first = np.flatnonzero(~task.is_second)
        chosen = choose(task.evidence, task.groups, ~task.is_second)
        estimate = held_out(task, first, rng)
        gains = value_gains(task, chosen)[task.is_second]
        interval = grouped_bootstrap_interval(gains, task.groups[task.is_second], rng)
        print(
            f"{task.name:28s} {task.evidence.name:24s} {task.evidence.default:.2f} -> {chosen:.2f}"
            f"  {estimate.low:+.3f} to {estimate.high:+.3f}"
            f"   {gains.mean():+.4f} ({interval.low:+.4f} to {interval.high:+.4f})"
        )


def print_sizes(measured: Sequence[MeasuredTask]) -> None:
    """How tuning on n queries of the first half ends on the second, by three rules."""
    rules: dict[str, Callable[[MeasuredTask, IntArray, np.random.Generator], float]] = {
        "highest mean": lambda task, drawn, _: best_value(task, drawn),
        "one standard error": lambda task, drawn, _: by_rule(task, drawn),
        "saved": saved_value,
    }
    print(
        f"{'n':>4s} {'rule':20s} {'changed':>8s} {'gains':>6s} {'loses':>6s} {'mean':>8s}"
        f" {'worst 5 %':>9s}"
    )
    for n in SIZES:
        for rule, value_of in rules.items():
            rng, ends, changed = np.random.default_rng(n), [], 0
            for task in measured:
                first = np.flatnonzero(~task.is_second)
                for _ in range(DRAWS if n <= len(first) else 0):
                    drawn = rng.choice(first, n, replace=False)
                    value = value_of(task, drawn, rng)
                    changed += value != task.evidence.default
                    ends.append(value_gains(task, value)[task.is_second].mean())
            end = np.array(ends)
            print(
                f"{n:4d} {rule:20s} {changed / len(end):8.0%} {np.mean(end > 0):6.0%}"
                f" {np.mean(end < 0):6.0%} {end.mean():+8.4f} {np.quantile(end, 0.05):+9.4f}",
                flush=True,
            )


def by_rule(task: MeasuredTask, drawn: IntArray) -> float:
    """What the drawn queries choose."""
    among = np.zeros(len(task.groups), bool)
    among[drawn] = True
    return choose(task.evidence, task.groups, among)


def saved_value(task: MeasuredTask, drawn: IntArray, rng: np.random.Generator) -> float:
    """The choice, where the interval of its held-out gain is above 0."""
    value = by_rule(task, drawn)
    if value != task.evidence.default and held_out(task, drawn, rng).low > 0:
        return value
    return task.evidence.default


def main() -> None:
    """Measure, and print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--collections", default="xquad-r,afriqa-sw,afriqa-ha,kubernetes-docs")
    arguments = parser.parse_args()
    arguments.cache.mkdir(exist_ok=True)
    measured = [*tasks(arguments.data, arguments.cache, arguments.collections.split(","))]
    print_halves(measured)
    for by in SHIFTS:
        print(f"\ndefault weights {by:+.1f}")
        print_sizes([shifted(task, by) for task in measured])


if __name__ == "__main__":
    main()
