import pytest

from dragoman.text.readers.contents import FileText, Section, UnreadableFile
from dragoman.text.readers.file_types import FileType, type_of
from file_contents import contents

FIRST = """<DOC>
<DOCNO> FT-1 </DOCNO>
<HEADLINE>Bread</HEADLINE> <DATE>940101</DATE>
<TEXT>
Flour &amp; water.
</TEXT>
</DOC>
"""
SECOND = '<doc lang="de"><docno>FT-2</docno><text>Mehl</text></doc>\n'


def test_every_document_is_a_text_named_by_its_number(tmp_path):
    path = tmp_path / "ft911"
    path.write_text(FIRST + SECOND)
    assert contents(path, "trec") == [
        FileText("FT-1", "Bread", "", {"date": "940101"}),
        Section("Flour & water."),
        FileText("FT-2", "", "de"),
        Section("Mehl"),
    ]


@pytest.mark.parametrize("name", ["ft911", "ft911.txt", "ft911.sgml", "ft911.xml"])
def test_tags_tell_the_type_whatever_the_name(name, tmp_path):
    path = tmp_path / name
    path.write_text(f'<?xml version="1.0"?>\n<corpus>\n{FIRST}')
    assert type_of(path) is FileType.TREC


def test_tags_inside_a_text_do_not_tell_the_type(tmp_path):
    path = tmp_path / "about.txt"
    path.write_text(f"A file of TREC begins with {FIRST}")
    assert type_of(path) is FileType.TEXT


@pytest.mark.parametrize("broken", ["<DOC><TEXT>no number</TEXT></DOC>\n", FIRST])
def test_broken_and_repeated_documents_are_left_out_and_reported(broken, tmp_path):
    path = tmp_path / "ft911"
    path.write_text(FIRST + broken + SECOND)
    with pytest.raises(UnreadableFile, match=r"^line 8: found .*; 1 of 3 documents are broken$"):
        contents(path, "trec")


def test_a_file_without_any_document_is_refused(tmp_path):
    path = tmp_path / "ft911"
    path.write_text("<DOCS></DOCS>")
    with pytest.raises(UnreadableFile, match="no <doc>"):
        contents(path, "trec")
