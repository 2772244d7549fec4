"""Debian's package descriptions and their community translations, aligned by Description-md5.

In: apt's ``Packages`` and ``Translation-xx`` lists. Out: one item for each English description,
named by the first package that has it; related are packages of the same source, and packages that
name each other as dependencies.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.errors import InputError
from dragoman.protocols import Stage
from dragoman.text.collections import apt
from dragoman.text.collections.apt_lists import Lists, scan
from dragoman.text.collections.catalogue import PIVOT, BuildRequest, NamedCollection
from dragoman.text.collections.items import Item, Page, describe
from dragoman.text.collections.output import Pages, plan, write_pages
from dragoman.text.collections.sentences import folded

# apt's names where they are not simply the language's code
APT_CODES = {"zh": "zh_CN", "no": "nb"}
DEPENDENCIES = ("Depends", "Pre-Depends", "Recommends", "Suggests")
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
BULLET = re.compile(r"\s*(?:[*+•-]|\d+[.)])\s+")
PLACEHOLDER = "<trans>"


@dataclass(slots=True)
class Packages:
    """What the lists of packages say beside the descriptions."""

    sources: dict[str, str] = field(default_factory=dict)  # package -> source package
    wants: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def source(self, package: str) -> str:
        """The source package; a package of another architecture is its own."""
        return self.sources.get(package, package)


@dataclass(slots=True)
class PackageDescription:
    """One English description: the packages that share it, and its pages by language."""

    packages: set[str] = field(default_factory=set)
    pages: dict[str, Page] = field(default_factory=dict)


def build(request: BuildRequest, folder: Path, stage: Stage) -> Mapping[str, Any]:
    """Fill ``folder``; what the manifest says of it comes back."""
    codes = {code: apt_code(code, tag) for code, tag in request.languages.items()}
    with _lists(request, codes, stage) as lists:
        packages = read_packages(lists, stage)
        descriptions = read_descriptions(lists, codes, stage)
        named = name_items(descriptions, tuple(codes))
        items = list(relate(named, packages))
        pages: Pages = {name: description.pages for name, description in named.items()}
        counts = write_pages(folder, plan(items, request), pages, request, stage)
        return {**counts, "releases": lists.versions(), "sources": lists.sources}


def apt_code(code: str, tag: str) -> str:
    """The name of a language in apt's lists: ``pt-BR`` is ``pt_BR`` there."""
    tag = tag.replace("-", "_")
    return tag if "_" in tag else APT_CODES.get(code, code)


@contextmanager
def _lists(request: BuildRequest, codes: Mapping[str, str], stage: Stage) -> Iterator[Lists]:
    """The named lists, else the machine's own where they hold all of ``codes``, else fetched."""
    if request.lists is not None:
        yield _complete(scan(request.lists), codes)
        return
    if request.state is None and apt.SYSTEM_LISTS.is_dir():
        own = scan(apt.SYSTEM_LISTS)
        if own.packages and own.translations.keys() >= set(codes.values()):
            yield own
            return
    with apt.private_state(request.state) as state:
        advance = stage("fetching lists", None)
        apt.update(state, tuple(codes.values()))
        advance()
        yield _complete(scan(state.lists), codes)


def _complete(lists: Lists, codes: Mapping[str, str]) -> Lists:
    missing = sorted(set(codes.values()) - lists.translations.keys())
    if missing or not lists.packages:
        there = ", ".join(sorted(lists.translations)) or "none"
        offered = f" Debian offers {', '.join(offers)}." if (offers := lists.offered()) else ""
        raise InputError(
            lists.folder,
            None,
            found=f"{len(lists.packages)} Packages lists and translations: {there}",
            expected=f"Packages and Translation-{' and Translation-'.join(codes.values())}",
            advice=f"No list for {', '.join(missing)}.{offered}" if missing else "",
        )
    return lists


def read_packages(lists: Lists, stage: Stage) -> Packages:
    """Source and dependencies of every package."""
    advance = stage("packages", None)
    found = Packages()
    for path in lists.packages:
        for stanza in lists.stanzas(path):
            advance()
            package = stanza.get("Package", "")
            source = stanza.get("Source", package).split(" ")[0]
            found.sources[package] = source
            for name in DEPENDENCIES:
                for clause in re.split(r"[,|]", stanza.get(name, "")):
                    if match := NAME.match(clause.strip()):
                        found.wants[package].add(match[0])
    return found


