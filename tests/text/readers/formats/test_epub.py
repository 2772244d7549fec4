import pytest

from dragoman.text.readers.contents import UnreadableFile
from file_contents import contents, texts
from small_files import epub, zipped

METADATA = (
    "<dc:title>Das Buch</dc:title><dc:creator>A. Bäcker</dc:creator><dc:language>de</dc:language>"
)
CHAPTER = "<html><head><title>{0}</title></head><body>{1}</body></html>"


def test_chapters_come_in_reading_order_under_their_headings(tmp_path):
    path = epub(
        tmp_path / "a.epub",
        {
            "z.xhtml": CHAPTER.format("Zwei", "<p>ohne Kopf</p>"),
            "a.xhtml": CHAPTER.format("Eins", "<h1>Brot</h1><p>Käse</p><h2>Salz</h2><p>mehr</p>"),
        },
        METADATA,
    )
    begun, *sections = contents(path, "epub")
    assert (begun.title, begun.language) == ("Das Buch", "de")
    assert begun.metadata == {"author": "A. Bäcker"}
    assert [(one.heading, one.text.split()) for one in sections] == [
        ("Zwei", ["ohne", "Kopf"]),
        ("Brot", ["Brot", "Käse"]),
        ("Salz", ["Salz", "mehr"]),
    ]


def test_a_chapter_in_utf16_is_read(tmp_path):
    path = epub(tmp_path / "a.epub", {"a": CHAPTER.format("T", "<p>Käse</p>").encode("utf-16")})
    assert texts(contents(path, "epub")) == ["Käse"]


def test_a_book_without_chapters_has_no_sections(tmp_path):
    assert len(contents(epub(tmp_path / "a.epub", {}), "epub")) == 1


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"a": ""}, r"no entry 'META-INF/container.xml'"),
        ({"META-INF/container.xml": "<a/>"}, "no package named"),
        ({"META-INF/container.xml": '<rootfile full-path="../x"/>'}, r"no entry '\.\./x'"),
    ],
)
def test_a_broken_book_says_where(entries, expected, tmp_path):
    with pytest.raises(UnreadableFile, match=expected):
        contents(zipped(tmp_path / "a.epub", entries), "epub")


def test_a_missing_chapter_is_named(tmp_path):
    path = epub(tmp_path / "a.epub", {"a.xhtml": "<p>x"})
    with_missing = epub(tmp_path / "b.epub", {"a.xhtml": "<p>x", "../../etc/passwd": "x"})
    assert texts(contents(path, "epub")) == ["x"]
    with pytest.raises(UnreadableFile, match="no entry"):
        contents(with_missing, "epub")
