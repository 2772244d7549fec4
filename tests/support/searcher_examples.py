"""Small trainings for the tests of SEARCHER."""

from collections.abc import Iterable

from dragoman.systems.searcher.config import SearcherConfig, SearcherModelConfig, TermConfig
from dragoman.systems.searcher.training import TrainedSearcher, train
from dragoman.systems.searcher.training_data import SearcherTrainingData, read_training_data
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig
from dragoman.types import SentencePair
from toy_bitext import sentences


def small_config(**changes: object) -> SearcherConfig:
    """Settings with which a toy bitext is learnt in a second or two."""
    settings: dict[str, object] = {
        "model": SearcherModelConfig(size=16, blocks=1, dropout=0.0),
        "terms": TermConfig(longest_phrase=1),  # word order is chance here
        "train": TrainConfig(epochs=8, learning_rate=0.03, max_gradient_norm=1.0),
        "batch": BatchConfig(size=16),
        "held_out": 40,
        "first": "drawn",
    }
    return SearcherConfig(**(settings | changes))  # type: ignore[arg-type]


def toy_pairs(count: int = 300, seed: int = 0) -> list[SentencePair]:
    """Sentences about one topic each, in toy English and toy Swahili."""
    return [SentencePair(*pair) for pair in sentences(count, seed)]


def toy_data(pairs: Iterable[SentencePair], config: SearcherConfig) -> SearcherTrainingData:
    return read_training_data("toy", pairs, ("en", "sw"), config)


def learnt(pairs: Iterable[SentencePair], config: SearcherConfig) -> TrainedSearcher:
    return train(toy_data(pairs, config), config)