def read_descriptions(
    lists: Lists, codes: Mapping[str, str], stage: Stage
) -> dict[str, PackageDescription]:
    """Description-md5 -> packages and pages; what is not translated has no page."""
    found: dict[str, PackageDescription] = {}
    for code, name in sorted(codes.items(), key=lambda pair: pair[0] != PIVOT):
        advance = stage(f"descriptions in {code}", None)
        for path in lists.translations[name]:
            for stanza in lists.stanzas(path):
                advance()
                digest, text = stanza.get("Description-md5"), stanza.get(f"Description-{name}")
                package = stanza.get("Package")
                if not (package and digest and text) or (code != PIVOT and digest not in found):
                    continue
                description = found.setdefault(digest, PackageDescription())
                page = parse_description(text)
                if code == PIVOT:
                    description.packages.add(package)
                if code == PIVOT or is_translated(page, description.pages[PIVOT]):
                    description.pages.setdefault(code, page)
    return found


def parse_description(text: str) -> Page:
    """Title and paragraphs of a description field.

    A line that holds a full stop alone ends a paragraph. Lines indented further are set as they
    stand (lists, examples) and lines that open with a bullet begin anew; the rest is running text.
    """
    title, *lines = text.split("\n")
    paragraphs: list[str] = []
    fresh = True
    for line in lines:
        body = line[1:]
        if body.strip() in ("", "."):
            fresh = True
        elif fresh or body.startswith((" ", "\t")) or BULLET.match(body):
            paragraphs.append(" ".join(body.split()))
            fresh = False
        else:
            paragraphs[-1] += f" {' '.join(body.split())}"
    return Page(" ".join(title.split()), tuple(paragraphs))


def is_translated(page: Page, english: Page) -> bool:
    """Whether any of it is in another language than English, and all of it is there."""
    if PLACEHOLDER in page.title or PLACEHOLDER in page.text:
        return False
    if not page.paragraphs:
        return folded(page.title) != folded(english.title)
    return folded(page.text) != folded(english.text)


def name_items(
    descriptions: Mapping[str, PackageDescription], languages: tuple[str, ...]
) -> dict[str, PackageDescription]:
    """Items by the name of their first package, languages in the order asked for.

    Where a package has several descriptions (by architecture, or after an update), the others'
    names carry the start of their md5.
    """
    named: dict[str, PackageDescription] = {}
    ordered = sorted((min(found.packages), digest) for digest, found in descriptions.items())
    for package, digest in ordered:
        pages = descriptions[digest].pages
        if len(pages) < 2:
            continue
        pages = {code: pages[code] for code in (PIVOT, *languages) if code in pages}
        name = package if package not in named else f"{package}~{digest[:8]}"
        named[name] = PackageDescription(descriptions[digest].packages, pages)
    return named


def relate(named: Mapping[str, PackageDescription], packages: Packages) -> Iterator[Item]:
    """The items, each with those of the same source or with dependencies both ways."""
    of_package = {package: name for name, item in named.items() for package in item.packages}
    of_source: dict[str, set[str]] = defaultdict(set)
    for name, item in named.items():
        for package in item.packages:
            of_source[packages.source(package)].add(name)
    for name, item in named.items():
        related: set[str] = set()
        for package in item.packages:
            related |= of_source[packages.source(package)]
            related |= {
                of_package[other]
                for other in packages.wants.get(package, ())
                if other in of_package and package in packages.wants.get(other, ())
            }
        first = min(item.packages)
        yield describe(
            name,
            item.pages,
            group=packages.source(first),
            title_words=first.replace("-", " "),
            related=sorted(related - {name}),
        )


COLLECTION = NamedCollection(
    name="debian-packages",
    what="package descriptions and their community translations",
    languages="en with da it fr de sk pt-BR ja ko uk pl ru cs es pt zh-CN, and twenty smaller ones",
    size="61,691 English; da 48k, it 47k, fr 19.5k, de 13k, sk 9.6k, pt-BR 6k, ja 5.8k, ko, uk 4k",
    needs="apt and a network, or --lists",
    licence="the licence of each package (Debian main: DFSG-free)",
    sources=frozenset({"--lists", "--state"}),
    build=build,
)
