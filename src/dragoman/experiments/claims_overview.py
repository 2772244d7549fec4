"""The claims of several reports -> a table for each paper.

p-values are corrected again, by Holm over all claims of a paper in all reports, and apart from them
over the comparisons that the paper does not make; verdicts follow the corrected ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.claims import (
    CAPTION,
    Article,
    Claim,
    corrected,
    paper_cell,
    read_claims,
    result_cells,
)

FILE = "claims.csv"
EXPECTED = "reports of `dragoman reproduce`, or their claims.csv"
INTRODUCTION = (
    "Every claim that was tested, over all languages or directions of its report; the sections of"
    " the reports have them one by one. Here Holm's correction is over all reports of a paper: over"
    " its claims, and apart from them over comparisons that the paper does not make."
)
HEADER = "| claim | on | measure | verdict | difference | 95 % interval | p | paper |"

_Row = tuple[str, Claim]  # what the claim was measured on


def claims_files(reports: Iterable[Path]) -> list[Path]:
    """The files of claims in folders of reports; a file stands for itself."""
    files = [report / FILE if report.is_dir() else report for report in reports]
    for path in files:
        if not path.is_file():
            raise InputError(path.parent, None, found=f"no {path.name}", expected=EXPECTED)
    return files


def overview(files: Iterable[Path]) -> str:
    """The tables, as Markdown; a claim that two reports have stands twice, with its setting."""
    rows = [row for path in files for row in read_claims(path) if not row[2].group]
    lines = [INTRODUCTION, "", CAPTION]
    for article in Article:
        some = [(setting, claim) for of, setting, claim in rows if of is article]
        if some:
            lines += ["", f"### {article}", *_tables(some)]
    return "\n".join(lines)


def _tables(rows: Sequence[_Row]) -> Iterator[str]:
    for extension in (False, True):
        some = [(setting, claim) for setting, claim in rows if claim.extension is extension]
        if not some:
            continue
        yield from ["", "Comparisons that the paper does not make:"] if extension else []
        yield from ["", HEADER, "|---|---|---|---|---:|---|---:|---:|"]
        yield from map(_line, _corrected(some))


def _corrected(rows: Sequence[_Row]) -> list[_Row]:
    claims = corrected([claim for _, claim in rows])
    return [(setting, claim) for (setting, _), claim in zip(rows, claims, strict=True)]


def _line(row: _Row) -> str:
    setting, claim = row
    return f"| {' | '.join([claim.text, setting, *result_cells(claim), paper_cell(claim)])} |"
