"""Tests of ``dragoman.indexes.search.results``: which words of a document are worth a mark."""

from hypothesis import given
from hypothesis import strategies as st

from dragoman.indexes.search.results import document_words
from dragoman.types import Link

links = st.lists(
    st.builds(
        Link,
        st.sampled_from(["bread", "with"]),
        st.sampled_from(["Brot", "Hefe", "einem"]),
        st.floats(0, 1),
        st.floats(0, 1),
    )
)


def test_a_preposition_that_adds_next_to_nothing_is_not_marked():
    found = [Link("bread", "Brot", 0.7, 0.34), Link("with", "einem", 0.2, 0.006)]
    assert document_words(found) == ("Brot",)


def test_a_word_that_several_links_reach_is_listed_once_in_the_order_of_links():
    found = [Link("bread", "Brot", 0.7, 0.3), Link("yeast", "Hefe", 0.6, 0.3)]
    assert document_words([*found, Link("loaf", "Brot", 0.5, 0.1)]) == ("Brot", "Hefe")


@given(links)
def test_the_strongest_is_marked_and_words_of_equal_share_all_are(found):
    words = document_words(found)
    assert set(words) <= {link.document_word for link in found}
    if found:
        assert max(found, key=lambda link: link.share).document_word in words
    if all(link.share == 0 for link in found):
        assert set(words) == {link.document_word for link in found}
