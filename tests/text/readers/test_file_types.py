import zipfile

import pytest

from dragoman import registry
from dragoman.text.readers.file_types import PASSED_OVER, FileType, type_of

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.pdf", b"%PDF-1.7\n", FileType.PDF),
        ("a.txt", b"%PDF-1.7\n", FileType.PDF),  # the signature of a binary format decides
        ("a.pdf", b"<!DOCTYPE html><p>no PDF", FileType.HTML),
        ("notes", b"plain words", FileType.TEXT),
        ("notes.odd", b"\xef\xbb\xbfplain words", FileType.TEXT),
        ("notes.txt", b"\xff\xfeh\x00i\x00", FileType.TEXT),
        ("notes.txt", b"\x00\x01\x02", FileType.TEXT),
        ("notes", b"\x00\x01\x02", FileType.BINARY),
        ("run", b"#!/bin/sh\n", FileType.CODE),
        ("a.py", b"print()", FileType.CODE),
        ("a.tar.gz", b"\x1f\x8b\x08\x00", FileType.TAR),
        ("a.txt.gz", b"\x1f\x8b\x08\x00", FileType.COMPRESSED),
        ("inbox", b"From a@b Tue\nFrom: a@b\n", FileType.MBOX),
        ("a.doc", OLE, FileType.OLD_OFFICE),
        ("a.doc", OLE + "EncryptedPackage".encode("utf-16-le"), FileType.ENCRYPTED),
        ("a.txt", b"", FileType.EMPTY),
        ("a.fodt", b'<?xml version="1.0"?><office:document>', FileType.OPENDOCUMENT),
        ("a.odt", b"no document at all", FileType.TEXT),
        ("notes", "words without a mark".encode("utf-16-le"), FileType.TEXT),
        ("notes", "words without a mark".encode("utf-16-be"), FileType.TEXT),
        ("notes", bytes(range(256)), FileType.BINARY),
        ("page", b"\n <!DOCTYPE html>", FileType.HTML),
    ],
)
def test_the_name_and_the_first_bytes_tell_the_type(name, head, expected, tmp_path):
    path = tmp_path / name
    path.write_bytes(head)
    assert type_of(path) is expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"[Content_Types].xml": "", "word/document.xml": ""}, FileType.DOCX),
        ({"[Content_Types].xml": "", "xl/workbook.xml": ""}, FileType.XLSX),
        ({"[Content_Types].xml": "", "ppt/presentation.xml": ""}, FileType.PPTX),
        ({"mimetype": "application/epub+zip"}, FileType.EPUB),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, FileType.OPENDOCUMENT),
        ({"a.txt": "x"}, FileType.ZIP),
    ],
)
def test_zipped_documents_are_known_by_their_entries_whatever_their_name(
    entries, expected, tmp_path
):
    path = tmp_path / "file"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    assert type_of(path) is expected


def test_every_type_has_a_reader_or_is_passed_over():
    assert {kind.value for kind in FileType if kind not in PASSED_OVER} == {*registry.FILE_READERS}


def test_an_archive_that_begins_with_a_pdf_file_is_an_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:  # stored as it is
        archive.writestr("a.pdf", "%PDF-1.4")
    assert type_of(tmp_path / "a.zip") is FileType.ZIP
