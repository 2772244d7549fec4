"""Texts of bounded size: nothing lost, every section where its offset says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.readers import assembly
from dragoman.text.readers.assembly import SEPARATOR, ReadReport, SkippedMember, read_texts
from dragoman.text.readers.contents import UnreadableFile

LONGEST = 60


@pytest.fixture(autouse=True)
def short_parts(monkeypatch):
    monkeypatch.setattr(assembly, "LONGEST_PART", LONGEST)


def begun(name="", **fields):
    values = {"title": "", "language": "", "metadata": {}, **fields}
    return {"text": {"name": name, "type": "text", **values}}


def section(text, page=0, heading=""):
    return {"section": {"text": text, "page": page, "heading": heading}}


def assembled(*answers):
    return [*read_texts(answers, ReadReport())]


def test_sections_of_one_page_and_heading_are_one_and_others_have_offsets():
    (text,) = assembled(
        begun(title="T"),
        section("one ", 1),
        section("two", 1),
        section(" ", 2),
        section("three\r\n\r\n \n\nfour", 3),
        section("five", 3, "H"),
    )
    assert text.text == "one two\n\nthree\n\nfour\n\nfive"
    assert text.sections == ((0, 1, ""), (9, 3, ""), (22, 3, "H"))
    assert (text.title, text.part) == ("T", 0)


def test_a_long_text_is_cut_at_spaces_and_its_parts_are_numbered():
    parts = assembled(begun("n", title="T"), section("word " * 30, 4, "H"))
    assert [part.part for part in parts] == [1, 2, 3]
    assert all({*part.text.split()} == {"word"} for part in parts)
    assert all(part.sections == ((0, 4, "H"),) for part in parts)
    assert {(part.name, part.title) for part in parts} == {("n", "T")}


def test_a_file_may_hold_several_texts_and_one_of_a_title_alone():
    texts = assembled(begun("a"), section("one"), begun("b"), begun("c", title="T"), begun("d"))
    assert [(text.name, text.text) for text in texts] == [("a", "one"), ("c", "")]


def test_what_was_passed_over_is_reported():
    report = ReadReport()
    skipped = SkippedMember("a.png", "passed over", "image")
    answers = [begun(), {"skipped": skipped._asdict()}, section("one")]
    (text,) = read_texts(answers, report)
    assert text.text == "one"
    assert report.skipped == [skipped]


def test_what_was_read_before_the_damage_is_kept():
    def answers():
        yield from (begun("a"), section("one"), begun("b"), section("two"))
        raise UnreadableFile("damage")

    texts = []
    with pytest.raises(UnreadableFile, match="damage"):
        texts.extend(one.text for one in read_texts(answers(), ReadReport()))
    assert texts == ["one", "two"]


def test_a_title_alone_is_no_text_of_a_broken_file():
    def answers():
        yield begun("a", title="T")
        raise UnreadableFile("damage")

    texts = []
    with pytest.raises(UnreadableFile, match="damage"):
        texts.extend(read_texts(answers(), ReadReport()))
    assert texts == []


def test_halves_of_letters_and_control_characters_never_get_on():
    (text,) = assembled(
        begun(
            "a\ud800",
            title="b\udfff\nc\0",
            metadata={"k\ud800": "v\ud800", "l": ["\ud800"], "n": 3},
        ),
        section("d\ud800e\x1b[0m", heading="f\ud800"),
    )
    assert (text.name, text.title, text.text) == ("a\ufffd", "b\ufffd c", "d\ufffde [0m")
    assert text.metadata == {"k\ufffd": "v\ufffd", "l": ["\ufffd"], "n": 3}
    assert text.sections == ((0, 0, "f\ufffd"),)


def test_a_broken_file_gives_what_came_before_and_its_error():
    def answers():
        yield begun()
        yield section("word " * 30)
        raise UnreadableFile("the end")

    texts = read_texts(answers(), ReadReport())
    assert next(texts).part == 1
    with pytest.raises(UnreadableFile, match="the end"):
        list(texts)


sections = st.lists(
    st.tuples(
        st.text(st.sampled_from("ab \n"), max_size=150),
        st.integers(0, 2),
        st.sampled_from(["", "H"]),
    ),
    max_size=12,
)


@given(sections)
def test_parts_are_bounded_lose_nothing_and_their_offsets_begin_their_sections(pieces):
    parts = assembled(begun(), *(section(*piece) for piece in pieces))
    spaceless = "".join("".join(part.text.split()) for part in parts)
    assert spaceless == "".join("".join(text.split()) for text, _, _ in pieces)
    for number, part in enumerate(parts, start=1):
        assert part.part == (number if len(parts) > 1 else part.part)
        assert len(part.text) <= LONGEST + len(SEPARATOR) * len(part.sections)
        starts = [offset for offset, _, _ in part.sections]
        assert starts == sorted({*starts})
        for offset, _, _ in part.sections:
            assert not part.text[offset].isspace()
            assert offset == 0 or part.text[:offset].endswith(SEPARATOR)


@given(sections)
def test_every_letter_keeps_its_page_and_heading(pieces):
    expected = [
        (letter, page, heading)
        for text, page, heading in pieces
        for letter in "".join(text.split())
    ]
    shown = []
    for part in assembled(begun(), *(section(*piece) for piece in pieces)):
        ends = [offset for offset, _, _ in part.sections[1:]] + [len(part.text)]
        for (start, page, heading), end in zip(part.sections, ends, strict=True):
            shown += [(letter, page, heading) for letter in "".join(part.text[start:end].split())]
    assert shown == expected
