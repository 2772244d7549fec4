"""The measured Tables 1 and 2, Figure 1 and the lambda sweep as a section of the results page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from dragoman.experiments.claims import claims_markdown
from dragoman.experiments.sections import provenance
from dragoman.experiments.wasserstein.claims import wasserstein_claims
from dragoman.experiments.wasserstein.experiment import PairReproduction
from dragoman.experiments.wasserstein.pair_plans import PairPlans
from dragoman.experiments.wasserstein.published import published
from dragoman.experiments.wasserstein.runs import REPAIRED, SHARED, SWEPT_QUERIES, RankRun
from dragoman.types import Explanation

LEAST_SHARE = 0.05  # of a query word's weight, in Figure 1
CHANGED = (  # rows of Table 2 that variants differ from in one choice
    (SHARED, "Entro_Wass idf"),
    (REPAIRED, "nBOW idf+"),
    (REPAIRED, "Entro_Wass idf+"),
)


def report(
    results: Sequence[PairReproduction],
    command: str,
    facts: Sequence[str],
    name: str = "",
    *,
    known_words: bool = True,
) -> str:
    """The section of ``docs/results.md``; ``name`` tells it from other sections of the paper.

    ``known_words`` is False where words were left without a vector on purpose.
    """
    suffix = f": {name}" if name else ""
    return "\n".join(
        [
            f"## Wasserstein retrieval (Balikas et al. 2018){suffix}",
            "",
            "A document in one language is the query for the document of the same item in the"
            " other, the only relevant one among the test documents; in en-fr the queries are"
            " English and the documents French. MRR with its 95 % bootstrap interval, P@1 after"
            " the slash; in brackets, for context, the paper's MRR (Wikipedia, Numberbatch"
            " vectors), which prints this direction as Fr→En: its arrow goes from the language of"
            " the documents to that of the queries.",
            "",
            *provenance(command),
            *(f"- {fact}" for fact in facts),
            "",
            *_statistics(results),
            *(line for one in results for line in _table(one)),
            *_claims([rows for one in results for rows in one.directions], known_words),
            *_figure([one.plans for one in results if one.plans is not None]),
            *_columns("### Variants (MRR)", "system", [_with_variants(one) for one in results]),
            *_columns(
                f"### The regularisation: Entro_Wass idf+ by lambda (MRR of {SWEPT_QUERIES}"
                " queries)",
                "lambda",
                [one.lambdas for one in results],
            ),
        ]
    ).rstrip()


def _statistics(results: Sequence[PairReproduction]) -> Iterator[str]:
    yield "### Table 1: the texts and the dictionaries of vectors"
    yield ""
    yield (
        "| pair | language | documents | words | vocabulary | vectors | words with a vector |"
        " with the OOV protocol |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for one in results:
        pair = "-".join(side.texts.language for side in one.coverage)
        for side in one.coverage:
            texts = side.texts
            yield (
                f"| {pair} | {texts.language} | {texts.documents:,} | {texts.words:,} |"
                f" {texts.vocabulary:,} | {side.vectors:,} | {side.covered:.1%} |"
                f" {side.repaired:.1%} |"
            )
    yield ""


def _table(one: PairReproduction) -> Iterator[str]:
    """Table 2 for one pair: a row per system, both directions."""
    names = [rows[0].direction for rows in one.directions]
    yield f"### Table 2: {names[0]}"
    yield ""
    yield f"| system | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    best = [max(run.reciprocal_rank for run in rows) for rows in one.directions]
    lines = zip(*one.directions, strict=True)
    for section, rows in groupby(lines, key=lambda row: row[0].system.section):
        yield f"| *{section}* |" + " |" * len(names)
        for row in rows:
            cells = [
                _cell(run, run.reciprocal_rank == top) for run, top in zip(row, best, strict=True)
            ]
            yield f"| {row[0].system.label} | {' | '.join(cells)} |"
    yield ""


def _cell(run: RankRun, best: bool) -> str:
    interval = run.interval
    paper = published(run)
    printed = "" if paper is None else f" ({paper:.3f})"
    return f"{_value(run, best)} {interval.low:.2f}-{interval.high:.2f} / {run.first:.3f}{printed}"


def _claims(directions: Sequence[Sequence[RankRun]], known_words: bool) -> Iterator[str]:
    yield "### Claims"
    yield ""
    left_out = " Rows with vectors are not compared with baselines, which read all words."
    yield (
        "The primary measure of every claim is MRR. The difference in the paper is that of the same"
        f" rows and directions in its Table 2.{'' if known_words else left_out}"
    )
    yield ""
    claims = wasserstein_claims(directions, known_words=known_words)
    yield from claims_markdown(claims, grouped_by="direction")
    yield ""


def _figure(pairs: Sequence[PairPlans]) -> Iterator[str]:
    """Figure 1: a line per query word, a column per regularisation."""
    if not pairs:
        return
    yield "### Figure 1: where the words of a query move"
    yield ""
    yield (
        "Entro_Wass idf on the shortest pair of documents with six known words on both sides: the"
        f" share of each query word's weight that moves to a document word, from {LEAST_SHARE:.2f}."
    )
    yield ""
    for one in pairs:
        yield f"{one.query.query_id} → {one.document_id}"
        yield ""
        yield f"| query word | {' | '.join(one.plans)} |"
        yield "|---|" + "---|" * len(one.plans)
        words = {link.query_word for plan in one.plans.values() for link in plan.links}
        for word in sorted(words):
            cells = [_moved(word, plan) for plan in one.plans.values()]
            yield f"| {word} | {' | '.join(cells)} |"
        yield ""


def _moved(word: str, plan: Explanation) -> str:
    """The document words that a query word moves to, the largest share first."""
    links = [one for one in plan.links if one.query_word == word and one.weight >= LEAST_SHARE]
    links.sort(key=lambda link: (-link.weight, link.document_word))
    return ", ".join(f"{link.document_word} {link.weight:.2f}" for link in links)


def _with_variants(one: PairReproduction) -> list[list[RankRun]]:
    """The rows of Table 2 that variants change, and the variants, by direction."""
    return [
        [run for run in rows if _is_changed(run)] + list(others)
        for rows, others in zip(one.directions, one.variants, strict=True)
    ]


def _is_changed(run: RankRun) -> bool:
    return (run.system.section, run.system.label) in CHANGED


def _columns(title: str, first: str, pairs: Sequence[Sequence[Sequence[RankRun]]]) -> Iterator[str]:
    """A table with a column per direction."""
    columns = [rows for directions in pairs for rows in directions]
    if not columns:
        return
    names = [rows[0].direction for rows in columns]
    yield title
    yield ""
    yield f"| {first} | " + " | ".join(names) + " |"
    yield "|---|" + "---:|" * len(names)
    best = [max(run.reciprocal_rank for run in rows) for rows in columns]
    for row in zip(*columns, strict=True):
        values = [
            _value(run, run.reciprocal_rank == top) for run, top in zip(row, best, strict=True)
        ]
        yield f"| {row[0].system.label} | {' | '.join(values)} |"
    yield ""


def _value(run: RankRun, best: bool) -> str:
    return f"**{run.reciprocal_rank:.3f}**" if best else f"{run.reciprocal_rank:.3f}"
