"""Batches of documents: bounded in number and in letters, in order; progress by passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.encoders.passages import PassageConfig, split_passages
from dragoman.indexes import pipeline
from dragoman.indexes.pipeline import Pipeline, passage_count, passages_of
from dragoman.types import Document

LETTERS = 100


class Echo:
    """A system that notes what it is given."""

    def __init__(self):
        self.batches = []

    def encode(self, documents):
        self.batches.append([len(document.text) for document in documents])
        return [{} for _ in documents]


@given(st.lists(st.integers(0, 250), max_size=40), st.integers(1, 8))
def test_batches_have_so_many_documents_and_letters_at_most(lengths, size):
    system = Echo()
    documents = [Document(str(number), "x" * n, "", "en") for number, n in enumerate(lengths)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "LETTERS", LETTERS)
        with Pipeline(system, documents, size) as batches:
            stored = [record.document for records in batches for record in records]
    assert stored == documents
    assert all(len(batch) <= size for batch in system.batches)
    assert all(len(batch) == 1 or sum(batch) <= LETTERS for batch in system.batches)


def test_a_batch_is_no_smaller_than_it_must_be():
    system = Echo()
    documents = [Document(str(number), "x", "", "en") for number in range(10)]
    with Pipeline(system, documents, 4) as batches:
        assert [len(records) for records in batches] == [4, 4, 2]


def test_passages_are_counted_about_as_they_are_cut():
    text = "The quick brown fox jumps over the lazy dog near the river. " * 500
    cut = len([*split_passages(text, PassageConfig())])
    assert passage_count(len(text)) == pytest.approx(cut, rel=0.1)
    assert passages_of([Document("a", "", "T", "en"), Document("b", "x" * 250, "", "en")]) == 2
