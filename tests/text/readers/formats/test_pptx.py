import pytest

from dragoman.text.readers.contents import UnreadableFile
from file_contents import contents
from small_files import core, zipped

SPACES = 'xmlns:a="urn:a" xmlns:p="urn:p" xmlns:r="urn:r"'
LINE = "<a:p><a:r><a:t>{}</a:t></a:r></a:p>"


def slide(title, *lines, extra=""):
    shape = '<p:sp><p:nvPr><p:ph type="title"/></p:nvPr><p:txBody>{}</p:txBody></p:sp>'
    body = "".join(LINE.format(line) for line in lines)
    return f"<p:sld {SPACES}>{shape.format(LINE.format(title))}<p:sp>{body}</p:sp>{extra}</p:sld>"


def presentation(path, slides, notes=()):
    """Slides in the order given; the file names of slides run backwards."""
    names = [f"slide{len(slides) - number}.xml" for number in range(len(slides))]
    ids = "".join(f'<p:sldId r:id="r{number}"/>' for number in range(len(slides)))
    relations = "".join(
        f'<Relationship Id="r{number}" Target="slides/{name}"/>'
        for number, name in enumerate(names)
    )
    entries = {
        "ppt/presentation.xml": f"<p:presentation {SPACES}>{ids}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": f"<Relationships>{relations}</Relationships>",
        "docProps/core.xml": core("Talk", "A. Baker"),
    }
    for name, content in zip(names, slides, strict=True):
        entries[f"ppt/slides/{name}"] = content
    for number, text in enumerate(notes):
        entries[f"ppt/slides/_rels/{names[number]}.rels"] = (
            f'<a><Relationship Id="n" Target="../notesSlides/n{number}.xml"/></a>'
        )
        entries[f"ppt/notesSlides/n{number}.xml"] = (
            f"<p:notes {SPACES}>{LINE.format(text)}</p:notes>"
        )
    return zipped(path, entries)


def test_slides_are_pages_in_the_order_they_are_shown_with_titles_and_notes(tmp_path):
    path = presentation(
        tmp_path / "a.pptx",
        [slide("Flour", "white", "42"), slide("Water", "cold")],
        notes=["say hello"],
    )
    begun, first, second = contents(path, "pptx")
    assert (begun.title, begun.metadata) == ("Talk", {"author": "A. Baker", "pages": 2})
    assert (first.page, first.heading, first.text) == (1, "Flour", "Flour\nwhite\n42\nsay hello")
    assert (second.page, second.heading, second.text) == (2, "Water", "Water\ncold")


def test_tables_are_read_row_by_row_and_slide_numbers_are_not(tmp_path):
    row = (
        "<a:tr>" + "".join(f"<a:tc>{LINE.format(one)}</a:tc>" for one in ("Salt", "7")) + "</a:tr>"
    )
    number = '<p:sp><a:p><a:fld type="slidenum"><a:t>12</a:t></a:fld></a:p></p:sp>'
    path = presentation(tmp_path / "a.pptx", [slide("T", extra=f"<a:tbl>{row}</a:tbl>{number}")])
    assert contents(path, "pptx")[1].text == "T\nSalt | 7"


def test_slides_that_no_list_names_are_read_by_their_names(tmp_path):
    entries = {"ppt/presentation.xml": "<a/>", "ppt/slides/slide1.xml": slide("Only")}
    assert contents(zipped(tmp_path / "a.pptx", entries), "pptx")[1].text == "Only"


def test_a_presentation_without_its_list_is_broken(tmp_path):
    with pytest.raises(UnreadableFile, match=r"no entry 'ppt/presentation.xml'"):
        contents(zipped(tmp_path / "a.pptx", {"a": ""}), "pptx")
