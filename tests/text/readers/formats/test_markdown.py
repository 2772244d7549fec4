import pytest

from dragoman.text.readers.formats import markdown
from file_contents import contents, texts


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def test_text_comes_under_its_headings_without_markup(tmp_path):
    source = (
        "# Brot\n\nMit *Mehl* und [Salz](http://x.y), `500 g` ![ein Bild](a.png)\n\n"
        "## Liste\n\n- eins\n- zwei\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```\n"
    )
    begun, first, second = contents(written(tmp_path / "a.md", source), "markdown")
    assert begun.title == "Brot"
    assert (first.heading, first.text.strip()) == (
        "Brot",
        "Brot\n\nMit Mehl und Salz, 500 g ein Bild",
    )
    assert second.heading == "Liste"
    assert [line.strip(" |") for line in second.text.split("\n") if line.strip()] == [
        *("Liste", "eins", "zwei", "a | b", "c | d", "code")
    ]


def test_front_matter_is_metadata(tmp_path):
    source = (
        "---\ntitle: Brot\nlang: de\ntags: [a, 1]\ndate: 2024-03-01\ndraft: false\nempty:\n"
        "score: .nan\nlarge: 99999999999999999999\n---\nText\n"
    )
    begun, section = contents(written(tmp_path / "a.md", source), "markdown")
    assert (begun.title, begun.language) == ("Brot", "de")
    assert begun.metadata == {
        "tags": ["a", "1"],
        "date": "2024-03-01",
        "draft": False,
        "score": "nan",
        "large": "99999999999999999999",
    }
    assert section.text.strip() == "Text"


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)
)


@pytest.mark.parametrize(
    "matter",
    ["a: [", "- list", "just text", LAUGHS, "a: !!python/object:os.system x", "? {a: b}: c"],
)
def test_front_matter_that_cannot_be_used_stays_text(matter, tmp_path):
    begun, *_ = found = contents(
        written(tmp_path / "a.md", f"---\n{matter}\n---\nText"), "markdown"
    )
    assert begun.metadata == {} or set(begun.metadata) == {"{'a': 'b'}"}
    assert texts(found)[0].endswith("Text")


def test_html_inside_is_read_as_text_and_broken_html_is_none(tmp_path):
    path = written(
        tmp_path / "a.md", "<div>\n<b>Brot</b> und\n</div>\n\n<div>\n<![odd[\n</div>\n\nButter"
    )
    assert texts(contents(path, "markdown"))[0].split() == ["Brot", "und", "Butter"]


def test_other_encodings_are_read(tmp_path):
    text = "Die Bäckerei öffnet früh am Morgen, und die Brötchen sind noch heiß."
    path = written(tmp_path / "a.md", f"# Öl\n\n{text}", "latin-1")
    assert texts(contents(path, "markdown")) == [f"Öl\n\n{text}"]


def test_a_text_too_long_to_parse_is_read_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(markdown, "LARGEST", 10)
    assert texts(contents(written(tmp_path / "a.md", "# A *b* " * 9), "markdown")) == [
        ("# A *b* " * 9).strip()
    ]


@pytest.mark.parametrize("source", [">" * 5000 + "x", "[" * 5000, "- " * 5000 + "x", "*a" * 5000])
def test_deep_nesting_is_read(source, tmp_path):
    assert contents(written(tmp_path / "a.md", source), "markdown")
