"""Documents that are encoded while words are surveyed, and what becomes of them."""

import threading
from collections import Counter

import numpy as np
import pytest

from dragoman.protocols import silent
from dragoman.systems.hybrid.ahead import MOST, PORTION, Ahead
from dragoman.systems.hybrid.system import Hybrid
from dragoman.types import Document


def documents(count):
    return [Document(f"d{n}", f"text number {n}", language="en") for n in range(count)]


def numbered(some):
    return [{"dense": np.array([float(document.doc_id[1:])])} for document in some]


def test_what_was_encoded_is_given_once_and_only_for_the_same_text():
    ahead = Ahead()
    ahead.encode(documents(3), numbered)
    first, _, third = documents(3)
    assert ahead.take(first)["dense"][0] == 0.0
    assert ahead.take(first) is None
    assert ahead.take(Document("d1", "another text", language="en")) is None
    assert ahead.take(Document("d2", third.text, language="fr")) is None
    assert ahead.take(Document("never", "met")) is None


def test_nothing_is_begun_after_it_was_stopped():
    ahead, begun = Ahead(), []

    def vectors(some):
        begun.append(len(some))
        if len(begun) == 2:
            ahead.stop()
        return numbered(some)

    ahead.encode(documents(10 * PORTION), vectors)
    assert begun == [PORTION, PORTION]
    assert ahead.take(documents(2 * PORTION)[-1]) is not None
    assert ahead.take(documents(2 * PORTION + 1)[-1]) is None


def test_memory_is_bounded():
    sizes = []
    endless = (Document(f"d{n}", "") for n in iter(int, 1))
    Ahead().encode(endless, lambda some: sizes.append(len(some)) or numbered(some))
    assert sum(sizes) == MOST


class Counting:
    """A part that counts how often each document is given to it."""

    def __init__(self, name):
        self.name, self.met, self.encoding = name, Counter(), threading.Event()

    def configure(self, settings):
        return settings

    def prepare(self, some, config, advance):
        del config, advance
        for _ in some:
            assert self.encoding.wait(20), "nothing is encoded during the survey"
        return self

    def vectors(self, some):
        self.met.update(document.doc_id for document in some)
        self.encoding.set()
        return [{self.name: np.array([float(each.doc_id[1:])])} for each in some]


@pytest.fixture
def parts(monkeypatch):
    words, meanings = Counting("psq"), Counting("dense")
    words.encoding = meanings.encoding
    found = {"psq": words, "dense": meanings}
    monkeypatch.setattr("dragoman.systems.hybrid.system.registry.resident", found.__getitem__)
    return words, meanings


def test_every_document_is_encoded_once_and_comes_with_its_own_vectors(parts):
    words, meanings = parts
    all_documents = documents(3 * PORTION)
    hybrid = Hybrid.prepare(all_documents, Hybrid.configure({}), silent)
    assert meanings.met, "encoded during the survey"
    found = hybrid.vectors(all_documents[:100]) + hybrid.vectors(all_documents[100:])
    assert [int(mine["dense"][0]) for mine in found] == list(range(3 * PORTION))
    assert [int(mine["psq"][0]) for mine in found] == list(range(3 * PORTION))
    assert set(meanings.met.values()) == {1}
    assert words.met == meanings.met


def test_documents_that_can_be_read_once_are_left_to_the_survey(parts):
    _, meanings = parts
    meanings.encoding.set()
    Hybrid.prepare(iter(documents(10)), Hybrid.configure({}), silent)
    assert not meanings.met


def test_a_survey_that_fails_ends_the_encoding(parts, monkeypatch):
    words, meanings = parts

    def failing(*_):
        assert meanings.encoding.wait(20)
        raise ZeroDivisionError("survey")

    monkeypatch.setattr(words, "prepare", failing)
    with pytest.raises(ZeroDivisionError, match="survey"):
        Hybrid.prepare(documents(1_000 * PORTION), Hybrid.configure({}), silent)
    assert sum(meanings.met.values()) <= MOST
