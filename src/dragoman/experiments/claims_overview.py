"""The claims in the sections of a page of results -> a table for each paper.

The tables that ``claims.claims_markdown`` wrote are read from the page itself, so sections may come
from several machines. Their p-values are Holm's over one table; over the tables of a paper they are
corrected by Bonferroni: multiplied by the number of its tables, those of comparisons that the paper
does not make apart.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.claims import COLUMN_NAMES, EXTENSIONS, Claim, paper_cell, result_cells
from dragoman.metrics.significance import Interval

BEGIN = re.compile(r"<!-- (.+): begin -->")
INTRODUCTION = (
    "Every claim that was tested, over all languages or directions of its section; the sections"
    " have them one by one. A claim holds if the difference is above 0 with p < .05; below 0 with p"
    " < .05 the opposite holds; otherwise it is not shown or, where the paper's difference lies in"
    " the interval, not settled here. Here p is corrected over all sections of a paper: it is the"
    " section's, which is Holm's over one table, times the number of tables (Bonferroni). Tables of"
    " older versions, which have other columns, are left out."
)
HEADER = "| claim | section | measure | verdict | difference | 95 % interval | p | paper |"


class Paper(StrEnum):
    """The papers whose claims are tested; the value begins the names of their sections."""

    WASSERSTEIN = "wasserstein"
    SMOOTH = "smooth"
    SEARCHER = "searcher"
    SEMI_INTERACTIVE = "semi-interactive"


TITLES = {
    Paper.WASSERSTEIN: "Wasserstein retrieval (Balikas et al. 2018)",
    Paper.SMOOTH: "Smooth learning (Liu et al. 2020)",
    Paper.SEARCHER: "SEARCHER (Barry et al. 2020)",
    Paper.SEMI_INTERACTIVE: "Semi-interactive models (Xu et al. 2021)",
}


@dataclass(frozen=True, slots=True)
class ClaimsTable:
    """One table of claims on the page."""

    paper: Paper
    heading: str  # of its section
    extension: bool
    claims: tuple[Claim, ...]


def overview(page: Path) -> str:
    """The tables, as Markdown; a claim that two sections have stands twice."""
    expected = "sections that `dragoman reproduce` wrote"
    if not page.is_file():
        raise InputError(page, None, found="no such file", expected=f"a page with {expected}")
    tables = list(read_tables(page))
    if not tables:
        raise InputError(page, None, found="no tables of claims", expected=expected)
    lines = [INTRODUCTION]
    for paper in Paper:
        some = [table for table in tables if table.paper is paper]
        if some:
            lines += ["", f"### {TITLES[paper]}: claims", *_markdown(some)]
    return "\n".join(lines)


def _markdown(tables: Sequence[ClaimsTable]) -> Iterator[str]:
    for extension in (False, True):
        some = [table for table in tables if table.extension is extension]
        if not some:
            continue
        yield from ["", EXTENSIONS] if extension else []
        yield from ["", HEADER, "|---|---|---|---|---:|---|---:|---:|"]
        for table in some:
            for claim in table.claims:
                corrected = replace(claim, p_value=min(1.0, len(some) * claim.p_value))
                cells = [_link(table), *result_cells(corrected), paper_cell(corrected)]
                yield f"| {' | '.join([claim.text, *cells])} |"


def _link(table: ClaimsTable) -> str:
    """The part of the heading that tells sections of a paper apart, with a link to the section."""
    label = table.heading.partition(": ")[2] or table.paper
    return f"[{label}](#{_anchor(table.heading)})"


def _anchor(heading: str) -> str:
    """The anchor that the site gives to a heading."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def read_tables(page: Path) -> Iterator[ClaimsTable]:
    """The tables of claims in the sections of the papers, in their order.

    Tables with other columns, of older versions, are not read.
    """
    paper: Paper | None = None
    heading, extension = "", False
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if section := BEGIN.fullmatch(line):
            paper = next((one for one in Paper if section[1].startswith(one)), None)
            heading = ""
        elif line.startswith("## "):
            heading = heading or line.removeprefix("## ")
        elif _cells(line)[: len(COLUMN_NAMES)] == list(COLUMN_NAMES) and paper is not None:
            has_paper = "paper" in _cells(line)
            next(lines)  # the alignment of the columns
            claims = _read_claims(lines, has_paper=has_paper, extension=extension)
            yield ClaimsTable(paper, heading, extension, tuple(claims))
        if line:
            extension = line == EXTENSIONS


def _read_claims(lines: Iterator[str], *, has_paper: bool, extension: bool) -> Iterator[Claim]:
    """The claims of the rows up to the end of the table."""
    for line in lines:
        if not line.startswith("|"):
            return
        text, measure, _, difference, interval, p, *more = _cells(line)
        low, _, high = interval.partition(" to ")
        yield Claim(
            *(text, measure, "", float(difference), Interval(float(low), float(high)), float(p)),
            paper=float(more[0]) if has_paper and more[0] else None,
            digits=len(difference.partition(".")[2]),
            extension=extension,
        )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
