"""What is left out of texts, and what must never be."""

import base64
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.readers.cleaning import (
    DUMP,
    ENCODED,
    MINIFIED,
    MOST_REPEATS,
    REPEATED,
    REPEATED_LINES,
    UNDECODABLE,
    WORDLESS,
    clean,
)
from dragoman.text.readers.contents import Section

SAMPLE = Path(__file__).parents[3] / "sample" / "corpus.jsonl"
DATA = random.Random(7).randbytes(3000)  # noqa: S311 - no secret


def cleaned(text):
    (section,), left_out = clean([Section(text)])
    return section.text, left_out


def test_bytes_that_could_not_be_decoded_are_counted_and_stay_in_sight():
    text = b"the caf\xe9 in M\xfcnchen".decode("utf-8", "replace")
    assert cleaned(text) == (text, {UNDECODABLE: 2})
    assert cleaned("the café in München") == ("the café in München", {})


def hexdump(data):
    rows = (data[start : start + 16] for start in range(0, len(data), 16))
    return "\n".join(f"{n * 16:08x}  {row.hex(' ')}  |{'.' * 16}|" for n, row in enumerate(rows))


@pytest.mark.parametrize(
    ("junk", "reason"),
    [
        (base64.encodebytes(DATA).decode().strip(), ENCODED),
        (base64.b64encode(DATA).decode(), ENCODED),
        (base64.urlsafe_b64encode(DATA).decode(), ENCODED),
        (DATA.hex(), ENCODED),
        (hexdump(DATA), DUMP),
        ("\n".join(f"{n:08x}: {DATA[n : n + 16].hex(' ', 2)}" for n in range(0, 2992, 16)), DUMP),
        ("function(a,b){return a.c[b]||(a=b,!1)};" * 100, MINIFIED),
        ('{"a":[1,2,{"b":"c"}],"d":null},' * 100, MINIFIED),
        ("3.14159 | 2.71828 | 1.41421\n" * 100, WORDLESS),
        ("-- ** -- ## --\n" * 200, WORDLESS),
    ],
)
def test_text_that_nobody_reads_is_left_out_with_its_reason(junk, reason):
    text, left_out = cleaned(f"Before it.\n{junk}\nAfter it.")
    assert text.split() == ["Before", "it.", "After", "it."]
    assert [*left_out] == [reason]
    assert left_out[reason] >= 0.9 * len(junk)


@pytest.mark.parametrize(
    "text",
    [
        "面包每天早上用面粉、水和盐在热炉子里烤。" * 300,  # long lines without spaces
        "ขนมปังอบจากแป้งน้ำและเกลือทุกเช้าในเตาอบร้อนของหมู่บ้าน" * 100,
        "パンは毎朝、小麦粉と水と塩から熱いかまどで焼かれます。" * 200,
        "يخبز الخبز من الدقيق والماء والملح كل صباح. " * 100,
        "word " * 2000,
        "\n".join(f"/usr/share/doc/package-{n}/examples/configuration" for n in range(50)),
        "\n".join(f"https://www.example.org/a/page/{n}" for n in range(50)),
        "\n".join(f"{n} | {n * n} | total" for n in range(500)),
        "\n".join(f"{n} {n * n}" for n in range(100)),  # too few to be sure
        "\n".join("12 34 56 78 90 11 22 33 44 55" for _ in range(20)),  # figures, not bytes
        "key: 5f4dcc3b5aa765d61d8327deb882cf99",
        "A" * 500,
        "GATTACA" * 100,
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    ],
)
def test_text_that_somebody_may_search_for_stays(text):
    assert cleaned(text) == (text.strip(), {})


def test_nothing_is_left_out_of_the_sample_in_twelve_languages():
    documents = [json.loads(line)["text"] for line in SAMPLE.read_text().splitlines()]
    assert len(documents) > 100
    for text in documents:
        assert cleaned(text) == (text.strip(), {})


def pages(count, lines):
    return [Section("\n".join(lines(number)), page=number) for number in range(1, count + 1)]


def body(number):
    return [f"line {chr(97 + number)}{row}" for row in "abcdef"]


def test_headers_and_numbers_of_pages_are_left_out():
    sections, left_out = clean(
        pages(12, lambda n: ["The Book of Bread", *body(n), f"Page {n} of 12", "© Baker"])
    )
    assert [section.text.split("\n") for section in sections] == [body(n) for n in range(1, 13)]
    assert [*left_out] == [REPEATED]


def test_headers_of_even_and_odd_pages_may_differ():
    sections, _ = clean(pages(12, lambda n: [("The Book", "Of Bread")[n % 2], *body(n), str(n)]))
    assert [section.text.split("\n") for section in sections] == [body(n) for n in range(1, 13)]


def test_a_page_may_be_in_several_sections():
    sections = [
        section
        for n in range(1, 9)
        for section in (
            Section("\n".join(["Header", *body(n)]), n, "A"),
            Section("\n".join([*body(n), f"{n}"]), n, "B"),
        )
    ]
    kept, _ = clean(sections)
    assert {"Header"}.isdisjoint(line for one in kept for line in one.text.split("\n"))
    assert len(kept) == len(sections)


@pytest.mark.parametrize(
    "sections",
    [
        pages(4, lambda n: ["Header", *body(n)]),  # too few pages
        pages(20, lambda n: [f"Chapter {'abcdefghijklmnopqrst'[n - 1]}", *body(n)]),
        pages(20, lambda n: [*body(n)[:3], "the same in the middle", *body(n)[3:]]),
        pages(20, lambda n: ["Agenda", "one point"]),  # whole slides
        [Section("Header\n" + "\n".join(body(n)), heading=str(n)) for n in range(20)],  # no pages
    ],
)
def test_other_repetition_stays(sections):
    assert clean(sections) == (sections, {})


@given(st.text(max_size=300), st.integers(0, 3))
def test_short_texts_stay_whatever_they_are(text, page):
    text = text.strip()
    if max(map(len, text.split()), default=0) < 40 and "\n" not in text:
        assert clean([Section(text, page)]) == ([Section(text, page)], {})


def test_of_a_long_line_that_repeats_the_first_ones_stay():
    notice = "This message and what is attached to it are confidential."
    sections = [Section(f"{notice}\nMessage {number}: bread.\n\n") for number in range(30)]
    texts, left_out = clean(sections)
    joined = "\n".join(section.text for section in texts)
    assert joined.count(notice) == MOST_REPEATS
    assert joined.count("bread") == 30
    assert left_out == {REPEATED_LINES: 20 * len(notice)}


def test_short_lines_may_repeat():
    text = "\n".join(["Yes, of course."] * 100)
    assert cleaned(text) == (text, {})
