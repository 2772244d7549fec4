"""Why a document is relevant: for every term the sentence that matched, and where it looked.

A term's attention over the words of its best sentence is the softmax of their products, whichever
way the model pools; its share of the explanation is one over the number of terms.
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

LEAST_ATTENTION = 0.01  # weaker links are not shown


@dataclass(frozen=True, slots=True)
class Match:
    """A term, the sentence of a document that is most relevant to it, and the attention there."""

    term: str
    sentence: str
    words: tuple[str, ...]  # as they stand in the text
    attention: tuple[float, ...]  # sums to one
    logit: float


def matches(model: SearcherModel, query: Query, document: Document) -> list[Match]:
    """The best sentence of ``document`` for each known term of ``query``."""
    content = document.content
    terms, read = model.query_terms(query.content), model.document_sentences(content)
    if not terms or not read:
        return []
    rows = model.positions([one.words for one in read])
    starts = np.cumsum([0, *(len(one.words) for one in read)], dtype=np.int64)
    vectors = model.term_vectors(terms)
    dots = np.ascontiguousarray(vectors[:, :-1] @ rows.T)
    logits = pool_array(dots, starts, model.config.pooling) + vectors[:, -1:]
    best = logits.argmax(axis=1)
    return [
        _match(term, read[one], dots[row, starts[one] : starts[one + 1]], logits[row, one], content)
        for row, (term, one) in enumerate(zip(terms, best.tolist(), strict=True))
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
    """The forms of the sentence's words in the text; a piece of a long one shows its own words."""
    pairs = surfaces(Text(sentence.text, language))
    if tuple(word for word, _ in pairs) == sentence.words:
        return [surface for _, surface in pairs]
    return sentence.words


def explain(
    model: SearcherModel, query: Query, document: Document, combination: Combination
) -> Explanation:
    """The attention as links, strongest first; the score is the probability."""
    found = matches(model, query, document)
    if not found:
        return Explanation(document.doc_id, 0.0, ())
    logits = np.array([[one.logit] for one in found])
    score = float(combine_logits(logits, saved_scaling(model.facts), combination)[0])
    links = [
        Link(one.term, word, weight, weight / len(found))
        for one in found
        for word, weight in _together(one).items()
        if weight >= LEAST_ATTENTION
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return Explanation(document.doc_id, score, tuple(links))


def _together(match: Match) -> dict[str, float]:
    """The attention of each different word."""
    sums: dict[str, float] = {}
    for word, weight in zip(match.words, match.attention, strict=True):
        sums[word] = sums.get(word, 0.0) + weight
    return sums
