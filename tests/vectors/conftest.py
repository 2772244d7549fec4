import numpy as np
import pytest

from dragoman.vectors.quantized import quantize
from dragoman.vectors.student import Student
from dragoman.vectors.subwords import Vocabulary, word_key


@pytest.fixture
def toy():
    """Makes an encoder of words: ``toy("sw", {"maji": 0})`` puts a word on an axis of 8."""

    def make(language, axes, space="toy"):
        keys = sorted(word_key(word) for word in axes)
        table = np.zeros((len(axes), 8), dtype=np.float32)
        for word, axis in axes.items():
            table[keys.index(word_key(word)), axis] = 1
        weights = np.ones(len(axes), dtype=np.float16)
        vocabulary = Vocabulary(np.array(keys, dtype=np.uint32), weights, 1.0)
        return Student(language, space, vocabulary, quantize(table, 8))

    return make
