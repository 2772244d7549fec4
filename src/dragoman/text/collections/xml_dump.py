"""Wikipedia's dump files, recognized by name, and the articles of a pages dump, streamed.

In: ``enwiki-20240101-pages-articles.xml.bz2`` and its like. Out: one ``Article`` after the other,
in constant memory.
"""

import bz2
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from dragoman.errors import ConfigError, InputError
from dragoman.text.files import open_bytes
from dragoman.text.languages import canonical

NAME = re.compile(
    r"(?P<wiki>[a-z_]+)wiki-(?:(?:\d{8}|latest)-)?"
    r"(?P<table>pages-articles|langlinks|pagelinks|linktarget)"
    r"(?:-multistream)?\d*\.(?:xml|sql)(?:-p\d+p\d+)?(?:\.bz2|\.gz|\.zst)?"
)
FILE_NAMESPACES = ("6", "14")  # files and categories: their links show no text


@dataclass(frozen=True, slots=True)
class Article:
    """One article of a dump, in wikitext."""

    page_id: int
    title: str
    markup: str
    media: tuple[str, ...]  # this wiki's names of the file and category namespaces


@dataclass(slots=True)
class WikiFiles:
    """The dump files of one language."""

    pages: list[Path] = field(default_factory=list)
    langlinks: list[Path] = field(default_factory=list)
    pagelinks: list[Path] = field(default_factory=list)
    linktarget: list[Path] = field(default_factory=list)


def sort_files(paths: Iterable[Path]) -> dict[str, WikiFiles]:
    """Language -> its dump files; a folder means the dump files in it."""
    files: dict[str, WikiFiles] = {}
    for path in _files(paths):
        match = NAME.fullmatch(path.name)
        if match is None:
            raise ConfigError(
                f"Found the file name {path.name!r}; expected the name of a dump file, such as"
                " enwiki-20240101-pages-articles.xml.bz2 or frwiki-20240101-pagelinks.sql.gz."
            )
        code = canonical(match["wiki"].replace("_", "-"))
        table = match["table"].removesuffix("-articles")
        getattr(files.setdefault(code, WikiFiles()), table).append(path)
    return files


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(inner for inner in path.iterdir() if NAME.fullmatch(inner.name))
        else:
            yield path


@contextmanager
def _open_dump(path: Path) -> Iterator[IO[bytes]]:
    if path.suffix == ".bz2" and path.is_file():
        with bz2.open(path) as stream:
            yield stream
    else:
        with open_bytes(path) as stream:
            yield stream


def articles(path: Path) -> Iterator[Article]:
    """Every article of the main namespace that is not a redirect, in the dump's order."""
    try:
        with _open_dump(path) as stream:
            yield from _articles(stream)
    except (ParseError, DefusedXmlException, EOFError, OSError) as error:
        raise InputError(
            path,
            None,
            found=f"a dump that cannot be read ({error})",
            expected="a whole pages-articles dump",
            advice="Compare its checksum with the published one, or fetch it again.",
        ) from error


def _articles(stream: IO[bytes]) -> Iterator[Article]:
    media: list[str] = ["File", "Image", "Category"]
    root: Element | None = None
    for event, element in iterparse(stream, events=("start", "end"), forbid_dtd=True):
        if root is None:
            root = element
        name = element.tag.rpartition("}")[2]
        if event == "start":
            continue
        if name == "namespace" and element.get("key") in FILE_NAMESPACES and element.text:
            media.append(element.text)
        elif name == "page":
            article = _article(element, tuple(media))
            root.clear()  # frees the pages read so far
            if article is not None:
                yield article


def _article(page: Element, media: tuple[str, ...]) -> Article | None:
    fields: dict[str, str] = {}
    for element in page:
        name = element.tag.rpartition("}")[2]
        if name == "redirect":
            return None
        if name == "revision":
            for part in element:
                if part.tag.endswith("}text") or part.tag == "text":
                    fields["text"] = part.text or ""
        else:
            fields.setdefault(name, element.text or "")
    if fields.get("ns") != "0" or not fields.get("id", "").isdigit():
        return None
    return Article(int(fields["id"]), fields["title"], fields.get("text", ""), media)
