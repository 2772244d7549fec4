import gzip

import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import sgml_blocks


def blocks(path, text, faults=None, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return [block for _, block in sgml_blocks.read_blocks(path, faults or Faults(), ("doc",))]


def test_blocks_have_their_line_attributes_and_content(tmp_path):
    read = blocks(tmp_path / "a", "x <DOC>a</DOC><doc lang='en' n=3 t=\"&lt;\">\nb\n</Doc>\nrest")
    assert read == [(1, {}, "a"), (1, {"lang": "en", "n": "3", "t": "<"}, "\nb\n")]


def test_a_packed_file_in_an_old_encoding_is_read(tmp_path):
    text = "<DOC>\nDer Fluß führt früh im März große Mengen Wasser für die Mühlen.\n</DOC>\n"
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"plain ascii\n" * 10_000 + text.encode("latin-1")))
    [(line, block)] = sgml_blocks.read_blocks(path, Faults(), ("doc",))
    assert (line, "große Mengen" in block.content) == (10_001, True)


def test_a_block_without_an_end_is_named_and_the_others_are_read(tmp_path):
    text = "<DOC>\none\n<DOC>two</DOC>\n<DOC>three"
    with pytest.raises(InputError, match="line 1: found a block without an end"):
        blocks(tmp_path / "a", text)
    faults = Faults(OnError.SKIP)
    assert [block.content for block in blocks(tmp_path / "a", text, faults)] == ["two"]
    assert "line 4: found a block without an end" in faults.examples[1]


def test_a_file_without_blocks_and_one_that_never_ends_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="found no <doc>; expected at least one"):
        blocks(tmp_path / "a", "<html>")
    monkeypatch.setattr(sgml_blocks, "LONGEST_BLOCK", 10)
    with pytest.raises(InputError, match="line 2: found a block above 10 letters"):
        blocks(tmp_path / "a", "\n<DOC>\naaaaaaaaaaaaaaa")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<P>\r\n a  b\t\n\n </P>\nc", "a b\nc"),
        ("R&amp;D, AT&T &eacute;", "R&D, AT&T é"),
        ("1 < 2 <F P=105> x", "1 < 2 x"),
    ],
)
def test_text_is_without_tags_and_entities(markup, text):
    assert sgml_blocks.plain_text(markup) == text
