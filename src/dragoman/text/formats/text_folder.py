"""A folder of .txt, .md and .html files -> documents; their ids are the paths inside the folder.

Files are read in the order of their paths, including sub-folders. Names that begin with a dot and
other endings are skipped, links to folders are not followed, and a link that leads out of the
folder is a fault. Files may be compressed (.gz, .zst). A single file is read as a folder of one.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from dragoman.errors import InputError
from dragoman.text.files import LONGEST_LINE, Faults, ending, open_bytes
from dragoman.text.formats.html import read_page
from dragoman.text.records import Location, check_id, check_language
from dragoman.types import Document

HTML = frozenset({".html", ".htm", ".xhtml"})
MARKDOWN = frozenset({".md", ".markdown"})
ENDINGS = HTML | MARKDOWN | {".txt"}


def read_documents(folder: Path, faults: Faults) -> Iterator[Document]:
    """One document per file; the language is an HTML page's ``lang``, else unknown."""
    is_empty = True
    for path in [folder] if folder.is_file() else _files(folder):
        is_empty = False
        doc_id = path.name if path == folder else path.relative_to(folder).as_posix()
        try:
            if not path.resolve().is_relative_to(folder.resolve()):
                raise Location(path).fault(
                    found="a link that leads out of the folder", expected="files inside it"
                )
            document = _read_file(path, doc_id)
        except InputError as error:
            faults.report(error)
        else:
            yield document
    if is_empty:
        expected = f"files that end in {', '.join(sorted(ENDINGS))}"
        raise InputError(folder, None, found="no text file", expected=expected)


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise InputError(folder, None, found="no such folder", expected="a folder of text files")
    for parent, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if not name.startswith(".") and ending(path) in ENDINGS:
                yield path


def _refuse(error: OSError) -> None:
    raise InputError(error.filename, None, found=str(error.strerror), expected="a readable folder")


def _read_file(path: Path, doc_id: str) -> Document:
    location = Location(path)
    check_id(location, doc_id)
    content = _decode(location, _read_bytes(path))
    title = language = ""
    if ending(path) in HTML:
        try:
            page = read_page(content)
        except ValueError as error:
            raise location.fault(found=f"broken HTML ({error})", expected="HTML") from error
        title, content = page.title, page.text
        language = check_language(Location(path, page.language_line), page.language)
    elif ending(path) in MARKDOWN:
        title, content = _split_heading(content)
    if not title and not content.strip():
        raise location.fault(found="no text", expected="a file with text in it")
    return Document(doc_id, content.strip(), title, language)


def _read_bytes(path: Path) -> bytes:
    with open_bytes(path) as stream:
        content = stream.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        found = f"more than {LONGEST_LINE:,} bytes"
        raise InputError(path, None, found=found, expected="one document that fits in memory")
    return content


def _decode(location: Location, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Location(location.path, line).fault(
            found=f"the byte 0x{content[error.start]:02x}",
            expected="UTF-8 text",
            advice="Convert the file first, for example with iconv -t UTF-8.",
        ) from error


def _split_heading(content: str) -> tuple[str, str]:
    """The first-level heading that opens a Markdown file, and the rest; else "" and all of it."""
    first, _, rest = content.lstrip().partition("\n")
    if first.startswith("# "):
        return first[2:].strip().rstrip("#").strip(), rest
    return "", content
