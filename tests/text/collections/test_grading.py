"""Grades: 2 the item itself, 1 what is related, 0 sampled and never a lie."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.text.collections.grading import sample_judgments
from dragoman.text.collections.items import Item


def item(name, languages=("en", "it"), related=(), sentence=None):
    sentence = sentence or f"sentence of {name}"
    return Item(name, name, languages, sentence, sentence, dict.fromkeys(languages, related))


def test_a_worked_example():
    items = {
        "a": item("a", ("en", "it", "de"), related=("b", "c", "gone")),
        "b": item("b", ("en", "it"), related=("a",)),
        "c": item("c", ("en", "de")),
        "d": item("d", ("en", "it"), sentence="Sentence  of A"),  # opens as a does: never a 0
        "e": item("e", ("en", "it")),
    }
    found = list(sample_judgments(items, {"a": "asked"}, ("it", "de"), seed=0, negatives=5))
    assert found == [
        ("a", "it:a", 2),
        ("a", "it:b", 1),
        ("a", "it:e", 0),
        ("a", "de:a", 2),
        ("a", "de:c", 1),
    ]


def test_a_query_is_not_judged_where_its_item_is_missing():
    items = {"a": item("a", ("en", "it")), "b": item("b", ("en", "de"))}
    found = {
        doc for _, doc, _ in sample_judgments(items, {"a": "q"}, ("it", "de"), seed=0, negatives=3)
    }
    assert found == {"it:a"}


@settings(max_examples=25)
@given(
    st.dictionaries(
        st.text("abcd", min_size=1, max_size=4),
        st.lists(st.text("abcd", min_size=1, max_size=4), max_size=4),
        min_size=1,
        max_size=60,
    ),
    st.integers(0, 45),
)
def test_no_pair_is_judged_twice_and_every_query_has_its_one_two(related, negatives):
    items = {name: item(name, related=tuple(others)) for name, others in sorted(related.items())}
    queries = dict.fromkeys(items, "q")
    found = list(sample_judgments(items, queries, ("it",), seed=1, negatives=negatives))
    assert len({(query, doc) for query, doc, _ in found}) == len(found)
    assert [query for query, _, grade in found if grade == 2] == list(items)
    assert all(doc == f"it:{query}" for query, doc, grade in found if grade == 2)
    for query in items:
        zeros = sum(grade == 0 for asked, _, grade in found if asked == query)
        known = {query, *(other for other in related[query] if other in items)}
        assert zeros == pytest.approx(min(negatives, len(items) - len(known)))
