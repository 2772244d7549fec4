"""Limits of zipped documents, shown on Word documents."""

import zipfile

import pytest

from dragoman.text.readers.contents import ReaderConfig, UnreadableFile
from dragoman.text.readers.file_types import FileType, type_of
from dragoman.text.readers.formats import zipped_xml
from dragoman.text.readers.formats.zipped_xml import open_document
from file_contents import contents
from small_files import docx, paragraph, zipped

LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">
<!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
<!ENTITY lol2 "&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;">]><lolz>&lol2;</lolz>"""
EXTERNAL = """<!DOCTYPE a [<!ENTITY file SYSTEM "file:///etc/passwd">]><a>&file;</a>"""


@pytest.mark.parametrize("body", [LAUGHS, EXTERNAL])
def test_entities_are_refused(body, tmp_path):
    path = zipped(tmp_path / "a.docx", {"word/document.xml": body})
    with pytest.raises(UnreadableFile, match="EntitiesForbidden"):
        contents(path, "docx")


def test_an_entry_that_expands_too_far_is_refused(tmp_path):
    path = docx(tmp_path / "a.docx", paragraph("x" * 1_000_000))
    assert path.stat().st_size < 10_000
    with pytest.raises(UnreadableFile, match="expands beyond every limit"):
        contents(path, "docx", expanded_bytes=100_000)


def test_entries_together_may_not_expand_too_far(tmp_path):
    path = zipped(tmp_path / "a.zip", dict.fromkeys("abc", "x" * 1000))
    with open_document(path, ReaderConfig(expanded_bytes=2500)) as document:
        assert document.read("a") + document.read("b") == b"x" * 2000
        with pytest.raises(UnreadableFile, match="'c' that expands"):
            document.read("c")


def test_one_entry_has_a_limit_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(zipped_xml, "LARGEST_ENTRY", 1000)
    with pytest.raises(UnreadableFile, match="expands beyond"):
        contents(docx(tmp_path / "a.docx", paragraph("x" * 2000)), "docx")


def test_too_many_entries_are_refused(tmp_path):
    path = zipped(tmp_path / "a.docx", {str(number): "" for number in range(20)})
    with pytest.raises(UnreadableFile, match="more than 10 entries"):
        contents(path, "docx", members=10)


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_deep_nesting_is_refused(depth, tmp_path):
    body = "<a>" * depth + "</a>" * depth
    with pytest.raises(UnreadableFile, match="inside each other"):
        contents(zipped(tmp_path / "a.docx", {"word/document.xml": body}), "docx")


def test_an_entry_with_a_wrong_checksum_is_unreadable(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/document.xml", "<a>text</a>")
    path.write_bytes(path.read_bytes().replace(b"<a>text", b"<a>tent", 1))
    with pytest.raises(UnreadableFile, match="CRC"):
        contents(path, "docx")


def test_a_name_of_an_entry_that_is_no_utf8_is_unreadable(tmp_path):
    path = zipped(tmp_path / "a.docx", {"word/document.xml": "<a/>", "wörd": ""})
    path.write_bytes(path.read_bytes().replace("wörd".encode(), b"w\xff\xffrd"))
    with pytest.raises(UnreadableFile, match="can't decode"):
        contents(path, "docx")
    assert type_of(path) is FileType.ZIP
