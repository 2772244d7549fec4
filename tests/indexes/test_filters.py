import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.indexes.filters import Comparison, Condition, parse_condition, parse_filter


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("year>=2019", Condition("year", Comparison.AT_LEAST, (2019.0,))),
        ("year < 3", Condition("year", Comparison.BELOW, (3.0,))),
        ("author=Anna Berg", Condition("author", Comparison.EQUAL, ("Anna Berg",))),
        ("n=1|2.5|x", Condition("n", Comparison.EQUAL, (1, 2.5, "x"))),
        ("draft!=true", Condition("draft", Comparison.NOT_EQUAL, (True,))),
        ("a.b=c", Condition("a.b", Comparison.EQUAL, ("c",))),
    ],
)
def test_conditions_are_read_as_a_person_writes_them(text, condition):
    assert parse_condition(text) == condition


@pytest.mark.parametrize("text", ["year", "=3", "", "year>=soon"])
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(ConfigError, match="Found"):
        parse_condition(text)


@given(st.text(st.characters(exclude_characters="=<>")))
def test_a_text_without_a_comparison_is_a_clear_error(text):
    with pytest.raises(ConfigError, match="expected FIELD=VALUE"):
        parse_condition(text)


def test_an_empty_filter_lets_all_pass():
    assert not parse_filter(None)
    assert parse_filter(["de"])
    assert parse_filter(None, ["a=1"])
