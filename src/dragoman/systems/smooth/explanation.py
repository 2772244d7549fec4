"""Why a document scored as it did, in words: what each query word adds, and what it is nearest to.

A word's share is how much the score falls when the query is asked without it. Its link is the word
of the document whose learnt vector has the highest cosine with its own.
"""

from collections.abc import Sequence

import numpy as np
import torch

from dragoman.systems.smooth.model import SmoothModel
from dragoman.types import Document, Explanation, FloatArray, Link, Query

MOST_QUERY_WORDS = 64


def explain(model: SmoothModel, query: Query, document: Document) -> Explanation:
    """The links of the words that both sides know, strongest first; shares sum to one."""
    score = float((model.query_vectors([query.content]) @ _side(model, document).T)[0, 0])
    asked = _known(model.reader.words(query.content), query.language, model, of_queries=True)
    asked = asked[:MOST_QUERY_WORDS]
    content = document.content
    found = _known(model.reader.words(content), content.language, model, of_queries=False)
    if not asked or not found:
        return Explanation(document.doc_id, score, ())
    falls = np.maximum(score - _without(model, query, asked) @ _side(model, document)[0], 0)
    near = (
        _unit(_rows(model, asked, query.language, of_queries=True))
        @ _unit(_rows(model, found, content.language, of_queries=False)).T
    )
    whole = float(falls.sum()) or 1.0
    links = [
        Link(
            word,
            found[int(near[row].argmax())],
            float(np.clip(near[row].max(), 0, 1)),
            float(falls[row]) / whole,
        )
        for row, word in enumerate(asked)
        if near[row].max() > 0
    ]
    links.sort(key=lambda link: (-link.share, -link.weight, link.query_word))
    return Explanation(document.doc_id, score, tuple(links))


def _side(model: SmoothModel, document: Document) -> FloatArray:
    return model.document_vectors([document.content])


def _known(
    words: Sequence[str], language: str, model: SmoothModel, *, of_queries: bool
) -> list[str]:
    """The different words with a row, in the order of the text."""
    vocabulary = model.query_words if of_queries else model.document_words
    return [word for word in dict.fromkeys(words) if vocabulary.rows([word], language)]


def _without(model: SmoothModel, query: Query, words: Sequence[str]) -> FloatArray:
    """(words, p): the query's vector without each of its words."""
    everything = model.reader.words(query.content)
    left = [(query.language, [w for w in everything if w != word]) for word in words]
    texts = model.reader.numbered(left, model.query_words)
    return model.encoded(model.queries, texts, np.arange(len(words)))


def _rows(
    model: SmoothModel, words: Sequence[str], language: str, *, of_queries: bool
) -> FloatArray:
    vocabulary = model.query_words if of_queries else model.document_words
    tower = model.queries if of_queries else model.documents
    rows = torch.tensor(vocabulary.rows(words, language))
    chosen: FloatArray = tower.table.weight.detach()[rows].numpy()
    return chosen


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: FloatArray = vectors / np.maximum(lengths, 1e-12)
    return units
