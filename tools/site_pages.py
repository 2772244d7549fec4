"""The repository -> the pages of the site that are not in ``docs/``; a hook of mkdocs.

The README is the first page; the changelog, the benchmarks and the systems' READMEs become pages;
the commands are described from the command line itself. Links are rewritten to where their target
is on the site, and lose their target where it is not on it.
"""

import os
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
DOCS = "docs"
COMMANDS = "reference/commands.md"
COPIED = {
    "index.md": "README.md",
    "benchmarks.md": "benchmarks/README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "sample.md": "sample/README.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


@cache
def copied_pages() -> dict[str, str]:
    """The address of each page on the site -> the file of the repository that it is made of."""
    systems = sorted(ROOT.glob("src/dragoman/systems/*/README.md"))
    rooms = {
        f"systems/{path.parent.name}.md": path.relative_to(ROOT).as_posix() for path in systems
    }
    return COPIED | rooms


def generated_pages() -> set[str]:
    """The addresses of all pages that are not in ``docs/``."""
    return {*copied_pages(), COMMANDS}


def on_files(files: "Files", config: Any) -> "Files":  # noqa: ANN401 - mkdocs's own type
    """Add the generated pages."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - tests read the lists without mkdocs

    for address, path in copied_pages().items():
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, address, content=text))
    files.append(File.generated(config, COMMANDS, content=command_page()))
    return files


def on_page_markdown(markdown: str, page: "Page", **_: object) -> str:
    """The page with links that resolve on the site, and blocks without the tests' tags."""
    address = page.file.src_uri
    lines, is_code = [], False
    for line in markdown.splitlines():
        if line.startswith("```"):
            is_code = not is_code
            lines.append(" ".join(line.split()[:1]))
        else:
            lines.append(line if is_code else rewrite_links(line, address))
    return "\n".join(lines)


def rewrite_links(line: str, address: str) -> str:
    """A line of the page at ``address`` with the links that it has on the site."""
    source = copied_pages().get(address, f"{DOCS}/{address}")
    return LINK.sub(lambda match: rewritten(match, source, address), line)


def rewritten(match: re.Match[str], source: str, address: str) -> str:
    """One link; its text alone where the target is a file that the site does not have."""
    mark, text, target = match.groups()
    path, _, anchor = target.partition("#")
    if not path or "://" in path:
        return match[0]
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    on_site = {file: page for page, file in copied_pages().items()}.get(wanted)
    if on_site is None and wanted.startswith(f"{DOCS}/"):
        on_site = wanted.removeprefix(f"{DOCS}/")
    if on_site is None:
        return text if (ROOT / wanted).exists() else match[0]  # what does not exist is reported
    link = os.path.relpath(on_site, posixpath.dirname(address) or ".")
    return f"{mark}[{text}]({link}{'#' + anchor if anchor else ''})"


def command_page() -> str:
    """The commands with their arguments and options, as the command line describes them."""
    from dragoman.cli import app  # noqa: PLC0415 - only where the page is made

    lines = [
        "# Commands",
        "",
        "Look up a command, its arguments and its options; `dragoman COMMAND --help` prints them"
        " too. Exit codes: 0 done, 2 the input was wrong (the message says what was found, what was"
        " expected and what to do), 1 anything else.",
    ]
    for name, command in described(typer.main.get_command(app), "dragoman"):
        lines += ["", f"## {name}", "", plain(command.help or ""), ""]
        if rows := [row for parameter in command.params if (row := described_parameter(parameter))]:
            lines += ["| | | default |", "| --- | --- | --- |", *rows]
    return "\n".join(lines) + "\n"


def described(command: Any, name: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - click's type
    """Every command below a group, in order, with its whole name."""
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word, below in command.commands.items():
        yield from described(below, f"{name} {word}")


def described_parameter(parameter: Any) -> str | None:  # noqa: ANN401 - click's type
    """A row of the table; None for what every command has."""
    if parameter.name == "help" or getattr(parameter, "hidden", False):
        return None
    if parameter.param_type_name == "argument":
        names = f"`{(parameter.metavar or parameter.name).upper()}`"
    else:
        names = ", ".join(f"`{each}`" for each in (*parameter.opts, *parameter.secondary_opts))
    choices = getattr(parameter.type, "choices", None)
    text = plain(parameter.help or "")
    if choices:
        text += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    return f"| {names} | {text.replace('|', '&#124;')} | {shown_default(parameter)} |"


def shown_default(parameter: Any) -> str:  # noqa: ANN401 - click's type
    """The default as a person would type it; empty where there is none to show."""
    value = getattr(parameter.default, "value", parameter.default)
    if parameter.required:
        return "required"
    if value is None or value is False or value in ((), [], "") or callable(value):
        return ""
    return f"`{value}`"


def plain(text: str) -> str:
    """Help without rich's markup, each paragraph on one line; examples as blocks."""
    paragraphs = [" ".join(Text.from_markup(each).plain.split()) for each in text.split("\n\n")]
    return "\n\n".join(
        f"```console\n$ {each}\n```" if each.startswith("dragoman ") else each.replace("<", "&lt;")
        for each in paragraphs
    )
