"""A file's name and first bytes -> its type.

The name decides where its ending is known; the first bytes decide for other names and where the
ending and a binary format's signature disagree.
"""

import os
import zipfile
import zlib
from enum import StrEnum
from pathlib import Path
from typing import IO

from dragoman.text.formats.sgml_documents import DOCUMENT_TAGS
from dragoman.text.readers.encoding import unmarked_utf16

HEAD = 4096  # bytes that are looked at


class FileType(StrEnum):
    """What a file is; those that ``is_passed_over`` hold no text for people to search."""

    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    OPENDOCUMENT = "opendocument"
    EPUB = "epub"
    RTF = "rtf"
    HTML = "html"
    MARKDOWN = "markdown"
    RESTRUCTURED_TEXT = "rst"
    EML = "eml"
    MBOX = "mbox"
    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    JSONL = "jsonl"
    SUBTITLES = "subtitles"
    TREC = "trec"  # SGML with many documents
    ZIP = "zip"
    TAR = "tar"
    COMPRESSED = "compressed"  # one file, packed by gzip, zstandard, bzip2 or xz
    TEXT = "text"

    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    FONT = "font"
    CODE = "code"
    OLD_OFFICE = "old Office format"
    ENCRYPTED = "encrypted Office"
    BINARY = "binary"
    EMPTY = "empty file"

    @property
    def is_passed_over(self) -> bool:
        """Whether no reader takes such files."""
        return self in PASSED_OVER


PASSED_OVER = frozenset(
    {
        *(FileType.IMAGE, FileType.AUDIO, FileType.VIDEO, FileType.FONT),
        *(FileType.CODE, FileType.OLD_OFFICE, FileType.ENCRYPTED),
        *(FileType.BINARY, FileType.EMPTY),
    }
)

_ENDINGS = {
    FileType.PDF: "pdf",
    FileType.DOCX: "docx docm dotx",
    FileType.PPTX: "pptx pptm ppsx",
    FileType.XLSX: "xlsx xlsm xltx",
    FileType.OPENDOCUMENT: "odt ods odp ott fodt fods fodp",
    FileType.EPUB: "epub",
    FileType.RTF: "rtf",
    FileType.HTML: "html htm xhtml",
    FileType.MARKDOWN: "md markdown mdown",
    FileType.RESTRUCTURED_TEXT: "rst",
    FileType.EML: "eml",
    FileType.MBOX: "mbox",
    FileType.CSV: "csv",
    FileType.TSV: "tsv tab",
    FileType.JSON: "json",
    FileType.JSONL: "jsonl ndjson",
    FileType.SUBTITLES: "srt vtt",
    FileType.ZIP: "zip",
    FileType.TAR: "tar tgz tbz2 txz",
    FileType.COMPRESSED: "gz zst bz2 xz",
    FileType.TEXT: "txt text log asc",
    FileType.IMAGE: "png jpg jpeg gif bmp tif tiff webp svg ico heic psd",
    FileType.AUDIO: "mp3 wav ogg flac m4a aac opus mid",
    FileType.VIDEO: "mp4 mkv avi mov webm mpg mpeg wmv",
    FileType.FONT: "ttf otf woff woff2",
    FileType.CODE: "py js mjs ts tsx jsx c h cc cpp hpp cs java kt rs go rb php pl pm sh bash ps1"
    " bat lua r jl scala swift sql css scss less xml xsl xsd yaml yml toml ini cfg conf cmake mk"
    " tex bib ipynb po pot",
    FileType.OLD_OFFICE: "doc xls ppt msg",
    FileType.BINARY: "exe dll so o a bin dat db sqlite sqlite3 iso img deb rpm jar class pyc whl"
    " npy npz onnx safetensors parquet",
}
ENDINGS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
_TAR_PACKED = (".tar.gz", ".tar.zst", ".tar.bz2", ".tar.xz")

_SIGNATURES = (
    (b"{\\rtf", FileType.RTF),
    (b"\x1f\x8b", FileType.COMPRESSED),
    (b"\x28\xb5\x2f\xfd", FileType.COMPRESSED),
    (b"BZh", FileType.COMPRESSED),
    (b"\xfd7zXZ\x00", FileType.COMPRESSED),
    (b"\x89PNG", FileType.IMAGE),
    (b"\xff\xd8\xff", FileType.IMAGE),
    (b"GIF8", FileType.IMAGE),
    (b"\x7fELF", FileType.BINARY),
    (b"SQLite format 3\x00", FileType.BINARY),
)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_ENTRY = "EncryptedPackage".encode("utf-16-le")


