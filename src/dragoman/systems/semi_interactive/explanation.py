"""A query and a document -> each query word's share of the score and its nearest document word.

Words are compared by the cosine of their last hidden states.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from dragoman.encoders.onnx_session import clean_text
from dragoman.systems.semi_interactive.encoding import pad_inputs, reads_segments
from dragoman.systems.semi_interactive.inputs import CHARACTERS_A_TOKEN, EncoderInput
from dragoman.systems.semi_interactive.leakage import WORD
from dragoman.systems.semi_interactive.model import DOCUMENTS, PAIRS, QUERIES, RelevanceModel
from dragoman.training.word_links import nearest_links
from dragoman.types import Document, Explanation, FloatArray, Query

MOST_QUERY_WORDS = 32

# variants of a query's text -> the score of each
Scores = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class TokenizedWords:
    """The words of a text and their tokens."""

    texts: Sequence[str]
    tokens: Sequence[int]
    spans: Sequence[tuple[int, int]]  # of each word: its first token, and the one after its last

    def states(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        """(words, d): the mean state of each word's tokens, of length one; 0 if truncated."""
        means = np.zeros((len(self.texts), states.shape[1]), dtype=np.float32)
        for row, (first, last) in enumerate(self.spans):
            if first < min(last, len(states)):
                means[row] = states[first:last].mean(axis=0)
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        units: NDArray[np.float32] = means / np.maximum(lengths, np.finfo(np.float32).tiny)
        return units


def tokenize_words(model: RelevanceModel, text: str) -> TokenizedWords:
    """The words of a text and their tokens."""
    builder = model.input_builder
    body = clean_text(text, CHARACTERS_A_TOKEN * builder.longest)
    encoding = builder.tokenizer(
        body, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    ends = [end for _, end in encoding["offset_mapping"]]
    starts = [start for start, _ in encoding["offset_mapping"]]
    words = list(WORD.finditer(body))
    spans = [
        (
            int(np.searchsorted(ends, word.start(), side="right")),
            int(np.searchsorted(starts, word.end(), side="left")),
        )
        for word in words
    ]
    return TokenizedWords([word.group() for word in words], encoding["input_ids"], spans)


def explain(
    model: RelevanceModel,
    query: Query,
    document: Document,
    relevant: Sequence[Query],
    scores: Scores,
) -> Explanation:
    """The links of a query's words, strongest first."""
    query_words = tokenize_words(model, query.text)
    document_words = tokenize_words(model, document.content.body)
    score = float(scores([query.text])[0])
    if not query_words.texts or not document_words.texts:
        return Explanation(document.doc_id, score, ())
    distinct = list(dict.fromkeys(query_words.texts))[:MOST_QUERY_WORDS]
    without = [" ".join(word for word in query_words.texts if word != left) for left in distinct]
    losses = np.maximum(score - scores(without), 0)
    rows = [query_words.texts.index(word) for word in distinct]
    cosines = _word_cosines(model, query_words, document_words, relevant)[rows]
    links = nearest_links(distinct, losses, document_words.texts, cosines)
    return Explanation(document.doc_id, score, links)


def _word_cosines(
    model: RelevanceModel,
    query: TokenizedWords,
    document: TokenizedWords,
    relevant: Sequence[Query],
) -> FloatArray:
    """(query words, document words): the cosines of their states."""
    builder = model.input_builder
    begin = len(builder.query([])) - 1  # tokens before the first word
    if model.interactive:
        pair = builder.pair(query.tokens, document.tokens)
        states = _states(model, PAIRS, pair)
        left = query.states(states[begin : pair.first - 1])
        right = document.states(states[pair.first : len(pair) - 1])
    else:
        left = query.states(_states(model, QUERIES, builder.query(query.tokens))[begin:-1])
        relevant_tokens = builder.tokens([one.content for one in relevant])
        encoded = builder.document(document.tokens, relevant_tokens)
        right = document.states(_states(model, DOCUMENTS, encoded)[begin : encoded.first - 1])
    cosines: FloatArray = left @ right.T
    return cosines


def _states(model: RelevanceModel, name: str, one: EncoderInput) -> NDArray[np.float32]:
    """(tokens, d): the last hidden states of an input."""
    encoder = model.encoder(name)
    batch = pad_inputs([one], model.input_builder.padding, encoder.device)
    segments = {"token_type_ids": batch.segments} if reads_segments(encoder) else {}
    with torch.no_grad():
        states = encoder(input_ids=batch.ids, attention_mask=batch.mask, **segments)
    last: NDArray[np.float32] = states.last_hidden_state[0].float().cpu().numpy()
    return last
