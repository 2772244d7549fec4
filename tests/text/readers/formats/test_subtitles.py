import pytest

from dragoman.text.readers.contents import NoTextInFile
from file_contents import contents, texts

SRT = """1
00:00:01,000 --> 00:00:03,000
<i>Guten</i> {\\an8}Morgen

2
00:00:59,500 --> 00:01:00,000
NOTE: zweite Zeile
dritte

3
01:02:03,000 --> 01:02:04,000
Ende &amp; Schluss
"""


def test_what_is_spoken_comes_by_minutes(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text(SRT)
    assert [(one.heading, one.text.strip()) for one in contents(path, "subtitles")[1:]] == [
        ("00:00", "Guten Morgen\nNOTE: zweite Zeile\ndritte"),
        ("01:02", "Ende & Schluss"),
    ]


def test_notes_styles_and_names_of_cues_in_webvtt_are_left_out(tmp_path):
    path = tmp_path / "a.vtt"
    path.write_text(
        "WEBVTT - Titel\n\nNOTE\nmehrere\nZeilen\n\nSTYLE\n::cue {}\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start\n<v Anna>Hallo\n"
        "2\n00:03.000 --> 00:04.000\nWelt\n"
    )
    assert texts(contents(path, "subtitles")) == ["Hallo\nWelt"]


def test_other_encodings_are_read(tmp_path):
    path = tmp_path / "a.srt"
    text = "Хлеб пекут из муки, воды и соли в горячей печи"
    path.write_bytes(f"1\r\n00:00:01,000 --> 00:00:03,000\r\n{text}\r\n".encode("cp1251"))
    assert texts(contents(path, "subtitles")) == [text]


def test_a_file_without_times_has_no_text(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text("nothing\n" * 3)
    with pytest.raises(NoTextInFile, match="no line with a time"):
        contents(path, "subtitles")
