import pytest

from dragoman.text.readers.contents import Decoded, UnreadableFile
from file_contents import contents, texts

RUSSIAN = "Хлеб пекут из муки, воды и соли в горячей печи каждое утро.\n" * 5


def test_an_encoding_other_than_utf8_is_named_in_the_metadata(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(RUSSIAN.encode("koi8-r"))
    note, begun, *_ = found = contents(path, "text")
    assert note == Decoded("koi8_r")
    assert begun.metadata == {"encoding": "koi8_r"}
    assert texts(found) == [RUSSIAN.strip()]


def test_utf8_is_not_named(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text(RUSSIAN, encoding="utf-8-sig")
    begun, *_ = found = contents(path, "text")
    assert begun.metadata == {}
    assert texts(found) == [RUSSIAN.strip()]


def test_a_long_text_comes_whole_though_letters_lie_across_its_chunks(tmp_path):
    path = tmp_path / "letter.txt"
    text = "a" + "é€😀" * 50_000
    path.write_text(text, encoding="utf-8")
    found = contents(path, "text")
    assert texts(found) == [text]
    assert len(found) > 3


def test_a_picture_under_the_name_of_a_text_is_refused(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with pytest.raises(UnreadableFile, match="no text"):
        contents(path, "text")
