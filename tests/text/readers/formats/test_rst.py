import pytest

from dragoman.text.readers.contents import UnreadableFile
from dragoman.text.readers.formats import rst
from file_contents import contents, texts


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_text_comes_under_its_headings_without_markup(tmp_path):
    source = (
        "Brot\n====\n\n:author: A. Bäcker\n:version: 3\n:mine: yes\n\n"
        "Mit *Mehl* und ``Salz``, :ref:`mehr <x>`.\n\nListe\n-----\n\n- eins\n- zwei\n\n"
        "=====  =====\na      b\n=====  =====\nc      d\n=====  =====\n"
    )
    begun, *sections = contents(written(tmp_path / "a.rst", source), "rst")
    assert begun.title == "Brot"
    assert begun.metadata == {"author": "A. Bäcker", "version": "3", "mine": "yes"}
    shown = [(one.heading, one.text.strip()) for one in sections]
    assert shown[0] == ("Brot", "Brot")
    assert shown[1][0] == "Brot"
    assert shown[1][1].startswith("Mit Mehl und Salz, ")
    assert "mehr" in shown[1][1]
    assert shown[2:] == [
        ("Liste", "Liste"),
        ("Liste", "eins"),
        ("Liste", "zwei"),
        ("Liste", "a | b"),
        ("Liste", "c | d"),
    ]


def test_the_content_of_directives_is_read_whether_docutils_knows_them_or_not(tmp_path):
    source = (
        "T\n=\n\n.. note:: Achtung\n\n.. versionadded:: 3.2\n   Neu ist *das*.\n\n"
        ".. tabs::\n   :name: x\n\n   Drinnen\n\nDanach\n"
    )
    text = texts(contents(written(tmp_path / "a.rst", source), "rst"))[0]
    assert [line for line in text.split("\n") if line] == [
        *("T", "Achtung", "3.2", "Neu ist *das*.", "Drinnen", "Danach")
    ]


@pytest.mark.parametrize(
    "directive", [".. include:: /etc/passwd", ".. raw:: html\n   :file: /etc/passwd"]
)
def test_no_other_file_is_read(directive, tmp_path):
    text = texts(contents(written(tmp_path / "a.rst", f"Brot\n\n{directive}\n\nEnde"), "rst"))[0]
    assert "root:" not in text
    assert text.endswith("Ende")


def test_a_text_too_long_to_parse_is_read_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(rst, "LARGEST", 10)
    assert texts(contents(written(tmp_path / "a.rst", "*a* " * 9), "rst")) == [("*a* " * 9).strip()]


def test_blocks_nested_too_deeply_are_refused(tmp_path):
    source = "\n\n".join(" " * depth + "- x" for depth in range(0, 1600, 2))
    with pytest.raises(UnreadableFile, match="nested too deeply"):
        contents(written(tmp_path / "a.rst", source), "rst")
