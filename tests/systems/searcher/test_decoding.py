"""Greedy and beam search against a toy model that can be learnt, and against enumeration."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.systems.searcher.config import SearcherConfig, SearcherModelConfig, TranslationConfig
from dragoman.systems.searcher.decoding import TranslationDecoder
from dragoman.systems.searcher.pretraining import train_translation
from dragoman.systems.searcher.training_data import read_training_data
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig
from dragoman.types import SentencePair

WORDS = {"water": "maji", "fire": "moto", "house": "nyumba", "bread": "mkate", "door": "mlango"}


def pairs():
    """Sentences of two words in the same order."""
    return [
        SentencePair(f"{first} {second}", f"{WORDS[first]} {WORDS[second]}")
        for first in WORDS
        for second in WORDS
        for _ in range(8)
    ]


@pytest.fixture(scope="module")
def decoder():
    config = SearcherConfig(
        model=SearcherModelConfig(size=32, blocks=1, dropout=0.0),
        pretrain=TranslationConfig(
            train=TrainConfig(epochs=40, learning_rate=0.02),
            batch=BatchConfig(size=32),
            words=4,  # one of five words is outside the vocabulary
            blocks=1,
        ),
        batch=BatchConfig(size=32),
        first="drawn",
    )
    data = read_training_data("toy", pairs(), ("en", "sw"), config)
    trained = train_translation(data, config)
    return TranslationDecoder(trained.model, data, config)


def english(translation, source):
    """Words by their translation where the decoder points at a source word."""
    back = {swahili: word for word, swahili in WORDS.items()}
    return [one if isinstance(one, str) else back[source[one]] for one in translation]


def test_what_was_learnt_is_translated(decoder):
    sources = [[WORDS[first], WORDS[second]] for first in WORDS for second in WORDS]
    wanted = [[first, second] for first in WORDS for second in WORDS]
    found = [
        english(one, source) for one, source in zip(decoder.greedy(sources), sources, strict=True)
    ]
    assert sum(map(list.__eq__, found, wanted)) >= 20  # of 25


def test_a_beam_of_one_is_greedy(decoder):
    sources = [[WORDS[first], WORDS[second]] for first in WORDS for second in WORDS]
    assert [decoder.beam(source, 1) for source in sources] == decoder.greedy(sources)


def test_a_translation_does_not_depend_on_its_batch(decoder):
    sources = [["maji", "moto"], ["nyumba"], ["mkate", "maji", "moto", "nyumba"]]
    assert decoder.greedy(sources) == [decoder.greedy([source])[0] for source in sources]


def test_words_outside_the_vocabulary_point_at_their_source(decoder):
    sources = [[swahili, swahili] for swahili in WORDS.values()]
    places = [one for found in decoder.greedy(sources) for one in found if isinstance(one, int)]
    assert places
    assert set(places) <= {0, 1}


def test_a_sentence_without_words_has_an_empty_translation(decoder):
    assert decoder.greedy([[], ["maji", "moto"]])[0] == []
    assert decoder.beam([], 3) == []


def test_a_translation_ends_even_if_the_model_never_does(decoder):
    with torch.no_grad():
        kept = decoder._model.decoder.says.bias.clone()
        decoder._model.decoder.says.bias[1] = -1e9  # the boundary is never likely
        lengths = [len(decoder.greedy([["maji"] * 4])[0]), len(decoder.beam(["maji"] * 4, 2))]
        decoder._model.decoder.says.bias.copy_(kept)
    assert lengths == [11, 11]  # 1.5 times 4, and 5
