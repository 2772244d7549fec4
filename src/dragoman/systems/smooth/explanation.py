"""A query and a document -> each query word's share of the score and its nearest document word."""

from collections.abc import Sequence

import numpy as np
import torch

from dragoman.systems.smooth.model import SmoothModel
from dragoman.training.word_links import nearest_links
from dragoman.types import Document, Explanation, FloatArray, Query, Text

MOST_QUERY_WORDS = 64


def explain(model: SmoothModel, query: Query, document: Document) -> Explanation:
    """The links of the known query words with known document words, strongest first."""
    content = document.content
    document_vectors = model.document_vectors([content])
    score = float((model.query_vectors([query.content]) @ document_vectors.T)[0, 0])
    query_words = _known(query.content, model, of_queries=True)[:MOST_QUERY_WORDS]
    document_words = _known(content, model, of_queries=False)
    if not query_words or not document_words:
        return Explanation(document.doc_id, score, ())
    losses = np.maximum(score - _without(model, query, query_words) @ document_vectors[0], 0)
    cosines = (
        _unit(_rows(model, query_words, query.language, of_queries=True))
        @ _unit(_rows(model, document_words, content.language, of_queries=False)).T
    )
    links = nearest_links(query_words, losses, document_words, cosines)
    return Explanation(document.doc_id, score, links)


def _known(text: Text, model: SmoothModel, *, of_queries: bool) -> list[str]:
    """The distinct words in the vocabulary, in the order of the text."""
    vocabulary = model.query_words if of_queries else model.document_words
    words = dict.fromkeys(model.tokenizer.words(text))
    return [word for word in words if vocabulary.rows([word], text.language)]


def _without(model: SmoothModel, query: Query, words: Sequence[str]) -> FloatArray:
    """(words, p): the query's vector without each of its words."""
    whole = model.tokenizer.words(query.content)
    shortened = [(query.language, [w for w in whole if w != word]) for word in words]
    texts = model.tokenizer.to_ids(shortened, model.query_words)
    return model.encode(model.queries, texts, np.arange(len(words)))


def _rows(
    model: SmoothModel, words: Sequence[str], language: str, *, of_queries: bool
) -> FloatArray:
    vocabulary = model.query_words if of_queries else model.document_words
    tower = model.queries if of_queries else model.documents
    rows = torch.tensor(vocabulary.rows(words, language))
    vectors: FloatArray = tower.table.weight.detach()[rows].numpy()
    return vectors


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: FloatArray = vectors / np.maximum(lengths, 1e-12)
    return units
