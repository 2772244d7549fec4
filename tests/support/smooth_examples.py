"""Small models and collections for the tests of smooth learning."""

from collections.abc import Mapping

import numpy as np

from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.training_data import JudgedPairs, SmoothTrainingData
from dragoman.systems.smooth.vocabulary import SmoothVocabulary

DIMENSION = 8


def toy_model(axes: Mapping[str, Mapping[str, int]], epsilon: float = 1.0) -> SmoothModel:
    """A model that puts the words of every language on axes, for queries and documents alike."""
    vocabulary = SmoothVocabulary({language: tuple(words) for language, words in axes.items()})
    table = np.zeros((len(vocabulary), DIMENSION), dtype=np.float32)
    for row, (language, word) in enumerate(vocabulary, start=1):
        table[row, axes[language][word]] = 1
    return SmoothModel(SmoothModelConfig(epsilon=epsilon), (vocabulary, vocabulary), [table, table])


def toy_data(queries: int = 60, topics: int = 5, seed: int = 0) -> SmoothTrainingData:
    """English queries and Italian documents about topics that are words of their own.

    A query's own document says its topic's words twice, a neighbour's once, the others not at all.
    """
    rng = np.random.default_rng(seed)
    documents = [
        ("it", [f"cosa{topic}", *([f"tema{topic}"] * (1 + copy)), f"rumore{copy}"])
        for topic in range(topics)
        for copy in range(2)
    ]
    asked = [
        ("en", [f"thing{row % topics}", f"noise{rng.integers(0, 4)}"]) for row in range(queries)
    ]
    pairs = {
        split: _pairs(np.arange(queries)[start::3], topics)
        for start, split in enumerate(("train", "validation", "test"))
    }
    return SmoothTrainingData(
        "toy",
        [f"q{row}" for row in range(queries)],
        asked,
        [f"d{row:02d}" for row in range(len(documents))],
        documents,
        pairs,
    )


def _pairs(queries: np.ndarray, topics: int) -> JudgedPairs:
    rows = [
        (query, document, 2 - document % 2 if document // 2 == query % topics else 0)
        for query in queries
        for document in range(2 * topics)
    ]
    columns = np.array(rows, dtype=np.int64).T
    return JudgedPairs(*(np.ascontiguousarray(column) for column in columns))
