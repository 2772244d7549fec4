"""Ad-hoc retrieval and re-ranking as a section of the results page."""

from collections.abc import Iterator, Sequence

from dragoman.experiments.claims import SIGNIFICANT, claims_markdown
from dragoman.experiments.sections import provenance
from dragoman.experiments.tasks import MEASURE, RetrievalTask
from dragoman.experiments.transport.claims import transport_claims
from dragoman.experiments.transport.experiment import TransportReproduction
from dragoman.experiments.transport.runs import WEIGHTS, RerankingRuns, TimedRun


def report(results: TransportReproduction, command: str) -> str:
    """The section of ``docs/results.md``."""
    return "\n".join(
        [
            "## Transport as a search and as a second stage",
            "",
            *provenance(command),
            "- words have the vectors that the sentence encoder gives them; time is processor time"
            " per query, all threads together",
            "",
            *_ad_hoc(results.ad_hoc, results.documents),
            *_reranking(results.reranking),
        ]
    )


def _ad_hoc(rows: Sequence[Sequence[TimedRun]], documents: Sequence[int]) -> Iterator[str]:
    if not rows:
        return
    yield "### Ad-hoc retrieval"
    yield ""
    yield (
        f"{MEASURE} with its 95 % bootstrap interval, and milliseconds per query. Short queries"
        " of the test split, evenly spaced, on all documents in one language; English"
        " documents are counted for the idf of the queries' words."
    )
    yield ""
    tasks = [
        f"{_name(row[0].task)}, {count:,} documents"
        for row, count in zip(rows, documents, strict=True)
    ]
    yield f"| system | {' | '.join(tasks)} |"
    yield "|---|" + "---|" * len(tasks)
    best = [max(one.mean for one in row) for row in rows]
    for line in zip(*rows, strict=True):
        cells = [
            f"{_value(one, one.mean == top)} {one.interval.low:.2f}-{one.interval.high:.2f},"
            f" {one.seconds * 1000:.1f} ms"
            for one, top in zip(line, best, strict=True)
        ]
        yield f"| {line[0].label} | {' | '.join(cells)} |"
    yield ""


def _reranking(rows: Sequence[RerankingRuns]) -> Iterator[str]:
    if not rows:
        return
    yield "### Transport as a second stage over the best 100"
    yield ""
    yield (
        f"{MEASURE} of a first stage alone and with `--rerank wasserstein` (entropic, idf) at two"
        " weights; in brackets the p-value of the difference (paired randomisation test, not"
        " corrected for the number of rows). Cost: time with both stages, and its ratio to that"
        " of the first alone; a query that was searched in another language before is not encoded"
        " again."
    )
    yield ""
    weights = " | ".join(f"weight {weight:g}" for weight in WEIGHTS)
    yield f"| queries and documents | first stage | alone | {weights} | cost |"
    yield "|---|---|---:|" + "---:|" * len(WEIGHTS) + "---:|"
    for row in rows:
        cells = " | ".join(_with(row, weight) for weight in WEIGHTS)
        first, both = row.alone.seconds, row.both[WEIGHTS[-1]].seconds
        cost = f"{both * 1000:.1f} ms, {both / first:.1f}x"
        yield (
            f"| {_name(row.alone.task)} | {row.alone.label} | {row.alone.mean:.3f} | {cells} |"
            f" {cost} |"
        )
    yield ""
    yield from claims_markdown(transport_claims(rows), grouped_by="first stage")


def _with(row: RerankingRuns, weight: float) -> str:
    both = row.both[weight]
    better = both.mean > row.alone.mean and row.p_value(weight) < SIGNIFICANT
    return f"{_value(both, better)} ({row.p_value(weight):.3f})"


def _name(task: RetrievalTask) -> str:
    return (
        f"{task.collection} {task.query_language}-{task.document_language} ({len(task.queries):,})"
    )


def _value(one: TimedRun, best: bool) -> str:
    return f"**{one.mean:.3f}**" if best else f"{one.mean:.3f}"