def type_of(path: Path, name: str = "") -> FileType:
    """The type of the file at ``path``; ``name`` is its own where ``path`` is a copy."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    if not head:
        return FileType.EMPTY
    named = _by_name((name or path.name).lower())
    signed = _by_signature(path, head)
    if signed is not None:
        return named if named is not None and _fits(named, signed, path) else signed
    if (tagged := _by_tags(named, head)) is not None:
        return tagged
    if named is not None and named not in _ALWAYS_SIGNED:
        return named
    return FileType.BINARY if _is_binary(head) else _by_text(head)


def _fits(named: FileType, signed: FileType, path: Path) -> bool:
    """Whether a file can be what its name says; a damaged zipped document can."""
    if signed is FileType.ZIP and named in _ZIPPED:
        return named is signed or not zipfile.is_zipfile(path)
    return named in _SIGNED_ALIKE.get(signed, (signed,))


def _by_name(name: str) -> FileType | None:
    if name.endswith(_TAR_PACKED):
        return FileType.TAR
    return ENDINGS.get(name.rpartition(".")[2]) if "." in name else None


_ZIPPED = (
    *(FileType.DOCX, FileType.PPTX, FileType.XLSX),
    *(FileType.OPENDOCUMENT, FileType.EPUB, FileType.ZIP),
)
_ALWAYS_SIGNED = frozenset({*_ZIPPED, FileType.PDF, FileType.RTF, FileType.COMPRESSED})
_SIGNED_ALIKE = {FileType.COMPRESSED: (FileType.COMPRESSED, FileType.TAR)}


def _by_signature(path: Path, head: bytes) -> FileType | None:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped_type(path)
    if b"%PDF-" in head[:1024]:
        return FileType.PDF
    if head[257:262] == b"ustar":
        return FileType.TAR
    if head.startswith(_COMPOUND):
        return FileType.ENCRYPTED if _is_encrypted(path) else FileType.OLD_OFFICE
    return next((kind for mark, kind in _SIGNATURES if head.startswith(mark)), None)


def _zipped_type(path: Path) -> FileType:
    """Which document format a zip file is; a plain archive where it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = frozenset(archive.namelist())
            if "mimetype" in names:
                with archive.open("mimetype") as stream:
                    declared = stream.read(256)
                if declared.startswith(b"application/epub"):
                    return FileType.EPUB
                if b"opendocument" in declared:
                    return FileType.OPENDOCUMENT
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError, zlib.error):
        return FileType.ZIP
    if "[Content_Types].xml" in names:
        for folder, kind in (
            ("word/", FileType.DOCX),
            ("ppt/", FileType.PPTX),
            ("xl/", FileType.XLSX),
        ):
            if any(name.startswith(folder) for name in names):
                return kind
    return FileType.ZIP


def _is_encrypted(path: Path) -> bool:
    """Whether a compound file holds a new Office document under a password."""
    with path.open("rb") as stream:
        return _ENCRYPTED_ENTRY in stream.read(1 << 20) or _ends_encrypted(stream)


def _ends_encrypted(stream: IO[bytes]) -> bool:
    stream.seek(max(stream.seek(0, os.SEEK_END) - (1 << 20), 0))
    return _ENCRYPTED_ENTRY in stream.read()


def _by_tags(named: FileType | None, head: bytes) -> FileType | None:
    """What the first tags say, whatever the name: files of TREC often have no ending."""
    if named is FileType.OPENDOCUMENT and b"<office:document" in head:  # XML that is not zipped
        return named
    return FileType.TREC if DOCUMENT_TAGS.match(head) else None


def _is_binary(head: bytes) -> bool:
    """Whether the first bytes are no text in any encoding: NUL bytes tell, UTF-16 aside."""
    return b"\x00" in head and not head.startswith(_UTF16_MARKS) and not unmarked_utf16(head)


def _by_text(head: bytes) -> FileType:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return FileType.HTML
    if head.startswith(b"#!"):
        return FileType.CODE
    if head.startswith(b"From ") and b"\nFrom: " in head:
        return FileType.MBOX
    return FileType.TEXT
