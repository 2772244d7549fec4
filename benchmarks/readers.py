"""How fast are the readers of people's files, and how good is the main text of HTML?

    python benchmarks/readers.py CORPUS              built by tools/build_file_corpus.py
    python benchmarks/readers.py --pages FOLDER      pages of the two manuals that it is built from

The first table has megabytes of files per second, by the reader and by the bare library: its text
of the same files, without headings, languages, metadata and limits. Short tables and texts are
repeated. Processor time, least of five interleaved rounds, in one process. The second table
compares the main text of every 16th page with that of trafilatura.
"""

import argparse
import bz2
import csv
import email
import email.policy
import gzip
import json
import mailbox
import re
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree.ElementTree import fromstring

from dragoman import registry
from dragoman.text.readers.contents import Member, ReaderConfig
from dragoman.text.readers.file_types import FileType, type_of
from dragoman.text.readers.formats import html

ROUNDS, LEAST_SECONDS, CONFIG = 5, 0.1, ReaderConfig()
# formats whose files may be repeated: the corpus has short ones
REPEATED = (FileType.CSV, FileType.TSV, FileType.JSONL, FileType.TEXT, FileType.SUBTITLES)
TIMES = 100
NAVIGATION = {"docnav", "navheader", "navfooter"}
Extract = Callable[[str], str]


def pdf_by_pypdfium2(path: Path) -> object:
    """The text of each page."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_bounded() for page in document]


def docx_by_python_docx(path: Path) -> object:
    """Paragraphs."""
    import docx

    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def pptx_by_python_pptx(path: Path) -> object:
    """Text frames."""
    import pptx

    slides = pptx.Presentation(str(path)).slides
    return [s.text_frame.text for one in slides for s in one.shapes if s.has_text_frame]


def xlsx_by_openpyxl(path: Path) -> object:
    """Cells."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    return [row for sheet in book.worksheets for row in sheet.iter_rows(values_only=True)]


def odf_by_elementtree(path: Path) -> object:
    """All text of the content."""
    if not zipfile.is_zipfile(path):
        return [*fromstring(path.read_bytes()).itertext()]  # noqa: S314
    with zipfile.ZipFile(path) as archive:
        return [*fromstring(archive.read("content.xml")).itertext()]  # noqa: S314


def epub_by_html_parser(path: Path) -> object:
    """All pages, parsed."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(("html", "htm")):
                HTMLParser().feed(archive.read(name).decode())
    return None


def rtf_by_striprtf(path: Path) -> object:
    """Its text."""
    from striprtf.striprtf import rtf_to_text

    return rtf_to_text(path.read_text("latin-1"), errors="replace")  # type: ignore[no-untyped-call]


def html_by_trafilatura(path: Path) -> object:
    """Its main text."""
    return main_text_by_trafilatura(path.read_text("utf-8"))


def main_text_by_trafilatura(page: str) -> str:
    """The main text in its fast mode, which favours recall."""
    import trafilatura

    return trafilatura.extract(page, include_tables=True, favor_recall=True, fast=True) or ""


def markdown_by_markdown_it(path: Path) -> object:
    """HTML."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").render(path.read_text("utf-8"))


def rst_by_docutils(path: Path) -> object:
    """A tree."""
    from docutils.core import publish_doctree

    settings = {"report_level": 5, "_disable_config": True}
    return publish_doctree(path.read_text("utf-8"), settings_overrides=settings)


def eml_by_email(path: Path) -> object:
    """The body."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    body = message.get_body(("plain", "html"))
    return body.get_content() if body else ""


def mbox_by_mailbox(path: Path) -> object:
    """The bodies."""
    return [message.get_payload(decode=True) for message in mailbox.mbox(path)]


def csv_by_csv(path: Path) -> object:
    """Rows."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [*csv.reader(stream, delimiter="\t" if path.suffix == ".tsv" else ",")]


def json_by_json(path: Path) -> object:
    """Values."""
    text = path.read_text("utf-8")
    return [*map(json.loads, text.splitlines())] if path.suffix == ".jsonl" else json.loads(text)


def lines_by_python(path: Path) -> object:
    """Lines."""
    return path.read_text("utf-8").splitlines()


def text_by_charset_normalizer(path: Path) -> object:
    """Decoded text."""
    from charset_normalizer import from_path

    return str(from_path(path).best())


def zip_by_zipfile(path: Path) -> object:
    """Bytes of its files."""
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]


def tar_by_tarfile(path: Path) -> object:
    """Bytes of its files."""
    with tarfile.open(path) as archive:
        streams = (archive.extractfile(one) for one in archive)
        return [stream.read() for stream in streams if stream]


def packed_by_python(path: Path) -> object:
    """Its bytes."""
    library = bz2 if path.suffix == ".bz2" else gzip
    return library.open(path).read()


