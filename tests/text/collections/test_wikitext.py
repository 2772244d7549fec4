"""Wikitext -> the opening of an article."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.text.collections.wikitext import LONGEST_SOURCE, clean, lead


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("'''Lyon''' is a ''city''.", ["Lyon is a city."]),
        ("In [[France|the country]] of [[Rhône]]s.", ["In the country of Rhônes."]),
        ("A{{Infobox|a={{b|c}}\n|d}} town{{cn}}.", ["A town."]),
        (
            "Has{{lang|fr|x}} it<ref name=a>see {{b}}</ref>, so<ref name=a /> yes.",
            ["Has it, so yes."],
        ),
        ("{| class=a\n|-\n| cell {{x}}\n|}\nAfter.", ["After."]),
        ("[[File:a.jpg|thumb|A [[link]] in a caption]]Text.", ["Text."]),
        ("[[Fichier:a.jpg|vignette]]Texte. [[Catégorie:Ville]]", ["Texte."]),
        ("One.\n\n== Heading ==\n* two\n# three", ["One.", "two", "three"]),
        ("<!-- no\n-->Yes <br/>there<nowiki>[[x]]</nowiki>.", ["Yes there."]),
        ("See [https://a.example label here] now.", ["See label here now."]),
        ("Lyon ({{lang|fr|x}}; ) is&nbsp;&amp; was.", ["Lyon is & was."]),
        ("__NOTOC__Text", ["Text"]),
        ("Open {{never closed", ["Open"]),
        ("Stray }} and ]] stay out.", ["Stray }} and stay out."]),
    ],
)
def test_clean(markup, expected):
    assert clean(markup, ("File", "Image", "Category", "Fichier", "Catégorie")) == expected


@given(st.text(alphabet="a[]{}|='<>ref/!-* \n", max_size=200))
@settings(max_examples=80)
def test_any_markup_is_survived(markup):
    assert all(line == " ".join(line.split()) and line for line in clean(markup))


@pytest.mark.parametrize("piece", ["{{", "[[", "<ref>", "<!--", "{|", "'''", "[[a|", "(", "<a"])
def test_hostile_markup_takes_linear_time(piece):
    started = time.process_time()
    clean(piece * (LONGEST_SOURCE // len(piece)))
    assert time.process_time() - started < 5


def test_a_lead_ends_at_a_word():
    words = "word " * 300
    kept = lead(["First.", words.strip(), words.strip()])
    assert kept[0] == "First."
    assert 1900 < sum(map(len, kept)) <= 2000
    assert all(paragraph.endswith(("First.", "word")) for paragraph in kept)
    assert lead([]) == ()
