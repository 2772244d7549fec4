import pytest

from dragoman.text.readers.contents import NoTextInFile
from file_contents import contents, texts


def rtf(path, body):
    path.write_bytes(body if isinstance(body, bytes) else body.encode("latin-1"))
    return path


def test_paragraphs_letters_and_the_title_are_read(tmp_path):
    body = (
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}"
        r"{\info{\title Ein \'dcberblick}{\author A. B\u228?cker}}"
        r"Brot \'fcber K\u228?se\par Zweiter {\b Absatz}\par}"
    )
    begun, *_ = found = contents(rtf(tmp_path / "a.rtf", body), "rtf")
    assert (begun.title, begun.metadata) == ("Ein Überblick", {"author": "A. Bäcker"})
    assert texts(found) == ["Brot über Käse\nZweiter Absatz"]


@pytest.mark.parametrize(
    ("code_page", "text"), [(1251, "Хлеб и вода"), (1250, "žluťoučký kůň"), (932, "パンと水")]
)
def test_code_pages_are_honoured(code_page, text, tmp_path):
    encoded = "".join(f"\\'{byte:02x}" for byte in text.encode(f"cp{code_page}"))
    path = rtf(tmp_path / "a.rtf", rf"{{\rtf1\ansi\ansicpg{code_page} {encoded}\par}}")
    assert texts(contents(path, "rtf")) == [text]


def test_pictures_are_left_out(tmp_path):
    picture = "{\\pict\\pngblip\n" + "89504e47" * 20_000 + "}"
    path = rtf(tmp_path / "a.rtf", "{\\rtf1\\ansi before " + picture + "after}")
    assert texts(contents(path, "rtf"))[0].split() == ["before", "after"]


@pytest.mark.parametrize("body", [r"{\rtf1", r"{\rtf1}", "{" * 5000, r"{\rtf1\ansi\ansicpg99999}"])
def test_a_broken_or_empty_document_has_no_text(body, tmp_path):
    with pytest.raises(NoTextInFile, match="without text"):
        contents(rtf(tmp_path / "a.rtf", body), "rtf")
