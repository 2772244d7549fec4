"""Build a corpus of real files in every format that the readers take, in fifteen languages.

    python tools/build_file_corpus.py FOLDER [--packages FOLDER]

Pages of two manuals come from Debian packages by ``apt-get download`` (or from ``.deb`` files in
the folder given) and are not installed. LibreOffice (``soffice``) converts them to office formats;
text, mail, tables, subtitles and archives are written here. ``manifest.jsonl`` lists every file
with its type, its language and the paragraphs that a reader must find in it.
"""

import argparse
import csv
import gzip
import json
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from pathlib import Path
from xml.sax.saxutils import escape

from dragoman.text.readers.contents import FileText, ReaderConfig, Section
from dragoman.text.readers.file_types import FileType, type_of
from dragoman.text.readers.formats import html

PACKAGES = ("debian-handbook", "installation-guide-amd64")
GUIDE, HANDBOOK = "usr/share/doc/installation-guide-amd64", "usr/share/doc/debian-handbook/html"
GUIDE_LANGUAGES = "cs da de el en es fr it ja ko nl pt ro ru sv vi"
# language -> page; both manuals are free (GPL-2+ and CC-BY-SA), and the corpus is not shipped
PAGES = {
    **{code: f"{GUIDE}/{code}/ch01s01.html" for code in GUIDE_LANGUAGES.split()},
    "zh": f"{GUIDE}/zh_CN/ch01s01.html",
    "ar": f"{HANDBOOK}/ar-MA/sect.foundation-documents.html",
    "fa": f"{HANDBOOK}/fa-IR/sect.foundation-documents.html",
    "pl": f"{HANDBOOK}/pl-PL/sect.foundation-documents.html",
    "tr": f"{HANDBOOK}/tr-TR/sect.foundation-documents.html",
}
OFFICE = {  # ending -> languages of pages that LibreOffice converts
    "docx": ("de", "ru", "ar", "zh", "tr"),
    "odt": ("es", "el", "ja", "vi"),
    "pdf": ("fr", "de", "ru", "el", "pl"),
    "epub": ("it", "ko", "cs"),
    "rtf": ("pt", "ru", "ja", "fa"),
    "fodt": ("nl",),
}
SLIDES = {"pptx": ("en", "ja", "ru"), "odp": ("sv", "ar")}
SHEETS = {"xlsx": ("de", "ko", "el"), "ods": ("fr", "zh")}
ENCODINGS = {
    "de": "latin-1",
    "es": "cp1252",
    "cs": "iso8859-2",
    "pl": "cp1250",
    "ru": "koi8-r",
    "el": "cp1253",
    "tr": "cp1254",
    "ar": "cp1256",
    "ja": "shift_jis",
    "zh": "gb18030",
    "ko": "euc-kr",
    "fr": "utf-16",
    "it": "utf-16-le",
    "vi": "utf-8-sig",
    "sv": "cp850",
}


@dataclass(frozen=True)
class CorpusFile:
    """A file of the corpus."""

    path: str
    file_type: str
    language: str
    paragraphs: tuple[str, ...]  # what a reader must find in it, white space aside


@dataclass(frozen=True)
class Page:
    """The source of several files."""

    language: str
    path: Path
    title: str
    paragraphs: tuple[str, ...]


def main() -> None:
    """Build the corpus and print how many files there are of each type."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--packages", type=Path, help="a folder with the .deb files")
    options = parser.parse_args()
    files = build(options.folder, options.packages)
    for kind in sorted({one.file_type for one in files}):
        print(f"{kind:>14} {sum(one.file_type == kind for one in files):>3}")
    print(f"{'files':>14} {len(files):>3} in {len({one.language for one in files})} languages")


def build(folder: Path, packages: Path | None = None) -> list[CorpusFile]:
    """Write the corpus below ``folder``; what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch, "unpacked")
        for package in _downloaded(packages, Path(scratch)):
            subprocess.run(["dpkg-deb", "-x", str(package), str(unpacked)], check=True)
        pages = {code: _page(code, unpacked / path) for code, path in PAGES.items()}
        files = [_copied(page, folder) for page in pages.values()]
        files += _office_files(pages, folder, Path(scratch))
        files += _text_files(pages, folder)
        files += _archives(files, folder)
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in files)
    return files


