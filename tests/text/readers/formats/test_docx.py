import pytest

from dragoman.text.readers.contents import UnreadableFile
from file_contents import contents, texts
from small_files import core, docx, encrypted, paragraph, zipped

STYLES = """<w:styles xmlns:w="urn:w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/>
</w:style><w:style w:styleId="Zitat"><w:name w:val="Quote"/></w:style></w:styles>"""


def test_paragraphs_come_under_the_headings_of_any_language_of_word(tmp_path):
    path = docx(
        tmp_path / "a.docx",
        paragraph("Einleitung", "berschrift1"),
        paragraph("Brot & Butter", "Zitat"),
        paragraph("Second", "Heading2"),
        paragraph("Käse"),
        word__styles=STYLES,
        docProps__core=core("Rezepte", "A. Bäcker", "de-DE"),
    )
    begun, *sections = contents(path, "docx")
    assert (begun.title, begun.language) == ("Rezepte", "de-DE")
    assert begun.metadata == {"author": "A. Bäcker"}
    assert [(one.heading, one.text.strip()) for one in sections] == [
        ("Einleitung", "Einleitung"),
        ("Einleitung", "Brot & Butter"),
        ("Second", "Second"),
        ("Second", "Käse"),
    ]


def test_outline_levels_are_headings_and_body_text_is_none(tmp_path):
    level = '<w:p><w:pPr><w:outlineLvl w:val="{}"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    path = docx(tmp_path / "a.docx", level.format(0, "Top"), level.format(9, "Body"))
    assert [one.heading for one in contents(path, "docx")[1:]] == ["Top", "Top"]


def test_tables_are_read_row_by_row_and_notes_after_the_body(tmp_path):
    cell = "<w:tc>{}</w:tc>"
    row = f"<w:tr>{cell.format(paragraph('Flour'))}{cell.format(paragraph('500 g'))}</w:tr>"
    notes = (
        f'<w:footnotes xmlns:w="urn:w"><w:footnote>{paragraph("A note")}</w:footnote></w:footnotes>'
    )
    path = docx(tmp_path / "a.docx", f"<w:tbl>{row}</w:tbl>", word__footnotes=notes)
    assert texts(contents(path, "docx")) == ["Flour | 500 g\n\nA note"]


def test_insertions_text_boxes_and_content_controls_are_read_and_deletions_are_not(tmp_path):
    run = "<w:r><w:t>{}</w:t></w:r>"
    box = (
        "<mc:AlternateContent><mc:Choice><w:txbxContent>"
        f"{paragraph('in a')}{paragraph('box')}</w:txbxContent></mc:Choice>"
        f"<mc:Fallback>{paragraph('twice')}</mc:Fallback></mc:AlternateContent>"
    )
    path = docx(
        tmp_path / "a.docx",
        f"<w:p><w:ins>{run.format('added ')}</w:ins><w:del>{run.format('removed ')}</w:del>"
        f"{run.format('text')}<w:r><w:tab/><w:t>after</w:t></w:r></w:p>",
        f"<w:sdt><w:sdtContent>{paragraph('controlled')}</w:sdtContent></w:sdt>",
        f"<w:p><w:r>{box}</w:r></w:p>",
    )
    assert texts(contents(path, "docx")) == ["added text\tafter\n\ncontrolled\n\nin a\nbox"]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"a": "b"}, "no entry 'word/document.xml'"),
        ({"word/document.xml": "<w:document"}, "broken XML in 'word/document.xml'"),
        ({"word/document.xml": ""}, "broken XML"),
    ],
)
def test_a_broken_document_says_where(entries, expected, tmp_path):
    with pytest.raises(UnreadableFile, match=expected):
        contents(zipped(tmp_path / "a.docx", entries), "docx")


def test_a_truncated_and_an_encrypted_document_are_unreadable(tmp_path):
    path = docx(tmp_path / "a.docx", paragraph("text"))
    with pytest.raises(UnreadableFile, match="encrypted"):
        contents(encrypted(path), "docx")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UnreadableFile, match="broken or encrypted zip"):
        contents(path, "docx")


def test_an_empty_document_has_no_sections(tmp_path):
    assert len(contents(docx(tmp_path / "a.docx"), "docx")) == 1
