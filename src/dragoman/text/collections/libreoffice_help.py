"""LibreOffice's help pages, aligned by file name and paragraph, with the links between them.

In: the packages ``libreoffice-help-xx``, which are read but not installed. Out: one item for each
English page that is translated; related are pages that link to each other.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dragoman.errors import InputError, UnknownName
from dragoman.protocols import Advance, Stage
from dragoman.storage.digests import file_sha256
from dragoman.text.collections import apt
from dragoman.text.collections.catalogue import PIVOT, BuildRequest, NamedCollection
from dragoman.text.collections.deb_archive import read_files, version
from dragoman.text.collections.help_pages import HelpPage, parse_page
from dragoman.text.collections.items import Item, Page, make_item
from dragoman.text.collections.output import plan_collection, write_pages
from dragoman.text.collections.sentences import fold_text

PREFIX = "libreoffice-help-"
# endings of the packages where they differ from the language's code
PACKAGE_CODES = {"en": "en-us", "zh": "zh-cn"}
PAGE = re.compile(r"usr/(?:share|lib)/libreoffice/help/[^/]+/text/(.+)\.html")
TRANSLATED_SHARE = 2 / 3  # of a page's English characters
FEWEST_CHARACTERS = 150  # in English; shorter pages are stubs

HelpPages = Mapping[str, HelpPage]  # by path below the language's folder


def build(request: BuildRequest, folder: Path, stage: Stage) -> Mapping[str, Any]:
    """Fill ``folder`` and return facts for its manifest."""
    codes = {code: package_code(code, tag) for code, tag in request.languages.items()}
    sources: list[dict[str, str]] = []
    read: dict[str, HelpPages] = {}
    with _packages(request, codes, stage) as packages:
        for code, path in packages.items():
            read[code] = read_pages(path, stage(f"pages in {code}", None))
            sources.append(_source(path))
    pages = align(read, (PIVOT, *request.others))
    items = list(related_items(pages, read[PIVOT]))
    counts = write_pages(folder, plan_collection(items, request), pages, request, stage)
    return {**counts, "sources": sources}


def package_code(code: str, tag: str) -> str:
    """The ending of a language's package: ``pt-br`` for ``pt-BR``."""
    tag = tag.replace("_", "-").casefold()
    return tag if "-" in tag else PACKAGE_CODES.get(code, code)


@contextmanager
def _packages(
    request: BuildRequest, codes: Mapping[str, str], stage: Stage
) -> Iterator[dict[str, Path]]:
    """Language -> package file, from the folder in ``request`` or downloaded."""
    if request.debs is not None:
        yield {code: find_package(request.debs, ending) for code, ending in codes.items()}
        return
    with apt.private_state(request.state) as state:
        advance = stage("downloading packages", None)
        apt.update(state)
        advance()
        names = set(apt.known_packages(state, PREFIX)) - {f"{PREFIX}common"}
        known = [name.removeprefix(PREFIX) for name in names]
        for ending in codes.values():
            if ending not in known:
                raise UnknownName(ending, known, f"language of {PREFIX}*")
            for old in state.archives.glob(f"{PREFIX}{ending}_*.deb"):
                old.unlink()  # of an earlier version
        apt.download(state, [f"{PREFIX}{ending}" for ending in codes.values()])
        advance()
        yield {code: find_package(state.archives, ending) for code, ending in codes.items()}


def find_package(folder: Path, ending: str) -> Path:
    """The one package of that language in ``folder``."""
    packages = sorted(folder.glob(f"{PREFIX}{ending}_*.deb"))
    if len(packages) != 1:
        raise InputError(
            folder,
            None,
            found=f"{len(packages)} files {PREFIX}{ending}_*.deb",
            expected="one",
            advice=f"Fetch it with: apt-get download {PREFIX}{ending}" if not packages else "",
        )
    return packages[0]


def read_pages(path: Path, advance: Advance) -> HelpPages:
    """The help pages in one package, by name."""
    pages: dict[str, HelpPage] = {}
    for name, content in read_files(path):
        if match := PAGE.fullmatch(name):
            pages[match[1]] = parse_page(content.decode("utf-8", errors="replace"))
            advance()
    if not pages:
        raise InputError(path, None, found="no help page", expected="pages in .../text/*.html")
    return pages


def _source(path: Path) -> dict[str, str]:
    name = path.name.partition("_")[0]
    return {"file": name, "version": version(path), "sha256": file_sha256(path)}


def align(read: Mapping[str, HelpPages], languages: tuple[str, ...]) -> dict[str, dict[str, Page]]:
    """Page name -> language -> page, for pages translated into at least one language."""
    aligned: dict[str, dict[str, Page]] = {}
    for name, english in sorted(read[PIVOT].items()):
        versions = {PIVOT: _page(english)}
        for code in languages[1:]:
            if (page := translated(read[code].get(name), english)) is not None:
                versions[code] = page
        if len(versions) > 1:
            aligned[name] = versions
    return aligned


def _page(page: HelpPage) -> Page:
    """The page without the heading that repeats its title."""
    paragraphs = {
        key: text
        for key, text in page.paragraphs.items()
        if key not in page.headings or fold_text(text) != fold_text(page.title)
    }
    return Page(page.title, tuple(paragraphs.values()), tuple(paragraphs))


def translated(page: HelpPage | None, english: HelpPage) -> Page | None:
    """The paragraphs that differ from the English ones; None where too few of them do."""
    if page is None:
        return None
    shared = {key: text for key, text in _by_key(_page(page)).items() if key in english.paragraphs}
    new = {key: text for key, text in shared.items() if text != english.paragraphs[key]}
    length = sum(len(english.paragraphs[key]) for key in new)
    of_all = sum(len(english.paragraphs[key]) for key in shared)
    if length < FEWEST_CHARACTERS or length < TRANSLATED_SHARE * of_all:
        return None
    return Page(page.title, tuple(new.values()), tuple(new))


def _by_key(page: Page) -> dict[Any, str]:
    return dict(zip(page.keys, page.paragraphs, strict=True))


def related_items(pages: Mapping[str, Mapping[str, Page]], english: HelpPages) -> Iterator[Item]:
    """The items, each related to those it links to and that link back."""
    links = {name: {link.removesuffix(".html") for link in english[name].links} for name in pages}
    for name, versions in pages.items():
        mutual = {other for other in links[name] if other in links and name in links[other]}
        source = english[name]
        running = [text for key, text in source.paragraphs.items() if key not in source.headings]
        yield make_item(
            name,
            versions,
            group=name,
            related=sorted(mutual - {name}),
            running_text=running,
        )


COLLECTION = NamedCollection(
    name="libreoffice-help",
    what="LibreOffice's help pages, aligned by paragraph and linked to each other",
    languages="en with ca cs da de el es fi fr hu it ja nl pl pt ru sv tr zh and more, 34 in all",
    size="2,560 pages; translated: it 2,365, de 2,360, el 2,356, fr 2,336, es 1,910, ru 1,196",
    needs="apt and a network, or --debs",
    licence="MPL-2.0",
    sources=frozenset({"--debs", "--state"}),
    build=build,
)