def _downloaded(packages: Path | None, scratch: Path) -> list[Path]:
    if packages is None:
        subprocess.run(["apt-get", "download", "-q", *PACKAGES], cwd=scratch, check=True)
    found = [next((packages or scratch).glob(f"{name}_*.deb"), None) for name in PACKAGES]
    if None in found:
        raise SystemExit(f"{packages}: expected .deb files of {' and '.join(PACKAGES)}")
    return [one for one in found if one is not None]


def _page(language: str, path: Path) -> Page:
    """The title and the paragraphs of a page, as the reader of HTML has them."""
    begun, *sections = html.read(path, ReaderConfig())
    assert isinstance(begun, FileText)
    text = "".join(section.text for section in sections if isinstance(section, Section))
    paragraphs = (" ".join(one.split()) for one in text.split("\n\n"))
    return Page(language, path, begun.title, tuple(one for one in paragraphs if len(one) > 20))


def _copied(page: Page, folder: Path) -> CorpusFile:
    target = folder / f"{page.language}.html"
    shutil.copyfile(page.path, target)
    return _entry(target, page)


def _entry(path: Path, page: Page, paragraphs: Sequence[str] | None = None) -> CorpusFile:
    expected = page.paragraphs if paragraphs is None else paragraphs
    return CorpusFile(path.name, type_of(path).value, page.language, tuple(expected))


def _office_files(pages: dict[str, Page], folder: Path, scratch: Path) -> list[CorpusFile]:
    files: list[CorpusFile] = []
    for ending, languages in OFFICE.items():
        sources = [_main_page(pages[code], scratch) for code in languages]
        files += _converted(ending, sources, pages, folder, "HTML (StarWriter)")
    for ending, languages in SLIDES.items():
        sources = [_slides(pages[code], scratch) for code in languages]
        files += _converted(ending, sources, pages, folder)
    for ending, languages in SHEETS.items():
        sources = [_table(pages[code], scratch / f"{code}.csv", "excel") for code in languages]
        files += _converted(ending, sources, pages, folder, "CSV:44,34,76")
    return files


def _converted(
    ending: str, sources: Sequence[Path], pages: dict[str, Page], folder: Path, source: str = ""
) -> list[CorpusFile]:
    """What LibreOffice makes of some files, in one run."""
    command = ["soffice", "--headless", "--convert-to", ending, "--outdir", str(folder)]
    command += [f"--infilter={source}"] if source else []
    subprocess.run([*command, *map(str, sources)], check=True, capture_output=True)
    made = [folder / f"{one.stem}.{ending}" for one in sources]
    if missing := [one for one in made if not one.exists()]:
        raise SystemExit(f"soffice did not write {missing[0]}; expected it to convert {sources[0]}")
    return [_entry(one, pages[one.stem]) for one in made]


def _main_page(page: Page, scratch: Path) -> Path:
    """The page without its menus."""
    target = scratch / f"{page.language}.html"
    body = "".join(f"<p>{escape(one)}</p>" for one in page.paragraphs[1:])
    head = f'<meta charset="utf-8"><title>{escape(page.title)}</title>'
    first = f"<h1>{escape(page.paragraphs[0])}</h1>"
    target.write_text(f"<html><head>{head}</head><body>{first}{body}</body></html>", "utf-8")
    return target


def _slides(page: Page, scratch: Path) -> Path:
    """A flat OpenDocument presentation with a slide for every paragraph."""
    names = {
        "office": "office",
        "text": "text",
        "draw": "drawing",
        "presentation": "presentation",
    }
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    declared = " ".join(f'xmlns:{name}="{space}{uri}:1.0"' for name, uri in names.items())
    svg = f'xmlns:svg="{space}svg-compatible:1.0"'
    slides = "".join(
        f'<draw:page draw:name="p{number}"><draw:frame svg:width="20cm" svg:height="10cm"'
        f' svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>{escape(one)}</text:p></draw:text-box>'
        "</draw:frame></draw:page>"
        for number, one in enumerate(page.paragraphs, start=1)
    )
    target = scratch / f"{page.language}.fodp"
    target.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {declared} {svg}'
        ' office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation">'
        f"<office:body><office:presentation>{slides}</office:presentation></office:body>"
        "</office:document>",
        "utf-8",
    )
    return target


def _table(page: Page, target: Path, dialect: str) -> Path:
    with target.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, dialect)
        rows.writerow(("number", "text", "language"))
        rows.writerows((n, one, page.language) for n, one in enumerate(page.paragraphs, start=1))
    return target


