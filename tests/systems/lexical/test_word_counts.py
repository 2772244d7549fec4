"""Bags of words, and what a lexical system makes of them: the same in any batch and any thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.registry import system
from dragoman.systems.lexical.psq import WORDS
from dragoman.systems.lexical.word_counts import WordCounter
from dragoman.types import Document, Text

BODIES = {
    "en": ["The tide follows the moon", "A harbour, ships and the tide", "", "Bread and butter"],
    "it": ["La marea segue la luna", "Pane e burro", "Il porto, le navi e la marea", "Obamaz"],
    "ru": ["Прилив следует за луной", "Хлеб и масло", "Порт и корабли", "Вашингтон"],
}
DOCUMENTS = [
    Document(f"{language}-{number}", bodies[number], language=language)
    for number in range(4)
    for language, bodies in BODIES.items()
]


def new_psq():
    return system("psq").create(system("psq").configure({}))


def plain(encoded):
    return [
        (one["psq"].dimensions.tolist(), one["psq"].counts.tolist(), one["psq"].length, one[WORDS])
        for one in encoded
    ]


@pytest.fixture(scope="module")
def expected():
    return plain(new_psq().encode(DOCUMENTS))


def test_a_bag_counts_words_in_the_order_in_which_they_come():
    count = WordCounter(LexicalAnalyzer(TranslationTables()))
    bag = count(Text("Tide and tide, and the sea.", "en"))
    assert count.numbers("en").words == ["tide", "sea"]
    assert np.frombuffer(bag.numbers, np.intc).tolist() == [0, 1]
    assert np.frombuffer(bag.counts, np.intc).tolist() == [2, 1]
    assert bag.length == 3
    assert np.frombuffer(count(Text("The sea, the sea!", "en")).numbers, np.intc).tolist() == [1]


def test_every_language_has_its_own_numbers():
    count = WordCounter(LexicalAnalyzer(TranslationTables()))
    count(Text("tide", "en"))
    bag = count(Text("La marea e il mare.", "it"))
    assert np.frombuffer(bag.numbers, np.intc).tolist() == [0, 1]
    assert count.numbers("en").words == ["tide"]


def test_a_text_without_words_is_an_empty_bag():
    assert WordCounter(LexicalAnalyzer(TranslationTables()))(Text("", "en")) == (b"", b"", 0)


def test_encoded_documents_bring_their_distinct_words():
    (encoded,) = new_psq().encode([Document("d", "Tide, sea and tide", language="en")])
    assert encoded[WORDS] == ["tide", "sea"]


@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("step", [1, -1])
def test_documents_are_encoded_alike_in_any_batches_and_any_order(expected, size, step):
    psq, documents = new_psq(), DOCUMENTS[::step]
    batches = [documents[start : start + size] for start in range(0, len(documents), size)]
    encoded = [one for batch in batches for one in plain(psq.encode(batch))]
    assert encoded == expected[::step]


def test_threads_encode_as_one_does(expected):
    psq = new_psq()
    with ThreadPoolExecutor(4) as threads:
        each = [threads.submit(psq.encode, [document]) for document in DOCUMENTS * 5]
        assert [plain(one.result())[0] for one in each] == expected * 5
