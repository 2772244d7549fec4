"""Small sources in the real formats: apt's lists, Debian packages, help pages."""

import hashlib
import io
import lzma
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

NOUNS = [
    *("editor", "viewer", "compiler", "debugger", "player", "archiver", "browser", "scanner"),
    *("router", "printer", "logger", "parser", "solver", "painter", "tracker", "mixer"),
    *("indexer", "linker", "packer", "monitor"),
]
WORDS = {1: "red", 2: "green", 3: "blue"}
ITALIAN = dict(zip(NOUNS, [f"{noun[::-1]}o" for noun in NOUNS], strict=True))


def no_progress(label, total=None):
    return lambda steps=1: None


@pytest.fixture(name="no_progress")
def _no_progress():
    return no_progress


@dataclass(frozen=True)
class Package:
    name: str
    title: str
    paragraphs: tuple[str, ...]
    source: str = ""
    depends: str = ""

    def field(self) -> str:
        return "\n".join(
            [self.title, *(f" {line}" for line in "\n.\n".join(self.paragraphs).split("\n"))]
        )

    @property
    def md5(self) -> str:
        return hashlib.md5(f"{self.field()}\n".encode()).hexdigest()  # noqa: S324 - as Debian does


def english(noun: str, number: int) -> Package:
    return Package(
        name=f"{noun}-{number}",
        title=f"{noun} for samples of kind {number}",
        paragraphs=(
            f"Reads {WORDS[number]} boxes with {noun}craft and shows them to people. It is quick.",
            f"This package contains the {noun} of series {number}.",
        ),
        source=noun,
    )


def italian(package: Package) -> Package:
    noun, _, number = package.name.partition("-")
    return Package(
        name=package.name,
        title=f"{ITALIAN[noun]} per campioni del tipo {number}",
        paragraphs=(
            f"Legge campioni della serie {number} e li mostra a chi usa {ITALIAN[noun]}. È rapido.",
            f"Questo pacchetto contiene {ITALIAN[noun]} della serie {number}.",
        ),
    )


@pytest.fixture
def packages() -> list[Package]:
    """Sixty packages of twenty sources."""
    return [english(noun, number) for noun in NOUNS for number in (1, 2, 3)]


def translation_stanza(package: Package, md5: str, language: str) -> str:
    return (
        f"Package: {package.name}\nDescription-md5: {md5}\n"
        f"Description-{language}: {package.field()}\n"
    )


def package_stanza(package: Package, extra: str = "") -> str:
    depends = f"Depends: {package.depends}\n" if package.depends else ""
    source = f"Source: {package.source} (1.0)\n" if package.source else ""
    return (
        f"Package: {package.name}\nVersion: 1.0\nArchitecture: all\n{source}{depends}"
        f"Description: {package.title}\nDescription-md5: {package.md5}\n{extra}"
    )


@pytest.fixture
def write_lists(tmp_path):
    """Write the lists of some packages, translated into Italian unless told otherwise."""

    def write(packages, translations=None, folder="lists", mirror="mirror.example_debian"):
        target = tmp_path / folder
        target.mkdir(exist_ok=True)
        if translations is None:
            translations = [(package.md5, italian(package)) for package in packages]
        stem = target / f"{mirror}_dists_stable"
        files = {
            "main_binary-amd64_Packages": [package_stanza(package) for package in packages],
            "main_i18n_Translation-en": [
                translation_stanza(package, package.md5, "en") for package in packages
            ],
            "main_i18n_Translation-it": [
                translation_stanza(page, md5, "it") for md5, page in translations
            ],
            "InRelease": [
                "Origin: Debian\nSuite: stable\nVersion: 12.1\n"
                "Date: Sat, 22 Jul 2023 09:00:00 UTC\nSHA256:\n"
                " abc 12 main/i18n/Translation-it.xz\n abc 12 main/i18n/Translation-sk.xz\n"
            ],
        }
        for name, stanzas in files.items():
            Path(f"{stem}_{name}").write_text("\n".join(stanzas), encoding="utf-8")
        return target

    return write


def ar_member(name: str, content: bytes) -> bytes:
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
    return header + content + b"\n" * (len(content) % 2)


def tar_xz(files, link: str = "") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo(f"./{link}")
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member)
    return lzma.compress(packed.getvalue())


def deb(name: str, version: str, files, link: str = "") -> bytes:
    control = f"Package: {name}\nVersion: {version}\nArchitecture: all\n".encode()
    return (
        b"!<arch>\n"
        + ar_member("debian-binary", b"2.0\n")
        + ar_member("control.tar.xz", tar_xz({"control": control}))
        + ar_member("data.tar.xz", tar_xz(files, link))
    )


@pytest.fixture
def build_deb():
    return deb


PAGE = """<!DOCTYPE html>
<html lang="{language}" dir="ltr">
<head>
<base href="../../../">
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>{title}</title>
<script type="text/javascript" src="help2.js" defer></script>
</head>
<body>
<header id="TopLeftHeader"><a class="logo" href="{language}/text/shared/05/new_help.html">
<p dir="auto">LibreOffice 7.4 Help</p></a></header>
<div id="DisplayArea" itemprop="softwareHelp">
<a name="bm_id1"></a><meta itemprop="keywords" content="{title}">
<h1 id="hd_id1" dir="auto">
  {title}
</h1>
{body}
</div>
<div id="SearchFrame"></div>
<footer><div id="DEBUG" class="debug"><p dir="auto">Title is: {title}</p></div></footer>
</body>
</html>
"""


@pytest.fixture
def help_page():
    """The HTML of a help page from paragraphs with ids, and links to other pages."""

    def write(language, title, paragraphs, links=()):
        body = [
            f'<p id="{key}" class="paragraph" dir="auto">{text}</p>' for key, text in paragraphs
        ]
        body += [
            f'<div class="embedded"><p class="embedded" dir="auto">'
            f'<a target="_top" href="{language}/text/{link}.html#top">{link}</a></p></div>'
            for link in links
        ]
        return PAGE.format(language=language, title=title, body="\n".join(body))

    return write
