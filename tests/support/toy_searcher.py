"""A SEARCHER model whose words were put in place by hand."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

import dragoman
from dragoman.encoders.subwords import SubwordVocabulary, word_key
from dragoman.indexes.index import Index
from dragoman.systems.searcher.config import Pooling, SearcherModelConfig
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.terms import Terms
from dragoman.types import Document

TOY_AXES = {"en": {"water": 0, "fire": 1}, "sw": {"maji": 0, "moto": 1}}
TOY_DOCUMENTS = [
    Document("camp", "Maji safi. Moto mkali!", language="sw"),
    Document("shore", "Maji ya bahari.", language="sw"),
]
DIMENSION = 8
STRENGTH, BIAS = 12.0, -6.0  # a word that is there is as sure as one that is not


def toy_model(
    axes: Mapping[str, Mapping[str, int]], pooling: Pooling = Pooling.SOFTMAX
) -> SearcherModel:
    """A model without context that puts words of every language on axes."""
    names = [(code, word) for code, words in axes.items() for word in words]
    terms = Terms(tuple(f"{code}:{word}" for code, word in names))
    keys = sorted({word_key(word) for _, word in names})
    vocabulary = SubwordVocabulary(np.array(keys, np.uint32), np.ones(len(keys), np.float16), 1.0)
    config = SearcherModelConfig(size=DIMENSION, blocks=0, pooling=pooling)
    words = DocumentWords(vocabulary, frozenset(axes))
    model = SearcherModel(config, terms, words, np.random.default_rng(0))
    queries = torch.zeros(len(names), DIMENSION + 1)
    found = torch.zeros(len(keys), DIMENSION)
    for row, (code, word) in enumerate(names):
        queries[row, axes[code][word]] = STRENGTH
        found[keys.index(word_key(word)), axes[code][word]] = 1
    with torch.no_grad():
        model.queries.weight.copy_(queries)
        model.sentences.table.weight.copy_(found)
        model.bias.fill_(BIAS)
    return model.eval()


def toy_index(folder: Path) -> Index:
    """An index of ``TOY_DOCUMENTS`` with a toy model."""
    toy_model(TOY_AXES).save(folder / "model")
    settings = {"model": str(folder / "model")}
    return dragoman.index(TOY_DOCUMENTS, folder / "index", system="searcher", settings=settings)
