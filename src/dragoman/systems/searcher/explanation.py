"""A query and a document -> the best sentence of every term, and the attention over its words.

A term's attention over the words of its best sentence is the softmax of their dot products,
whichever pooling the model has; its share of the explanation is one over the number of terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from dragoman.systems.searcher.decisions import Combination, combine_logits, saved_scaling
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.sentences import Sentence, surfaces
from dragoman.systems.searcher.terms import QueryTerm
from dragoman.types import Document, Explanation, Link, Query, Text

LEAST_ATTENTION = 0.01  # of a link


@dataclass(frozen=True, slots=True)
class Match:
    """A term, the most relevant sentence of a document, and the attention over its words."""

    term: str
    sentence: str
    words: tuple[str, ...]  # as written in the text
    attention: tuple[float, ...]  # sums to one
    logit: float


def matches(model: SearcherModel, query: Query, document: Document) -> list[Match]:
    """The best sentence of ``document`` for each known term of ``query``."""
    content = document.content
    terms, sentences = model.query_terms(query.content), model.document_sentences(content)
    if not terms or not sentences:
        return []
    rows = model.positions([sentence.words for sentence in sentences])
    starts = np.cumsum([0, *(len(sentence.words) for sentence in sentences)], dtype=np.int64)
    vectors = model.term_vectors(terms)
    dots = np.ascontiguousarray(vectors[:, :-1] @ rows.T)
    logits = pool_array(dots, starts, model.config.pooling) + vectors[:, -1:]
    best = logits.argmax(axis=1)
    return [
        _match(term, sentences[i], dots[row, starts[i] : starts[i + 1]], logits[row, i], content)
        for row, (term, i) in enumerate(zip(terms, best.tolist(), strict=True))
    ]


def _match(
    term: QueryTerm, sentence: Sentence, dots: NDArray[np.float32], logit: float, content: Text
) -> Match:
    return Match(
        term.text,
        sentence.text,
        tuple(_shown(sentence, content.language)),
        tuple(softmax(dots.astype(np.float64)).tolist()),
        float(logit),
    )


def _shown(sentence: Sentence, language: str) -> Sequence[str]:
    """The words of a sentence as written; analyzed words if it is a part of a longer one."""
    pairs = surfaces(Text(sentence.text, language))
    if tuple(word for word, _ in pairs) == sentence.words:
        return [surface for _, surface in pairs]
    return sentence.words


def explain(
    model: SearcherModel, query: Query, document: Document, combination: Combination
) -> Explanation:
    """The attention as links, strongest first; the score is the probability."""
    term_matches = matches(model, query, document)
    if not term_matches:
        return Explanation(document.doc_id, 0.0, ())
    logits = np.array([[match.logit] for match in term_matches])
    score = float(combine_logits(logits, saved_scaling(model.facts), combination)[0])
    links = [
        Link(match.term, word, weight, weight / len(term_matches))
        for match in term_matches
        for word, weight in _word_attention(match).items()
        if weight >= LEAST_ATTENTION
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return Explanation(document.doc_id, score, tuple(links))


def _word_attention(match: Match) -> dict[str, float]:
    """The total attention of each distinct word."""
    sums: dict[str, float] = {}
    for word, weight in zip(match.words, match.attention, strict=True):
        sums[word] = sums.get(word, 0.0) + weight
    return sums
