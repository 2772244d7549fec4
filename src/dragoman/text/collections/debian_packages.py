"""Debian's package descriptions and their community translations, aligned by Description-md5.

In: apt's ``Packages`` and ``Translation-xx`` lists. Out: one item for each English description,
named after the first package that has it. Related are packages of the same source, and packages
that depend on each other.
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
from dragoman.text.collections.apt_lists import AptLists, scan_lists
from dragoman.text.collections.catalogue import PIVOT, BuildRequest, NamedCollection
from dragoman.text.collections.items import Item, Page, make_item
from dragoman.text.collections.output import Pages, plan_collection, write_pages
from dragoman.text.collections.sentences import fold_text

# apt's names of languages where they differ from the code
APT_CODES = {"zh": "zh_CN", "no": "nb"}
DEPENDENCIES = ("Depends", "Pre-Depends", "Recommends", "Suggests")
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
BULLET = re.compile(r"\s*(?:[*+•-]|\d+[.)])\s+")
PLACEHOLDER = "<trans>"


@dataclass(slots=True)
class Packages:
    """Source and dependencies of packages."""

    sources: dict[str, str] = field(default_factory=dict)  # package -> source package
    dependencies: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def source(self, package: str) -> str:
        """The source package; a package that is not listed is its own source."""
        return self.sources.get(package, package)


@dataclass(slots=True)
class PackageDescription:
    """One English description: the packages that share it, and its pages by language."""

    packages: set[str] = field(default_factory=set)
    pages: dict[str, Page] = field(default_factory=dict)


def build(request: BuildRequest, folder: Path, stage: Stage) -> Mapping[str, Any]:
    """Fill ``folder`` and return facts for its manifest."""
    codes = {code: apt_code(code, tag) for code, tag in request.languages.items()}
    with _lists(request, codes, stage) as lists:
        packages = read_packages(lists, stage)
        descriptions = read_descriptions(lists, codes, stage)
        named = name_items(descriptions, tuple(codes))
        items = list(related_items(named, packages))
        pages: Pages = {name: description.pages for name, description in named.items()}
        counts = write_pages(folder, plan_collection(items, request), pages, request, stage)
        return {**counts, "releases": lists.versions(), "sources": lists.sources}


def apt_code(code: str, tag: str) -> str:
    """Apt's name of a language: ``pt_BR`` for ``pt-BR``."""
    tag = tag.replace("-", "_")
    return tag if "_" in tag else APT_CODES.get(code, code)


@contextmanager
def _lists(request: BuildRequest, codes: Mapping[str, str], stage: Stage) -> Iterator[AptLists]:
    """The lists in ``request``, else the machine's if they have all ``codes``, else new ones."""
    if request.lists is not None:
        yield _complete(scan_lists(request.lists), codes)
        return
    if request.state is None and apt.SYSTEM_LISTS.is_dir():
        own = scan_lists(apt.SYSTEM_LISTS)
        if own.packages and own.translations.keys() >= set(codes.values()):
            yield own
            return
    with apt.private_state(request.state) as state:
        advance = stage("downloading lists", None)
        apt.update(state, tuple(codes.values()))
        advance()
        yield _complete(scan_lists(state.lists), codes)


def _complete(lists: AptLists, codes: Mapping[str, str]) -> AptLists:
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


def read_packages(lists: AptLists, stage: Stage) -> Packages:
    """Source and dependencies of every package."""
    advance = stage("packages", None)
    packages = Packages()
    for path in lists.packages:
        for stanza in lists.stanzas(path):
            advance()
            package = stanza.get("Package", "")
            source = stanza.get("Source", package).split(" ")[0]
            packages.sources[package] = source
            for name in DEPENDENCIES:
                for clause in re.split(r"[,|]", stanza.get(name, "")):
                    if match := NAME.match(clause.strip()):
                        packages.dependencies[package].add(match[0])
    return packages


def read_descriptions(
    lists: AptLists, codes: Mapping[str, str], stage: Stage
) -> dict[str, PackageDescription]:
    """Description-md5 -> packages and pages; a language without a translation has no page."""
    descriptions: dict[str, PackageDescription] = {}
    for code, name in sorted(codes.items(), key=lambda pair: pair[0] != PIVOT):
        advance = stage(f"descriptions in {code}", None)
        for path in lists.translations[name]:
            for stanza in lists.stanzas(path):
                advance()
                digest, text = stanza.get("Description-md5"), stanza.get(f"Description-{name}")
                package = stanza.get("Package")
                if not (package and digest and text) or (
                    code != PIVOT and digest not in descriptions
                ):
                    continue
                description = descriptions.setdefault(digest, PackageDescription())
                page = parse_description(text)
                if code == PIVOT:
                    description.packages.add(package)
                if code == PIVOT or is_translated(page, description.pages[PIVOT]):
                    description.pages.setdefault(code, page)
    return descriptions


def parse_description(text: str) -> Page:
    """Title and paragraphs of a description field.

    A line with a full stop alone ends a paragraph. Further indented lines (lists, examples) and
    lines that open with a bullet are paragraphs of their own; the rest is running text.
    """
    title, *lines = text.split("\n")
    paragraphs: list[str] = []
    starts_paragraph = True
    for line in lines:
        body = line[1:]
        if body.strip() in ("", "."):
            starts_paragraph = True
        elif starts_paragraph or body.startswith((" ", "\t")) or BULLET.match(body):
            paragraphs.append(" ".join(body.split()))
            starts_paragraph = False
        else:
            paragraphs[-1] += f" {' '.join(body.split())}"
    return Page(" ".join(title.split()), tuple(paragraphs))


def is_translated(page: Page, english: Page) -> bool:
    """Whether the page is complete and differs from the English one."""
    if PLACEHOLDER in page.title or PLACEHOLDER in page.text:
        return False
    if not page.paragraphs:
        return fold_text(page.title) != fold_text(english.title)
    return fold_text(page.text) != fold_text(english.text)


def name_items(
    descriptions: Mapping[str, PackageDescription], languages: tuple[str, ...]
) -> dict[str, PackageDescription]:
    """Name of the first package -> description, pages in the order of ``languages``.

    Where a package has several descriptions (by architecture, or after an update), the names of
    all but the first end in the start of their md5.
    """
    named: dict[str, PackageDescription] = {}
    ordered = sorted((min(one.packages), digest) for digest, one in descriptions.items())
    for package, digest in ordered:
        pages = descriptions[digest].pages
        if len(pages) < 2:
            continue
        pages = {code: pages[code] for code in (PIVOT, *languages) if code in pages}
        name = package if package not in named else f"{package}~{digest[:8]}"
        named[name] = PackageDescription(descriptions[digest].packages, pages)
    return named


def related_items(named: Mapping[str, PackageDescription], packages: Packages) -> Iterator[Item]:
    """The items, each related to those of the same source or with mutual dependencies."""
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
                for other in packages.dependencies.get(package, ())
                if other in of_package and package in packages.dependencies.get(other, ())
            }
        first = min(item.packages)
        yield make_item(
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