def _text_files(pages: dict[str, Page], folder: Path) -> list[CorpusFile]:
    files: list[CorpusFile] = []
    for code, encoding in ENCODINGS.items():
        target = folder / f"{code}.{encoding}.txt"
        text = "\n\n".join(pages[code].paragraphs)
        target.write_bytes(text.encode(encoding, "replace"))
        written = target.read_bytes().decode(encoding).replace("\ufeff", "")
        files.append(_entry(target, pages[code], written.split("\n\n")))
    for name, code, text in (
        ("markdown.md", "nl", _marked(pages["nl"], "# {}\n\n", "---\nlang: nl\n---\n")),
        ("structured.rst", "da", _marked(pages["da"], "{0}\n{1}\n\n")),
        ("film.srt", "tr", _subtitles(pages["tr"], "", ",")),
        ("film.vtt", "pl", _subtitles(pages["pl"], "WEBVTT\n\n", ".")),
        ("records.jsonl", "fa", _records(pages["fa"], lines=True)),
        ("records.json", "vi", _records(pages["vi"], lines=False)),
        ("news.sgml", "sv", _trec(pages["sv"])),
    ):
        (folder / name).write_text(text, "utf-8")
        files.append(_entry(folder / name, pages[code]))
    for name, code, dialect in (("table.csv", "ro", "excel"), ("table.tsv", "cs", "excel-tab")):
        files.append(_entry(_table(pages[code], folder / name, dialect), pages[code]))
    return files + _mail(pages, folder)


def _marked(page: Page, heading: str, before: str = "") -> str:
    first, *others = page.paragraphs
    plain = (one.replace("*", "").replace("_", " ").replace("`", "") for one in others)
    return before + heading.format(first, "=" * 2 * len(first)) + "\n\n".join(plain) + "\n"


def _subtitles(page: Page, before: str, point: str) -> str:
    return before + "".join(
        f"{n}\n00:{n:02}:00{point}000 --> 00:{n:02}:59{point}000\n{one}\n\n"
        for n, one in enumerate(page.paragraphs, start=1)
    )


def _records(page: Page, *, lines: bool) -> str:
    records = [{"text": one, "lang": page.language} for one in page.paragraphs]
    return "".join(f"{json.dumps(one)}\n" for one in records) if lines else json.dumps(records)


def _trec(page: Page) -> str:
    return "".join(
        f"<DOC>\n<DOCNO>{page.language}-{n}</DOCNO>\n<TEXT>\n{escape(one)}\n</TEXT>\n</DOC>\n"
        for n, one in enumerate(page.paragraphs, start=1)
    )


def _mail(pages: dict[str, Page], folder: Path) -> list[CorpusFile]:
    messages = {code: _message(pages[code]) for code in ("da", "it", "ko")}
    (folder / "letter.eml").write_bytes(messages["da"].as_bytes())
    inbox = b"".join(
        b"From a@example.org Fri Mar  1 12:30:00 2024\n" + messages[code].as_bytes() + b"\n"
        for code in ("it", "ko")
    )
    (folder / "inbox.mbox").write_bytes(inbox)
    both = pages["it"].paragraphs + pages["ko"].paragraphs
    return [
        _entry(folder / "letter.eml", pages["da"]),
        _entry(folder / "inbox.mbox", pages["it"], both),
    ]


def _message(page: Page) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "a@example.org", "b@example.org"
    message["Subject"], message["Date"] = page.title, "Fri, 01 Mar 2024 12:30:00 +0100"
    message.set_content("\n\n".join(page.paragraphs), cte="base64")
    return message


def _archives(files: Iterable[CorpusFile], folder: Path) -> list[CorpusFile]:
    """Archives of some of the files."""
    by_path = {one.path: one for one in files}
    packed = ("de.docx", "ru.koi8-r.txt", "letter.eml")
    expected = tuple(text for name in packed for text in by_path[name].paragraphs)
    with zipfile.ZipFile(folder / "packed.zip", "w") as archive:
        for name in packed:
            archive.write(folder / name, f"folder/{name}")
    with tarfile.open(folder / "packed.tar.gz", "w:gz") as tar:
        for name in packed:
            tar.add(folder / name, f"folder/{name}")
    (folder / "fr.html.gz").write_bytes(gzip.compress((folder / "fr.html").read_bytes()))
    return [
        CorpusFile("packed.zip", FileType.ZIP.value, "de", expected),
        CorpusFile("packed.tar.gz", FileType.TAR.value, "de", expected),
        CorpusFile("fr.html.gz", FileType.COMPRESSED.value, "fr", by_path["fr.html"].paragraphs),
    ]


if __name__ == "__main__":
    main()
