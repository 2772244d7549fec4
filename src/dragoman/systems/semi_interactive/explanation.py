"""Why a document scored as it did, in words: what each query word adds, and what it is nearest to.

A word's share is how much the score falls when the query is asked without it. Its link is the word
of the document whose hidden state, as the model last saw it, has the highest cosine with its own.
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
from dragoman.types import Document, Explanation, FloatArray, Link, Query

MOST_QUERY_WORDS = 32

# texts of a query -> the score of each
Scores = Callable[[Sequence[str]], FloatArray]


@dataclass(frozen=True, slots=True)
class TokenizedWords:
    """The words of a text, and the tokens that each is cut into."""

    texts: Sequence[str]
    tokens: Sequence[int]
    spans: Sequence[tuple[int, int]]  # by word: its first token and the one after its last

    def states(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        """(words, d): the mean state of each word's tokens, at length one; 0 where cut off."""
        found = np.zeros((len(self.texts), states.shape[1]), dtype=np.float32)
        for row, (first, last) in enumerate(self.spans):
            if first < min(last, len(states)):
                found[row] = states[first:last].mean(axis=0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        units: NDArray[np.float32] = found / np.maximum(lengths, np.finfo(np.float32).tiny)
        return units


def tokenize_words(model: RelevanceModel, text: str) -> TokenizedWords:
    """The words of a text as the model cuts them."""
    reader = model.reader
    body = clean_text(text, CHARACTERS_A_TOKEN * reader.longest)
    cut = reader.tokenizer(
        body, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    ends = [end for _, end in cut["offset_mapping"]]
    starts = [start for start, _ in cut["offset_mapping"]]
    words = list(WORD.finditer(body))
    spans = [
        (
            int(np.searchsorted(ends, word.start(), side="right")),
            int(np.searchsorted(starts, word.end(), side="left")),
        )
        for word in words
    ]
    return TokenizedWords([word.group() for word in words], cut["input_ids"], spans)


def explain(
    model: RelevanceModel,
    query: Query,
    document: Document,
    relevant: Sequence[Query],
    scores: Scores,
) -> Explanation:
    """The links of a query's words, strongest first; shares sum to one."""
    asked, found = tokenize_words(model, query.text), tokenize_words(model, document.content.body)
    score = float(scores([query.text])[0])
    if not asked.texts or not found.texts:
        return Explanation(document.doc_id, score, ())
    different = list(dict.fromkeys(asked.texts))[:MOST_QUERY_WORDS]
    without = [" ".join(word for word in asked.texts if word != left_out) for left_out in different]
    falls = np.maximum(score - scores(without), 0)
    near = _word_cosines(model, asked, found, relevant)
    whole = float(falls.sum()) or 1.0
    links = []
    for place, word in enumerate(different):
        cosines = near[asked.texts.index(word)]
        best = int(cosines.argmax())
        weight = float(np.clip(cosines[best], 0, 1))
        if weight > 0:
            links.append(Link(word, found.texts[best], weight, float(falls[place]) / whole))
    links.sort(key=lambda link: (-link.share, -link.weight, link.query_word))
    return Explanation(document.doc_id, score, tuple(links))


def _word_cosines(
    model: RelevanceModel, asked: TokenizedWords, found: TokenizedWords, relevant: Sequence[Query]
) -> FloatArray:
    """(query words, document words): the cosines of their states."""
    reader = model.reader
    begin = len(reader.query([])) - 1  # tokens before the first word
    if model.interactive:
        pair = reader.pair(asked.tokens, found.tokens)
        states = _states(model, PAIRS, pair)
        left = asked.states(states[begin : pair.first - 1])
        right = found.states(states[pair.first : len(pair) - 1])
    else:
        left = asked.states(_states(model, QUERIES, reader.query(asked.tokens))[begin:-1])
        beside = reader.tokens([one.content for one in relevant])
        whole = reader.document(found.tokens, beside)
        right = found.states(_states(model, DOCUMENTS, whole)[begin : whole.first - 1])
    cosines: FloatArray = left @ right.T
    return cosines


def _states(model: RelevanceModel, name: str, one: EncoderInput) -> NDArray[np.float32]:
    """(tokens, d): the last hidden states of an input."""
    encoder = model.encoder(name)
    batch = pad_inputs([one], model.reader.padding, encoder.device)
    segments = {"token_type_ids": batch.segments} if reads_segments(encoder) else {}
    with torch.no_grad():
        states = encoder(input_ids=batch.ids, attention_mask=batch.mask, **segments)
    found: NDArray[np.float32] = states.last_hidden_state[0].float().cpu().numpy()
    return found
