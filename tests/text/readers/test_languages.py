"""Languages of runs of paragraphs, with the other texts of a folder as the prior."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.readers.languages import WINDOW, Census, is_list, windows

ENGLISH = (
    "The museum opens at nine in the morning and closes at five in the afternoon, except on"
    " Mondays when it stays closed all day."
)
GERMAN = (
    "Das Museum öffnet um neun Uhr morgens und schließt um fünf Uhr nachmittags, außer montags,"
    " wenn es den ganzen Tag geschlossen bleibt."
)
FRENCH = (
    "Le musée ouvre à neuf heures du matin et ferme à cinq heures de l'après-midi, sauf le lundi"
    " où il reste fermé toute la journée."
)
NAMES = """\
Joachim Holzfuss    Joachim.Holzfuss@iap.physik.th-darmstadt.de
Harald Hanche-Olsen    hanche@math.ntnu.no
Hans-Bernhard Broeker    broeker@physik.rwth-aachen.de
Jörg Schilling    schilling@fokus.fraunhofer.de
Wolfram Gloger    Wolfram.Gloger@dent.med.uni-muenchen.de"""


@pytest.fixture
def census():
    """A folder in English, with some German and French."""
    counted = Census({})
    for text, number in ((ENGLISH, 8), (GERMAN, 2), (FRENCH, 2)):
        for _ in range(number):
            counted.count(text)
    return counted


def languages(runs):
    return [run.language for run in runs]


def test_single_paragraphs_of_a_hundred_letters_have_a_language_each(census):
    text = f"{ENGLISH}\n\n{GERMAN}\n\n{FRENCH}\n\n{ENGLISH}\n"
    runs = census.runs(text)
    assert languages(runs) == ["en", "de", "fr", "en"]
    assert [text[run.start : run.end].strip() for run in runs] == [ENGLISH, GERMAN, FRENCH, ENGLISH]
    assert all(run.certain for run in runs)


def test_a_shorter_end_belongs_to_what_is_before_it(census):
    text = f"{GERMAN}\n\nThe end."
    assert [(run.language, run.start, run.end) for run in census.runs(text)] == [
        ("de", 0, len(text))
    ]


def test_a_list_of_names_has_the_language_of_its_text_or_of_most_texts(census):
    (alone,) = census.runs(NAMES)
    assert (alone.language, alone.certain) == ("en", False)
    assert languages(census.runs(f"{FRENCH}\n{NAMES}\n{FRENCH}")) == ["fr"]
    assert languages(census.runs(f"{ENGLISH}\n{NAMES}\n{ENGLISH}")) == ["en"]
    assert languages(census.runs(NAMES, declared="fr")) == ["fr"]


def test_lists_of_names_bring_no_language_into_a_folder():
    census = Census({})
    census.count(ENGLISH)
    for _ in range(20):
        census.count(NAMES)
    assert {*census.accepted} == {"en"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NAMES, True),
        ("2009 Red Hat, Inc. 2010 Andreas Dilger <a@sun.com> 2011 Karel Zak, Jan Hus", True),
        (GERMAN, False),
        (ENGLISH.upper(), False),  # capitals throughout are no names
        ("Иван Петров, Анна Иванова, Пётр Сидоров, Ольга Смирнова, Игорь Попов", False),
        ("東京 大阪 京都 名古屋 札幌 福岡 神戸 仙台 広島", False),
        ("Karl Heuer", False),  # too short to be a list
    ],
)
def test_lists_are_names_in_latin_letters(text, expected):
    assert is_list(text) is expected


def test_code_in_a_text_is_no_other_language(census):
    code = "\n".join(f"    els[{n}] = fer(per_a, {n}); val = res.una(cada_{n})" for n in range(6))
    assert languages(census.runs(f"{ENGLISH}\n{code}\n{ENGLISH}")) == ["en"]


def test_a_declared_language_decides_where_the_text_does_not(census):
    assert languages(census.runs("1234 5678", declared="de")) == ["de"]
    assert languages(census.runs(FRENCH, declared="de")) == ["fr"]


@given(st.text(alphabet="ab \n", max_size=600))
def test_windows_follow_each_other_and_only_the_last_is_short(text):
    cut = [*windows(text)]
    assert "".join(text[start:end] for start, end in cut) == text
    assert all(end - start >= WINDOW for start, end in cut[:-1])
