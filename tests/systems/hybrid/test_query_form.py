import pytest

from dragoman.systems.hybrid.query_form import (
    ANYWHERE,
    LEADING,
    UNSPACED,
    QueryForm,
    query_form,
)
from dragoman.text.languages import canonical
from dragoman.types import Text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How are tides caused", "en"),
        ("In which year did it rain", "en"),
        ("tides?", ""),
        ("潮汐是怎么产生的", "zh"),
        ("น้ำขึ้นน้ำลงเกิดจากอะไร", "th"),
        ("Ποιος έγραψε την Οδύσσεια;", "el"),
        ("Gelgite ne sebep olur", "tr"),
        ("ما سبب المد والجزر؟", "ar"),
        ("Vad orsakar tidvatten?", "sv"),  # a language without a list
    ],
)
def test_questions_are_recognised_with_and_without_a_mark(text, language):
    assert query_form(Text(text, language)) is QueryForm.QUESTION


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("tides", "en"),
        ("a guide for those who bake", "en"),  # not among the first words
        ("Architecture du cluster", "fr"),
        ("bread; water;", "en"),  # a semicolon asks in Greek alone
        ("潮汐", "zh"),
        ("", "en"),
        ("vad orsakar tidvatten", "sv"),
    ],
)
def test_other_queries_are_keywords(text, language):
    assert query_form(Text(text, language)) is QueryForm.KEYWORDS


@pytest.mark.parametrize("language", [*LEADING, *ANYWHERE, *UNSPACED])
def test_every_interrogative_makes_a_question(language):
    assert canonical(language) == language
    words = {**LEADING, **ANYWHERE, **UNSPACED}[language].split()
    assert len(words) == len({*words})
    assert all(query_form(Text(word, language)) is QueryForm.QUESTION for word in words)
