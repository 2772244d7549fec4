"""Ad-hoc retrieval and the second stage as a section of the results page."""

from collections.abc import Iterator, Sequence

from dragoman.experiments.claims import SIGNIFICANT, claims_markdown
from dragoman.experiments.lexical.experiment import Task
from dragoman.experiments.sections import circumstances
from dragoman.experiments.transport.claims import transport_claims
from dragoman.experiments.transport.search import MEASURE, WEIGHTS, Answered, Staged


def report(
    ad_hoc: Sequence[Sequence[Answered]],
    documents: Sequence[int],
    staged: Sequence[Staged],
    command: str,
) -> str:
    """The section; ``documents`` are searched by the tasks of ``ad_hoc``, in their order."""
    return "\n".join(
        [
            "## Transport as a search and as a second stage",
            "",
            *circumstances(command),
            "- words have the vectors that the sentence encoder gives them; time is processor time"
            " a question, all threads together",
            "",
            *_ad_hoc(ad_hoc, documents),
            *_staged(staged),
        ]
    )


def _ad_hoc(rows: Sequence[Sequence[Answered]], documents: Sequence[int]) -> Iterator[str]:
    if not rows:
        return
    yield "### Ad-hoc retrieval"
    yield ""
    yield (
        f"{MEASURE} with its 95 % bootstrap interval, and milliseconds a question. Short questions"
        " of the test split, spread evenly, against all documents in one language; English"
        " documents are counted for the idf of the questions' words."
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


def _staged(rows: Sequence[Staged]) -> Iterator[str]:
    if not rows:
        return
    yield "### Transport as a second stage over the best 100"
    yield ""
    yield (
        f"{MEASURE} of a first stage alone and with `--rerank wasserstein` (entropic, idf) at two"
        " weights; the probability of so large a difference by chance in brackets (paired random"
        " exchange, not corrected for the number of rows). Cost: time with both stages, and how"
        " many times that of the first alone; a question that was asked of another language before"
        " is not encoded again."
    )
    yield ""
    weights = " | ".join(f"weight {weight:g}" for weight in WEIGHTS)
    yield f"| questions and documents | first stage | alone | {weights} | cost |"
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


def _with(row: Staged, weight: float) -> str:
    both = row.both[weight]
    better = both.mean > row.alone.mean and row.chance(weight) < SIGNIFICANT
    return f"{_value(both, better)} ({row.chance(weight):.3f})"


def _name(task: Task) -> str:
    return f"{task.collection} {task.asked} asks {task.searched} ({len(task.queries):,})"


def _value(one: Answered, best: bool) -> str:
    return f"**{one.mean:.3f}**" if best else f"{one.mean:.3f}"
