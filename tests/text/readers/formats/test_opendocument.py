import pytest

from dragoman.text.readers.contents import UnreadableFile
from file_contents import contents, texts
from small_files import encrypted, zipped

NAMES = ("office", "text", "table", "draw", "dc")
SPACES = " ".join(f'xmlns:{name}="urn:{name}"' for name in NAMES)
META = (
    f"<office:document-meta {SPACES}><office:meta><dc:title>Rezepte</dc:title>"
    "<dc:creator>A. Bäcker</dc:creator><dc:language>de-DE</dc:language></office:meta>"
    "</office:document-meta>"
)
ROW = "<table:table-row>{}</table:table-row>"
CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"


def document(path, body, meta=META, **entries):
    content = f"<office:document {SPACES}><office:body>{body}</office:body></office:document>"
    return zipped(path, {"content.xml": content, "meta.xml": meta, **entries})


def test_paragraphs_come_under_their_headings(tmp_path):
    body = (
        "<office:text><text:h>Ein  Kopf</text:h><text:p>Brot<text:s text:c='3'/>und<text:tab/>Käse"
        "<text:line-break/>mehr</text:p><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        "<text:list><text:list-item><text:p>Punkt</text:p></text:list-item></text:list></office:text>"
    )
    begun, *sections = contents(document(tmp_path / "a.odt", body), "opendocument")
    assert (begun.title, begun.language) == ("Rezepte", "de-DE")
    assert begun.metadata == {"author": "A. Bäcker"}
    assert {one.heading for one in sections} == {"Ein  Kopf"}
    assert [one.text.strip() for one in sections] == ["Ein  Kopf", "Brot und\tKäse\nmehr", "Punkt"]


def test_sheets_are_headings_in_spreadsheets_and_tables_of_texts_are_not(tmp_path):
    row = ROW.format(CELL.format("a") + CELL.format("b"))
    table = f'<table:table table:name="Blatt">{row}</table:table>'
    sheet = document(tmp_path / "a.ods", f"<office:spreadsheet>{table}</office:spreadsheet>")
    text = document(tmp_path / "a.odt", f"<office:text>{table}</office:text>")
    assert [(o.heading, o.text) for o in contents(sheet, "opendocument")[1:]] == [
        ("Blatt", "a | b\n")
    ]
    assert [(o.heading, o.text) for o in contents(text, "opendocument")[1:]] == [("", "a | b\n")]


def test_slides_are_pages(tmp_path):
    page = "<draw:page><draw:text-box><text:p>{}</text:p></draw:text-box></draw:page>"
    path = document(tmp_path / "a.odp", page.format("one") + page.format("two"))
    assert [(o.page, o.text.strip()) for o in contents(path, "opendocument")[1:]] == [
        (1, "one"),
        (2, "two"),
    ]


def test_a_flat_document_is_read_without_its_styles(tmp_path):
    path = tmp_path / "a.fodt"
    path.write_text(
        f"<office:document {SPACES}><office:meta><dc:title>Flat</dc:title></office:meta>"
        "<office:styles><text:p>style</text:p></office:styles>"
        "<office:body><office:text><text:p>Brot</text:p></office:text></office:body></office:document>"
    )
    begun, *_ = found = contents(path, "opendocument")
    assert begun.title == "Flat"
    assert texts(found) == ["Brot"]


def test_a_document_with_a_password_says_so(tmp_path):
    manifest = (
        '<m:manifest xmlns:m="urn:m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    )
    path = document(tmp_path / "a.odt", "", **{"META-INF/manifest.xml": manifest})
    with pytest.raises(UnreadableFile, match="needs a password"):
        contents(path, "opendocument")
    with pytest.raises(UnreadableFile, match="encrypted"):
        contents(encrypted(document(tmp_path / "b.odt", "")), "opendocument")


def test_a_broken_document_says_where(tmp_path):
    with pytest.raises(UnreadableFile, match=r"no entry 'content.xml'"):
        contents(zipped(tmp_path / "a.odt", {"a": ""}), "opendocument")
    flat = tmp_path / "a.fodt"
    flat.write_text("<office:document")
    with pytest.raises(UnreadableFile, match="broken XML"):
        contents(flat, "opendocument")
