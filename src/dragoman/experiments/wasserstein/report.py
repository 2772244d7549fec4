"""The measured Tables 1 and 2 and the lambda sweep as a section of the results page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from dragoman.experiments.claims import claims_markdown
from dragoman.experiments.sections import provenance
from dragoman.experiments.wasserstein.claims import wasserstein_claims
from dragoman.experiments.wasserstein.experiment import PairReproduction
from dragoman.experiments.wasserstein.runs import (
    REPAIRED,
    SHARED,
    SWEPT_QUERIES,
    TRANSLATED,
    RankRun,
)

# Balikas et al. 2018, Table 2 (MRR on Wikipedia excerpts), row by row as in `table_systems`.
# The paper's first column, En -> Fr, retrieves English documents for French queries (section 4).
# Directions here name the language of the queries first, so that column is fr-en.
PUBLISHED_DIRECTIONS = ("fr-en", "en-fr", "de-en", "en-de", "el-en", "en-el", "fi-en", "en-fi")
PUBLISHED = (
    (0.559, 0.468, 0.560, 0.536, 0.559, 0.508, 0.622, 0.436),
    (0.421, 0.278, 0.287, 0.433, 0.441, 0.054, 0.068, 0.025),
    (0.575, 0.433, 0.478, 0.516, 0.535, 0.126, 0.081, 0.028),
    (0.404, 0.276, 0.378, 0.440, 0.531, 0.132, 0.329, 0.042),
    (0.550, 0.488, 0.449, 0.509, 0.577, 0.256, 0.398, 0.081),
    (0.704, 0.691, 0.620, 0.655, 0.656, 0.269, 0.424, 0.092),
    (0.748, 0.766, 0.678, 0.706, 0.687, 0.463, 0.412, 0.163),
    (0.692, 0.706, 0.615, 0.666, 0.640, 0.262, 0.422, 0.089),
    (0.745, 0.794, 0.675, 0.720, 0.683, 0.467, 0.425, 0.171),
    (0.530, 0.490, 0.493, 0.464, 0.237, 0.121, 0.449, 0.217),
    (0.574, 0.546, 0.521, 0.502, 0.341, 0.179, 0.470, 0.267),
    (0.744, 0.748, 0.660, 0.681, 0.404, 0.407, 0.582, 0.434),
    (0.778, 0.784, 0.703, 0.718, 0.507, 0.465, 0.620, 0.479),
    (0.753, 0.786, 0.677, 0.710, 0.424, 0.494, 0.582, 0.607),
    (0.799, 0.820, 0.717, 0.756, 0.523, 0.549, 0.620, 0.643),
    (0.518, 0.541, 0.426, 0.468, 0.193, 0.148, 0.635, 0.451),
    (0.653, 0.659, 0.597, 0.592, 0.407, 0.349, 0.693, 0.544),
    (0.815, 0.836, 0.788, 0.801, 0.675, 0.435, 0.845, 0.731),
    (0.867, 0.869, 0.812, 0.837, 0.721, 0.599, 0.856, 0.786),
    (0.830, 0.856, 0.796, 0.812, 0.718, 0.555, 0.851, 0.816),
    (0.875, 0.887, 0.828, 0.855, 0.741, 0.695, 0.864, 0.850),
)


def report(results: Sequence[PairReproduction], command: str, facts: Sequence[str]) -> str:
    """The section of ``docs/results.md``."""
    return "\n".join(
        [
            "## Wasserstein retrieval (Balikas et al. 2018)",
            "",
            "A whole document in one language is the query for the document of the same item in the"
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
            *_claims("### Claims", [rows for one in results for rows in one.directions]),
            *_columns(
                "### Table 2 on the first words of each document (MRR)",
                "system",
                [one.excerpts for one in results],
            ),
            *_claims(
                "### Claims on the first words of each document",
                [rows for one in results for rows in one.excerpts],
            ),
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
    numbered = list(enumerate(zip(*one.directions, strict=True)))
    for section, lines in groupby(numbered, key=lambda pair: pair[1][0].system.section):
        yield f"| *{section}* |" + " |" * len(names)
        for number, row in lines:
            cells = [
                _cell(run, number, run.reciprocal_rank == top)
                for run, top in zip(row, best, strict=True)
            ]
            yield f"| {row[0].system.label} | {' | '.join(cells)} |"
    yield ""


def _cell(run: RankRun, number: int, best: bool) -> str:
    interval = run.interval
    printed = ""
    if run.direction in PUBLISHED_DIRECTIONS:
        paper = PUBLISHED[number][PUBLISHED_DIRECTIONS.index(run.direction)]
        printed = f" ({paper:.3f})"
    return f"{_value(run, best)} {interval.low:.2f}-{interval.high:.2f} / {run.first:.3f}{printed}"


def _claims(title: str, directions: Sequence[Sequence[RankRun]]) -> Iterator[str]:
    if directions:
        yield title
        yield ""
        yield from claims_markdown(wasserstein_claims(directions), grouped_by="direction")
        yield ""


def _with_variants(one: PairReproduction) -> list[list[RankRun]]:
    """The rows of Table 2 that variants change, and the variants, by direction."""
    return [
        [run for run in rows if _is_changed(run)] + list(others)
        for rows, others in zip(one.directions, one.variants, strict=True)
    ]


def _is_changed(run: RankRun) -> bool:
    system = run.system
    return system.section == REPAIRED and system.label in ("nBOW idf+", "Entro_Wass idf+")


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
    sections = {run.system.section for run in columns[0]}
    best = [max(run.reciprocal_rank for run in rows) for rows in columns]
    for section, rows in groupby(zip(*columns, strict=True), key=_section):
        if sections >= {TRANSLATED, SHARED}:
            yield f"| *{section}* |" + " |" * len(names)
        for row in rows:
            values = [
                _value(run, run.reciprocal_rank == top) for run, top in zip(row, best, strict=True)
            ]
            yield f"| {row[0].system.label} | {' | '.join(values)} |"
    yield ""


def _section(row: Sequence[RankRun]) -> str:
    return row[0].system.section


def _value(run: RankRun, best: bool) -> str:
    return f"**{run.reciprocal_rank:.3f}**" if best else f"{run.reciprocal_rank:.3f}"
