"""What do weights that judgments chose gain on other queries, and how many judgments do they take?

    python benchmarks/tuning.py DATA --cache FOLDER

DATA holds ``xquad-r``, ``afriqa-XX`` and ``kubernetes-docs``. The first table tunes on one half of
a task's queries (XQuAD-R: the articles of even number) and measures the other half. The second
draws n queries of that half many times, tunes on them, and counts how that ends on the other half.
The last lines tune one index of seven languages, in which several weights work together.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.experiments.index_cache import cached_index
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.tasks import read_afriqa, read_xquad
from dragoman.indexes.index import Index
from dragoman.metrics.significance import Interval, grouped_bootstrap_interval
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.tuning import choice
from dragoman.tuning.choice import Evidence, choose, folds_of, tried_values, weights_by_fold
from dragoman.tuning.judged_queries import JudgedQuery, judged_queries
from dragoman.tuning.trials import Trials, parse_ranked_measure
from dragoman.tuning.tuner import groups_of, tune, with_weights
from dragoman.types import FloatArray, IntArray, Judgments, Query

MEASURE = "nDCG@10"
QUERIES = 600  # of a task
DRAWS = 200  # of n queries
SIZES = (10, 20, 40, 80, 160)
OWN = 2  # the grade of a question's own paragraph
XQUAD = [("de", "en"), ("ru", "en"), ("tr", "en"), ("ar", "en"), ("en", "de"), ("en", "ru")]
XQUAD += [("el", "en"), ("hi", "en"), ("en", "el")]  # read by students
TITLES = ("fr", "es", "de", "it")


@dataclass(frozen=True)
class MeasuredTask:
    """The gains of one weight on the queries of a task, and which half a query is in."""

    name: str
    evidence: Evidence
    groups: IntArray
    is_second: FloatArray  # the untouched half


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


def tasks(data: Path, cache: Path) -> Iterator[MeasuredTask]:
    """The tasks of all collections."""
    collection = read_xquad(data / "xquad-r", with_titles=False)
    wanted = {code for pair in XQUAD for code in pair}
    documents = [one for one in collection.documents if one.language in wanted]
    with cached_index("xquad", documents, cache) as index:
        for task in collection.tasks:
            pair = task.query_language, task.document_language
            if pair in XQUAD:
                own = {
                    q: {d: 1 for d, g in m.items() if g == OWN} for q, m in task.judgments.items()
                }
                yield measured_task(f"xquad-r {'-'.join(pair)}", index, task.queries, own, pair[1])
    for code in ("sw", "ha", "yo"):
        collection = read_afriqa(data / f"afriqa-{code}", code)
        (task,) = collection.tasks
        with cached_index(collection.name, collection.documents, cache) as index:
            yield measured_task(collection.name, index, task.queries, task.judgments, "en")
    folder = data / "kubernetes-docs"
    pages = list(read_documents(folder / "en.jsonl.gz", Faults()))
    titles = [
        Query(f"{code}-{page.doc_id}", page.title, code, {"page": page.doc_id})
        for code in TITLES
        for page in read_documents(folder / f"{code}.jsonl.gz", Faults())
    ]
    own = {query.query_id: {str(query.metadata["page"]): 1} for query in titles}
    with cached_index("kubernetes", pages, cache) as index:
        yield measured_task("kubernetes titles", index, titles, own, "en")


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


def best_value(task: MeasuredTask, among: FloatArray) -> float:
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
        f"\n{'n':>4s} {'rule':20s} {'changed':>8s} {'gains':>6s} {'loses':>6s} {'mean':>8s}"
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


def print_pool(data: Path, cache: Path) -> None:
    """Tune one index of all languages on the even articles; measure the odd ones."""
    collection = read_xquad(data / "xquad-r", with_titles=False)
    wanted = {code for pair in XQUAD for code in pair}
    documents = [one for one in collection.documents if one.language in wanted]
    judgments = read_judgments(data / "xquad-r/paragraphs", Faults())
    own = {q: {d: 1 for d, g in grades.items() if g == OWN} for q, grades in judgments.items()}
    queries = [
        one
        for one in read_queries(data / "xquad-r/queries.jsonl.gz", Faults())
        if one.language in wanted
    ]
    with cached_index("xquad", documents, cache) as index:
        judged, _ = judged_queries(index, evenly_spaced(tuple(queries), QUERIES), own)
        halves = [[one for one in judged if half_of(one) == half] for half in (0, 1)]
        tuning = tune(index, halves[0], measure=MEASURE, rng=np.random.default_rng(0))
        print("\npool of seven languages:", tuning.as_json())
        with index.snapshot() as snapshot:
            trials = Trials(
                with_weights(index), snapshot, index.scope(), parse_ranked_measure(MEASURE)
            )
            for one in halves[1]:
                trials.try_grid(one, dict.fromkeys(with_weights(index).weights(), ()))
                trials.try_weights(one, [tuning.weights])
        gains = trials.values(halves[1], tuning.weights) - trials.values(halves[1], {})
    interval = grouped_bootstrap_interval(gains, groups_of(halves[1]), np.random.default_rng(0))
    print(f"second half: {gains.mean():+.4f} ({interval.low:+.4f} to {interval.high:+.4f})")


def main() -> None:
    """Measure, and print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--standard-errors", type=float, default=choice.STANDARD_ERRORS)
    arguments = parser.parse_args()
    arguments.cache.mkdir(exist_ok=True)
    choice.STANDARD_ERRORS = arguments.standard_errors
    measured = [*tasks(arguments.data, arguments.cache)]
    print_halves(measured)
    print_sizes(measured)
    print_pool(arguments.data, arguments.cache)


if __name__ == "__main__":
    main()
