"""Conditions as a person writes them, and the documents whose metadata fits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.indexes.filters import (
    Condition,
    Filter,
    Operator,
    condition_text,
    parse_condition,
    parse_filter,
)
from stored import of_rows, snapshot_of


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("year>=2019", Condition("year", Operator.AT_LEAST, (2019.0,))),
        ("year < 3", Condition("year", Operator.BELOW, (3.0,))),
        ("author=Anna Berg", Condition("author", Operator.EQUAL, ("Anna Berg",))),
        ("n=1|2.5|x", Condition("n", Operator.EQUAL, (1, 2.5, "x"))),
        ("draft!=true", Condition("draft", Operator.NOT_EQUAL, (True,))),
        ("a.b=c", Condition("a.b", Operator.EQUAL, ("c",))),
        ("author=Nan|inf", Condition("author", Operator.EQUAL, ("Nan", "inf"))),
        ("formula=a>=b", Condition("formula", Operator.EQUAL, ("a>=b",))),
        ('author = "Anna Berg"', Condition("author", Operator.EQUAL, ("Anna Berg",))),
        ("author='Anna'|Ben", Condition("author", Operator.EQUAL, ("Anna", "Ben"))),
        ('year="2019"', Condition("year", Operator.EQUAL, (2019,))),
        ('year>"2019"', Condition("year", Operator.ABOVE, (2019.0,))),
        ('author="Anna', Condition("author", Operator.EQUAL, ('"Anna',))),
        ('author=""', Condition("author", Operator.EQUAL, ("",))),
    ],
)
def test_conditions_are_read_as_a_person_writes_them(text, condition):
    assert parse_condition(text) == condition


@given(
    st.sampled_from(["year", "a.b", "x-1"]),
    st.sampled_from([*Operator]),
    st.lists(
        st.one_of(
            st.integers(),
            st.floats(allow_nan=False),
            st.sampled_from(["true", "false", "Anna", "nan", '"', '""', "\"'a'\"", '" a"']),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_a_condition_as_text_is_read_as_the_same_condition(field, operator, values):
    try:
        condition = parse_condition(f"{field}{operator}{'|'.join(map(str, values))}")
    except ConfigError:
        return  # a comparison with something that is no number
    assert parse_condition(condition_text(condition)) == condition


@pytest.mark.parametrize("text", ["year", "=3", "", "year>=soon", "year>nan", "year<inf"])
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


METADATA = {
    "plain": {"year": 2019, "author": "Anna", "draft": True},
    "text": {"year": "2019", "author": "Ben", "draft": "true"},
    "part": {"year": 2019.5, "draft": False, "author": ""},
    "nested": {"meta": {"year": 7, "tags": [{"name": "a"}, {"name": "b"}]}, "meta.year": 8},
    "list": {"year": [2018, 2020], "tags": ["x", "y", None, 3], "draft": [True, False]},
    "huge": {"n": 10**400, "m": 10**20, "o": -1e308},
    "odd": {"n": float("nan"), "m": float("inf"), "author": None, "é ß": "ü", "x\udce9": "y"},
    "codes": {"code": ["01234", "1.10", "3 items", "2x", "+"]},
    "bare": {},
}


@pytest.fixture(scope="module")
def snapshot():
    batches = [
        [of_rows(name, [], "en", **METADATA[name]) for name in names]
        for names in (
            ("plain", "text", "odd", "codes"),
            ("part", "nested"),
            ("list", "huge", "bare"),
        )
    ]
    with snapshot_of(batches) as made:
        yield made


def passing(snapshot, *conditions):
    selection = snapshot.select(parse_filter(None, conditions))
    numbers = [
        span.base + place
        for span in selection.spans
        for place in np.flatnonzero(selection.mask(span)).tolist()
    ]
    return sorted(snapshot.doc_ids(np.array(numbers, np.int64)))


def all_but(*names):
    return sorted({*METADATA} - {*names})


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        # a text that is written as a number counts as one
        ("year=2019", ["plain", "text"]),
        ("year=2019.0", ["plain", "text"]),
        ("year=2019|2019.5", ["part", "plain", "text"]),
        ("year>2018", ["list", "part", "plain", "text"]),
        ("year>2020", []),
        ("year<=2019", ["list", "plain", "text"]),
        ("code=01234", ["codes"]),
        ("code=1234", []),
        ("code=1.1", ["codes"]),
        ("code>0", ["codes"]),
        ("code>2", []),
        # and so does one that is written as a flag; a number is none
        ("draft=true", ["list", "plain", "text"]),
        ("draft=false", ["list", "part"]),
        ("draft=1", []),
        # what is unequal may have no such field
        ("year!=2019", all_but("plain", "text")),
        ("author!=Anna|Ben", all_but("plain", "text")),
        ("draft!=true", all_but("plain", "list", "text")),
        ("nowhere!=x", all_but()),
        ("nowhere=x", []),
        # one element of a list is enough
        ("tags=x", ["list"]),
        ("tags=3", ["list"]),
        ("year=2020", ["list"]),
        ("tags!=x", all_but("list")),
        # nested fields
        ("meta.year=7", ["nested"]),
        ("meta.year=8", ["nested"]),
        ("meta.tags.name=b", ["nested"]),
        ("meta=7", []),
        # numbers that no double holds are kept and not found, and disturb no other
        ("n=" + "1" + "0" * 400, []),
        ("n!=" + "1" + "0" * 400, all_but()),
        ("n>0", []),
        ("m=100000000000000000000", ["huge"]),
        ("m>1e19", ["huge"]),
        ("m<1e305", ["huge"]),
        ("author=nan", []),
        # any letters
        ("author=Anna", ["plain"]),
    ],
)
def test_documents_pass_whose_metadata_fits(snapshot, condition, expected):
    assert passing(snapshot, condition) == expected


def test_a_field_may_have_any_name(snapshot):
    for field, value in (("é ß", "ü"), ("x\udce9", "y")):
        condition = Condition(field, Operator.EQUAL, (value,))
        selection = snapshot.select(Filter((), (condition,)))
        assert selection.size == 1


def test_all_conditions_must_hold(snapshot):
    assert passing(snapshot, "year>2018", "draft=true") == ["list", "plain", "text"]
    assert passing(snapshot, "year>2018", "draft=true", "author!=Anna") == ["list", "text"]


VALUES = st.sampled_from([0, 1, -2.5, "a", "b", True, False])
FIELDS = st.dictionaries(st.sampled_from(["x", "y"]), VALUES | st.lists(VALUES, max_size=3))


def elements(value):
    return value if isinstance(value, list) else [value]


def equal(mine, other):
    return isinstance(mine, bool) == isinstance(other, bool) and mine == other


@settings(max_examples=60, deadline=None)
@given(st.lists(FIELDS, max_size=8), VALUES, st.sampled_from(["x", "y"]))
def test_equality_is_that_of_values_and_inequality_its_opposite(drawn, value, field):
    batches = [[of_rows(f"d{n}", [], "en", **one) for n, one in enumerate(drawn)]]
    expected = {
        f"d{n}"
        for n, one in enumerate(drawn)
        if field in one and any(equal(value, mine) for mine in elements(one[field]))
    }
    written = str(value).lower() if isinstance(value, bool) else str(value)
    with snapshot_of(batches) as snapshot:
        assert passing(snapshot, f"{field}={written}") == sorted(expected)
        others = {f"d{n}" for n in range(len(drawn))} - expected
        assert passing(snapshot, f"{field}!={written}") == sorted(others)
