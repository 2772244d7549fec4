import pytest

chinese = pytest.importorskip("dragoman.tokens.chinese", reason="the extra cjk is not installed")


def test_words_spell_the_run(capfd):
    segmenter = chinese.ChineseSegmenter()
    assert segmenter.cut("我来到北京清华大学") == ["我", "来到", "北京", "清华大学"]
    assert capfd.readouterr() == ("", "")


def test_the_version_is_named():
    assert chinese.ChineseSegmenter.name.startswith("jieba 0.")
