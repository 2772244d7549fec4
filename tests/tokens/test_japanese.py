import pytest

japanese = pytest.importorskip("dragoman.tokens.japanese", reason="the extra cjk is not installed")


def test_words_spell_the_run():
    words = japanese.JapaneseSegmenter().cut("私は学生です")
    assert words == ["私", "は", "学生", "です"]


def test_versions_are_named():
    assert "unidic-lite" in japanese.JapaneseSegmenter.name