BARE: dict[FileType, Callable[[Path], object]] = {
    FileType.PDF: pdf_by_pypdfium2,
    FileType.DOCX: docx_by_python_docx,
    FileType.PPTX: pptx_by_python_pptx,
    FileType.XLSX: xlsx_by_openpyxl,
    FileType.OPENDOCUMENT: odf_by_elementtree,
    FileType.EPUB: epub_by_html_parser,
    FileType.RTF: rtf_by_striprtf,
    FileType.HTML: html_by_trafilatura,
    FileType.MARKDOWN: markdown_by_markdown_it,
    FileType.RESTRUCTURED_TEXT: rst_by_docutils,
    FileType.EML: eml_by_email,
    FileType.MBOX: mbox_by_mailbox,
    FileType.CSV: csv_by_csv,
    FileType.TSV: csv_by_csv,
    FileType.JSON: json_by_json,
    FileType.JSONL: json_by_json,
    FileType.SUBTITLES: lines_by_python,
    FileType.TEXT: text_by_charset_normalizer,
    FileType.ZIP: zip_by_zipfile,
    FileType.TAR: tar_by_tarfile,
    FileType.COMPRESSED: packed_by_python,
}


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--pages", type=Path)
    options = parser.parse_args()
    if options.pages:
        compare_main_text(sorted(options.pages.rglob("*.html")))
    elif options.corpus:
        compare_speed(options.corpus)
    else:
        parser.error("expected a corpus, or --pages")


def compare_speed(corpus: Path) -> None:
    """Print the speed of every reader beside that of the bare library."""
    by_type: dict[FileType, list[Path]] = {}
    for path in sorted(corpus.iterdir()):
        if path.name != "manifest.jsonl":
            by_type.setdefault(type_of(path), []).append(path)
    with TemporaryDirectory() as folder:
        for kind in REPEATED:
            by_type[kind] = [enlarged(path, Path(folder)) for path in by_type[kind]]
        print_speeds(by_type)


def enlarged(path: Path, folder: Path) -> Path:
    """A copy of a file with its content many times."""
    copy = folder / path.name
    copy.write_bytes(path.read_bytes() * TIMES)
    return copy


def print_speeds(by_type: Mapping[FileType, Sequence[Path]]) -> None:
    """Print a row for every type."""
    print(f"{'format':>12}{'files':>6}{'KB':>7}{'MB/s':>8}{'bare':>8}{'ratio':>7}  bare library")
    for kind in sorted(by_type):
        paths, name = by_type[kind], BARE[kind].__name__.partition("_by_")[2]
        size = sum(path.stat().st_size for path in paths)
        read = registry.find(registry.FILE_READERS, kind.value, "file type")

        def ours(path: Path, read: Callable[..., Iterable[object]] = read) -> None:
            for content in read(path, CONFIG):
                if isinstance(content, Member):
                    content.path.unlink()

        own, bare = least_seconds(ours, BARE[kind], paths)
        print(
            f"{kind.value:>12}{len(paths):>6}{size / 1e3:>7.0f}{size / 1e6 / own:>8.1f}"
            f"{size / 1e6 / bare:>8.1f}{bare / own:>7.2f}  {name}",
            flush=True,
        )


def least_seconds(
    ours: Callable[[Path], object], bare: Callable[[Path], object], paths: Sequence[Path]
) -> tuple[float, float]:
    """Seconds for all files by each, the least of interleaved rounds."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for which, read in enumerate((ours, bare)):
            begun, times = time.process_time(), 0
            while time.process_time() < begun + LEAST_SECONDS or not times:
                for path in paths:
                    read(path)
                times += 1
            best[which] = min(best[which], (time.process_time() - begun) / times)
    return best[0], best[1]


def compare_main_text(paths: Sequence[Path]) -> None:
    """Print what is left of the content, the headings and the navigation of pages."""
    pages = [path.read_text("utf-8") for path in paths[::16]]
    size = sum(len(page.encode()) for page in pages)
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB")
    print(f"{'':>14}{'letters':>9}{'headings':>10}{'navigation':>12}{'MB/s':>7}")
    extractors: dict[str, Extract] = {
        "dragoman": own_main_text,
        "trafilatura": main_text_by_trafilatura,
    }
    for name, extract in extractors.items():
        begun = time.process_time()
        texts = [extract(page) for page in pages]
        seconds = time.process_time() - begun
        shares = [shares_of(page, text) for page, text in zip(pages, texts, strict=True)]
        letters, headings, navigation = (
            sum(one[n][0] for one in shares) / sum(one[n][1] for one in shares) for n in range(3)
        )
        speed = size / 1e6 / seconds
        print(f"{name:>14}{letters:>9.3f}{headings:>10.3f}{navigation:>12.3f}{speed:>7.2f}")


def own_main_text(page: str) -> str:
    """The main text by our reader."""
    blocks = html.main_blocks(html.parsed(page).blocks)
    return "".join(section.text for section in html.sections(blocks))


def shares_of(page: str, text: str) -> list[tuple[int, int]]:
    """Of content (in pieces of 8 letters), headings and navigation bars: how many are in a text."""
    from lxml import html as lxml_html

    tree, found = lxml_html.document_fromstring(page.encode()), letters(text)
    bars: list[str] = []
    for element in [*tree.iter()]:
        classes = {*str(element.get("class") or "").split()}
        if classes & NAVIGATION or element.get("id") == "banner":
            bars.append(letters(element.text_content()))
            element.drop_tree()
    for element in tree.xpath("//script|//style|//title"):
        element.drop_tree()
    pieces = re.findall(".{1,8}", letters(tree.body.text_content()))
    headings = [letters(one.text_content()) for one in tree.xpath("//h1|//h2|//h3|//h4|//h5|//h6")]
    return [
        (sum(one in found for one in each), len(each))
        for each in (pieces, [*filter(None, headings)], [*filter(None, bars)])
    ]


def letters(text: str) -> str:
    """A text without white space and marks."""
    return re.sub(r"\W", "", text)


if __name__ == "__main__":
    main()
