import pytest

from dragoman.text.readers.contents import NoTextInFile, UnreadableFile
from file_contents import contents
from small_files import pdf


def test_pages_title_author_and_language_are_read(tmp_path):
    path = pdf(
        tmp_path / "a.pdf", [["Bread", "and butter"], [], ["Caf\\351"]], "Recipes", "/Lang (fr)"
    )
    begun, first, last = contents(path, "pdf")
    assert (begun.title, begun.language) == ("Recipes", "fr")
    assert begun.metadata == {"pages": 3, "author": "A. Baker"}
    assert (first.page, first.text.split()) == (1, ["Bread", "and", "butter"])
    assert (last.page, last.text.strip()) == (3, "Café")


def test_pages_are_cut_at_their_bookmarks(tmp_path):
    outline = "/Outlines << /Type /Outlines /First {0} 0 R /Last {1} 0 R /Count 2 >>"
    pages = [["before", "Flour", "is white"], ["still flour", "Water", "is wet"]]
    path = pdf(tmp_path / "a.pdf", pages, "T", outline.format(20, 21))
    marks = (
        b"20 0 obj\n<< /Title (Flour) /Dest [4 0 R /Fit] /Next 21 0 R >>\nendobj\n"
        b"21 0 obj\n<< /Title (Water) /Dest [6 0 R /Fit] /Prev 20 0 R >>\nendobj\n"
    )
    head = path.read_bytes().partition(b"xref\n")[0]
    path.write_bytes(head + marks + b"trailer\n<< /Root 1 0 R /Size 22 >>\n%%EOF\n")
    found = [(s.page, s.heading, s.text.split()) for s in contents(path, "pdf")[1:]]
    assert found == [
        (1, "", ["before"]),
        (1, "Flour", ["Flour", "is", "white"]),
        (2, "Flour", ["still", "flour"]),
        (2, "Water", ["Water", "is", "wet"]),
    ]


def test_a_pdf_of_pictures_says_that_it_has_no_text(tmp_path):
    with pytest.raises(NoTextInFile, match="2 pages of images, probably scanned"):
        contents(pdf(tmp_path / "a.pdf", [[], []]), "pdf")


def test_a_pdf_with_a_password_says_so(tmp_path):
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'11' * 32}> /U <{'22' * 32}> >>"
    path = pdf(tmp_path / "a.pdf", [["secret"]], trailer=f"{lock} /ID [<00> <00>]")
    with pytest.raises(UnreadableFile, match="needs a password"):
        contents(path, "pdf")


def test_a_broken_pdf_is_unreadable(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing else")
    with pytest.raises(UnreadableFile, match="a broken PDF"):
        contents(path, "pdf")
