"""Every code block of the README and the docs pages is run, and prints what the page says.

``console`` blocks: lines after ``$ `` are commands, the others what they print, where ``...``
stands for anything. ``python`` blocks of a page run in order in one namespace. Both run in a
folder that holds ``sample/``. A block tagged ``needs-network`` runs only when DRAGOMAN_NETWORK=1.
"""

import importlib.util
import os
import pkgutil
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
import yaml

import dragoman.cli

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src/dragoman"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
UNTESTED = [ROOT / name for name in ("CONTRIBUTING.md", "benchmarks/README.md", "sample/README.md")]
COMMANDS = typer.main.get_command(dragoman.cli.app)
NOT_RUN = {"text", "json", "toml", "makefile", "bibtex"}
FAILS = re.compile(r"^(error|damage):", re.MULTILINE)  # what a page says of a command that fails
SET_UP = re.compile(r"pip install |make \w+")  # what runs this test


@dataclass(frozen=True)
class Block:
    kind: str
    tags: tuple[str, ...]
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    found = []
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), start=1))
    for number, line in lines:
        if match := re.match(r"```(\S*)\s*(.*)$", line):
            body = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                body.append(inner)
            found.append(Block(match[1], tuple(match[2].split()), "\n".join(body), number))
    return found


def commands(block: Block) -> list[tuple[str, str]]:
    """Each command with the output the page shows for it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        else:
            assert found, f"line {block.line}: output before the first command"
            found[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in found]


def matches(expected: str, printed: str) -> bool:
    """Whether the output is the page's, with ``...`` for anything and spaces not counted."""
    pattern = ".*".join(
        r"\s+".join(re.escape(word) for word in part.split()) for part in expected.split("...")
    )
    return re.fullmatch(rf"\s*{pattern}\s*", printed, re.DOTALL) is not None


def run(command: str, folder: Path) -> tuple[str, int]:
    """What a command prints, and its exit code."""
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    # the page shows what a person sees on the screen, errors included
    return done.stdout + done.stderr, done.returncode


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_does_what_the_page_says(page, tmp_path, monkeypatch):
    (tmp_path / "sample").symlink_to(ROOT / "sample")
    monkeypatch.chdir(tmp_path)
    if os.environ.get("DRAGOMAN_NETWORK") != "1":  # second stages are kept in the user's cache
        monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    namespace: dict[str, object] = {}
    for block in blocks(page):
        place = f"{page.name}, line {block.line}"
        if block.kind in NOT_RUN or is_not_run(block):
            continue
        if block.kind == "python":
            exec(compile(block.text, place, "exec"), namespace)  # noqa: S102 - our own pages
            continue
        assert block.kind == "console", f"{place}: a block of kind {block.kind!r}"
        for command, expected in commands(block):
            if SET_UP.match(command):
                continue
            printed, code = run(command, tmp_path)
            assert matches(expected, printed), f"{place}\n$ {command}\n{printed}"
            assert code == 0 or FAILS.search(expected), f"{place}\n$ {command}\n{printed}"


def is_not_run(block: Block) -> bool:
    """Blocks that need the network on purpose."""
    return "needs-network" in block.tags and os.environ.get("DRAGOMAN_NETWORK") != "1"


def test_the_output_of_a_page_is_compared_word_by_word():
    assert matches("a ... d", "a b c d")
    assert matches("two   words", "two\nwords\n")
    assert not matches("a ... d", "a b c")


def inline_code(page: Path) -> list[str]:
    """What stands between single backticks, outside of blocks."""
    outside = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    return re.findall(r"`([^`\n]+)`", outside)


@pytest.mark.parametrize("page", [*PAGES, *UNTESTED], ids=lambda page: page.name)
def test_every_command_that_a_page_names_exists(page):
    for code in inline_code(page):
        program, *words = code.split()
        if program == "dragoman" and words:
            assert command_of(words) is not None, f"`{code}`"


def command_of(words: list[str]) -> object | None:
    """The command that the words name; None where there is none."""
    command = COMMANDS
    for word in words:
        if not hasattr(command, "commands"):
            break
        command = command.commands.get(word)
        if command is None:
            return None if re.match(r"[a-z]", word) else COMMANDS
    return command


def site_pages():
    """The hook of mkdocs that makes the pages which are not in ``docs/``."""
    spec = importlib.util.spec_from_file_location("site_pages", ROOT / "tools/site_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def addresses(entries: list[object]) -> list[str]:
    """The pages below an entry of mkdocs's navigation."""
    found = []
    for entry in entries:
        below = next(iter(entry.values()))
        found += [below] if isinstance(below, str) else addresses(below)
    return found


def test_the_navigation_names_every_page_once():
    named = addresses(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(named) == sorted(written | site_pages().generated_pages())


@pytest.mark.parametrize("page", [*PAGES, *UNTESTED], ids=lambda page: page.name)
def test_every_link_within_the_repository_leads_to_a_file(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    for target in re.findall(r"\]\(([^()\s#]+)", text):
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("address", "link", "rewritten"),
    [
        ("index.md", "[s](docs/search.md#x)", "[s](search.md#x)"),
        ("index.md", "![p](docs/images/terminal.svg)", "![p](images/terminal.svg)"),
        ("index.md", "[NOTICE](NOTICE)", "NOTICE"),
        ("benchmarks.md", "[t](../docs/transport.md)", "[t](transport.md)"),
        ("systems/bags.md", "[s](../searcher/README.md)", "[s](searcher.md)"),
        ("smooth.md", "[b](../benchmarks/README.md)", "[b](benchmarks.md)"),
        ("tutorials/x.md", "[i](../install.md)", "[i](../install.md)"),
        ("smooth.md", "[u](https://example.org/a.md)", "[u](https://example.org/a.md)"),
        ("smooth.md", "[lost](nowhere.md)", "[lost](nowhere.md)"),
    ],
)
def test_links_of_the_site_lead_to_its_pages(address, link, rewritten):
    assert site_pages().rewrite_links(link, address) == rewritten


def test_the_page_of_commands_has_every_command():
    page = site_pages().command_page()
    assert "## dragoman index" in page
    assert "## dragoman learn lexicon" in page
    assert "| `-o`, `--output` |" in page


def test_every_name_of_the_python_reference_exists():
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    names = re.findall(r"^::: (\S+)$", page, re.MULTILINE)
    assert len(names) > 10
    for name in names:
        pkgutil.resolve_name(name)


def test_the_architecture_page_lists_every_folder():
    (tree, *_) = (b.text for b in blocks(ROOT / "docs/architecture.md") if b.kind == "text")
    folders = {path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    listed = {*re.findall(r"[\w-]+(?=/)", tree), *re.findall(r"[\w-]+", tree)}
    missing = sorted(str(folder) for folder in folders if {*folder.parts} - listed)
    assert not missing
