"""The page of the papers names functions that exist and sections that the results have."""

import pkgutil
import re
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/papers.md"
PACKAGE = ROOT / "src/dragoman"
PAPERS = ("Wasserstein retrieval", "Smooth learning", "SEARCHER", "Semi-interactive models")
PLACES = re.compile(r"`([\w/]+\.py)`: ((?:`[\w.]+`(?:, )?)+)")

# what the papers number; a row may name several, as in "Tables 2 and 3"
NUMBERED = {
    "Wasserstein retrieval": [
        *("equation 1", "equation 2", "Algorithm 1", "Table 1", "Table 2", "Figure 1")
    ],
    "Smooth learning": ["equation 1", "equation 2", "Proposition 1", "Lemma 2", "Theorem 3"]
    + ["Lemma A.1", "Lemma A.2", "Theorem A.3", "Theorem A.4", "Table 1", "Table 2", "Table 3"]
    + [f"Figure {number}" for number in range(1, 6)],
    "SEARCHER": ["Table 1", "Table 2", *(f"Figure {number}" for number in range(1, 7))],
    "Semi-interactive models": [f"equation {number}" for number in range(1, 9)]
    + [f"Table {number}" for number in range(1, 7)]
    + [f"Figure {number}" for number in range(1, 5)],
}


def sections(page: Path) -> dict[str, str]:
    """The text below each heading of the second level."""
    _, *parts = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def table_rows(paper: str) -> list[list[str]]:
    """The cells of a paper's table, without its head."""
    lines = [line for line in sections(PAGE)[paper].splitlines() if line.startswith("| ")]
    return [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in lines[2:]]


def anchors(page: Path) -> set[str]:
    """The anchors that the site gives to headings (as the ``toc`` extension of Markdown)."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    plain = [
        unicodedata.normalize("NFKD", one).encode("ascii", "ignore").decode() for one in headings
    ]
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", one).strip().lower()) for one in plain}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_names_parts_of_the_package(paper):
    rows = table_rows(paper)
    assert len(rows) >= 15
    for row in rows:
        assert len(row) == 3, row
        places = PLACES.findall(row[1])
        assert places, f"no function in {row}"
        for path, names in places:
            assert (PACKAGE / path).is_file(), path
            module = "dragoman." + path.removesuffix(".py").replace("/", ".")
            for name in re.findall(r"`([\w.]+)`", names):
                pkgutil.resolve_name(f"{module}:{name}")


@pytest.mark.parametrize("paper", PAPERS)
def test_everything_that_a_paper_numbers_has_a_row(paper):
    named = " | ".join(row[0] for row in table_rows(paper))
    # "Tables 2 and 3" -> "Table 2 and Table 3"
    spread = re.sub(r"\b(Table|Figure)s (\d) and (\d)", r"\1 \2 and \1 \3", named)
    missing = [one for one in NUMBERED[paper] if not re.search(rf"{re.escape(one)}\b", spread)]
    assert not missing


def test_every_result_is_a_section_of_the_results():
    known = anchors(ROOT / "docs/results.md")
    linked = re.findall(r"\]\(results\.md#([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    assert len(linked) > 30
    assert sorted({one for one in linked if one not in known}) == []


def test_what_cannot_be_settled_is_listed():
    text = sections(PAGE)["What cannot be settled here"]
    for subject in ("MATERIAL", "512", "BERT", "Numberbatch", "click logs", "GPU", "Tagalog"):
        assert subject in text
