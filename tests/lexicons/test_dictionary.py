import pytest

from dragoman.lexicons.dictionary import EntryTerms, entry_terms, pair_counts
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.types import DictionaryEntry


def whitespace(text, language):
    return text.split()


def test_explanations_and_empty_sides_are_left_out():
    entries = [
        DictionaryEntry("cat", "paka"),
        DictionaryEntry("", "paka"),
        DictionaryEntry("cat", "a small animal that purrs"),
    ]
    assert entry_terms(entries, whitespace, "en", "sw") == [EntryTerms(("cat",), ("paka",))]


def test_an_entry_is_shared_by_its_pairs():
    entries = [EntryTerms(("a", "b"), ("x",)), EntryTerms(("a",), ("x",))]
    counts = pair_counts(entries, Vocabulary(("a", "b")), Vocabulary(("x",)))
    assert counts.toarray()[:, 0] == pytest.approx([1.5, 0.5])
