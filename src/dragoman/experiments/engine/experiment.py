"""psq, sentence vectors and both together, in the engine as people use it.

Language pairs are those of ``lexical`` and of any collection folder; what is asked of several
languages at once is in ``pooled`` and ``flood``, and what students add in ``students``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dragoman.experiments.engine.flood import Balanced, Flood, report_flood
from dragoman.experiments.engine.pooled import MEASURE as POOL_MEASURE
from dragoman.experiments.engine.pooled import Pool, Pooled, parts, report_pooled
from dragoman.experiments.engine.students import Taught, report_students
from dragoman.experiments.lexical.experiment import Collection, Row, Task
from dragoman.experiments.sampling import spread
from dragoman.experiments.sections import circumstances
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.metrics.measured import measure_run
from dragoman.metrics.parse import parse_measure
from dragoman.protocols import Advance, no_progress

SYSTEMS = ("psq", "dense", "hybrid")
MEASURE, DEPTH = "nDCG@10", 10


@dataclass(frozen=True, slots=True)
class Results:
    """All that one run of the experiment measured."""

    rows: Sequence[Row]
    pools: Sequence[tuple[Pool, Sequence[Pooled]]] = ()
    floods: Sequence[tuple[Flood, Sequence[Balanced]]] = ()
    students: Sequence[Taught] = ()


def compare(
    index: Index, collection: Collection, most: int | None = None, advance: Advance = no_progress
) -> list[Row]:
    """One row per task with every system's value, over at most ``most`` questions."""
    rows = []
    for task in collection.tasks:
        fewer = replace(task, queries=spread(task.queries, most))
        scope = index.scope([task.searched])
        rows.append(Row(fewer, dict(_values(index, fewer, scope, advance))))
    return rows


def _values(
    index: Index, task: Task, scope: Scope, advance: Advance
) -> Iterator[tuple[str, float]]:
    judged = {query.query_id: task.judgments[query.query_id] for query in task.queries}
    for name, system in parts(index).items():
        with index.snapshot() as snapshot:
            rankings = [system.search(snapshot, q, DEPTH, scope) for q in task.queries]
        measured = measure_run(name, rankings, judged, [parse_measure(MEASURE)])
        yield name, measured.overall.mean(MEASURE)
        advance()


def report(results: Results, command: str) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        "## The engine: words, sentence vectors, and both",
        "",
        *circumstances(command),
        "",
        f"{MEASURE} by language pair, a search being restricted to the documents' language; in"
        " brackets the number of questions, spread evenly where there are more. Questions of"
        " collections with splits are those of the test split.",
        "",
        f"| collection | questions | documents | {' | '.join(SYSTEMS)} |",
        f"|---|---|---|{'---:|' * len(SYSTEMS)}",
        *(_row(row) for row in results.rows),
        "",
        _above(results.rows),
    ]
    if results.pools:
        lines += ["", *_pools(results.pools)]
    for flood, balanced in results.floods:
        lines += ["", *report_flood(flood, balanced)]
    if results.students:
        lines += ["", *report_students(results.students)]
    return "\n".join(lines)


def _row(row: Row) -> str:
    best = max(row.values.values())
    cells = [f"**{v:.3f}**" if v == best else f"{v:.3f}" for v in row.values.values()]
    task = row.task
    return (
        f"| {task.collection} | {task.asked} ({len(task.queries):,}) | {task.searched} |"
        f" {' | '.join(cells)} |"
    )


def _above(rows: Sequence[Row]) -> str:
    """In how many rows both parts together are better than each."""
    won = sum(row.values["hybrid"] > max(row.values["psq"], row.values["dense"]) for row in rows)
    return f"Hybrid is above both parts in {won} of {len(rows)} rows."


def _pools(pools: Sequence[tuple[Pool, Sequence[Pooled]]]) -> list[str]:
    (whole, rows), *others = pools
    count = sum(map(len, whole.queries.values()))
    lines = [
        f"Mean {POOL_MEASURE} on {len(whole.documents):,} sentences of XQuAD-R in"
        f" {len(whole.queries)} languages pooled, {count:,} questions spread evenly, by the"
        " language of the question. LanguageTau is 1 where languages take turns and"
        " falls below 0 where the right sentence of one is buried under others. LAReQA"
        " reports mAP on this pool for fine-tuned mBERT: En-En .29, X-X .23, X-X-mono .52,"
        " X-Y .66. The settings of the translation boost were chosen on every other article.",
        "",
        *report_pooled(whole, rows),
    ]
    for other, measured in others:
        count = sum(map(len, other.queries.values()))
        lines += [
            "",
            f"The same for {count:,} questions where each article is there in one language only, so"
            f" that none of the {len(other.documents):,} sentences has a translation.",
            "",
            *report_pooled(other, measured),
        ]
    return lines
