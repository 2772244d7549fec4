"""Small parts that stand where a fetched model would."""

from collections.abc import Mapping

import numpy as np

from dragoman.encoders.quantization import quantize
from dragoman.encoders.student import Student
from dragoman.encoders.subwords import SubwordVocabulary, word_key


def toy_encoder(
    language: str, axes: Mapping[str, int | tuple[int, ...]], space: str = "toy"
) -> Student:
    """An encoder that puts each word on axes of a space of eight."""
    keys = sorted(map(word_key, axes))
    table = np.zeros((len(keys), 8), dtype=np.float32)
    for word, on in axes.items():
        table[keys.index(word_key(word)), on] = 1
    vocabulary = SubwordVocabulary(
        np.array(keys, dtype=np.uint32), np.ones(len(keys), np.float16), 1.0
    )
    axes_of_space = np.eye(8, dtype=np.float16)
    return Student(language, space, vocabulary, quantize(table, 8), basis=axes_of_space)
