import pytest

from dragoman.errors import InputError
from dragoman.text.formats.xml_elements import read_elements


def write(tmp_path, text):
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_elements_come_with_their_lines_attributes_and_texts(tmp_path):
    path = write(tmp_path, '<r>\n<a n="1">x<b>y</b>z</a>\n<c><a>\nnested<a/></a></c>skipped</r>')
    found = [(line, e.attrib, "".join(e.itertext())) for line, e in read_elements(path, "a")]
    assert found == [(2, {"n": "1"}, "xyz"), (3, {}, "\nnested")]


def test_an_element_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.text.formats.xml_elements.LONGEST_LINE", 100)
    with pytest.raises(InputError, match="line 2: found an <a> above 100 characters"):
        list(read_elements(write(tmp_path, "<r>\n<a>" + "x" * 200_000 + "</a></r>"), "a"))


def test_files_in_other_encodings_say_so_and_are_read(tmp_path):
    path = tmp_path / "a.xml"
    path.write_bytes("<?xml version='1.0' encoding='iso-8859-1'?><r><a>é</a></r>".encode("latin-1"))
    assert [element.text for _, element in read_elements(path, "a")] == ["é"]
