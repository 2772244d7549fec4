"""A translation model and sentences -> translations, greedily or by beam search.

The model is that of pre-training (section 6). A word outside the decoder's vocabulary is given as
the position of the source word that the decoder looked at, for the caller to translate or to copy
(Jean et al. 2015).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from dragoman.systems.searcher.config import SearcherConfig
from dragoman.systems.searcher.encoders import Starts
from dragoman.systems.searcher.pretraining import (
    BOUNDARY,
    FIRST_WORD,
    UNKNOWN,
    TranslationModel,
    frequent_words,
)
from dragoman.systems.searcher.training_data import SearcherTrainingData
from dragoman.training.sequences import Sequences
from dragoman.types import IntArray

PORTION = 128  # sentences decoded at a time
STRETCH, MARGIN = 1.5, 5  # a translation has at most 1.5 times as many words as its source, and 5

# a word of the vocabulary, or the position of a source word for one outside it
Translation = list[str | int]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """The beginning of a translation, with the source position behind each of its words."""

    words: tuple[int, ...]  # decoder ids, BOUNDARY first
    looked_at: tuple[int, ...]
    log_probability: float

    @property
    def is_complete(self) -> bool:
        return len(self.words) > 1 and self.words[-1] == BOUNDARY

    @property
    def normalized(self) -> float:
        """The log-probability of a word; without this short translations would win."""
        return self.log_probability / max(len(self.words) - 1, 1)


class TranslationDecoder:
    """Translates tokenized sentences by a trained model."""

    def __init__(
        self, model: TranslationModel, data: SearcherTrainingData, config: SearcherConfig
    ) -> None:
        assert config.pretrain is not None
        self._model, self._words = model.eval(), data.words
        ids = frequent_words(data, config.pretrain.words)
        self._vocabulary = [data.query_words[number] for number in ids]
        self._longest = config.model.longest

    @torch.inference_mode()
    def greedy(self, sentences: Sequence[Sequence[str]]) -> list[Translation]:
        """The likeliest next word, again and again."""
        order = sorted(range(len(sentences)), key=lambda row: len(sentences[row]))
        translations: dict[int, Translation] = {}
        for start in range(0, len(order), PORTION):
            rows = [row for row in order[start : start + PORTION] if sentences[row]]
            encoded, starts = self._encode([sentences[row] for row in rows])
            done = self._greedy_portion(encoded, starts)
            translations |= zip(rows, done, strict=True)
        return [translations.get(row, []) for row in range(len(sentences))]

    @torch.inference_mode()
    def beam(self, sentence: Sequence[str], width: int) -> Translation:
        """The best of ``width`` hypotheses by the mean log-probability of their words."""
        if not sentence:
            return []
        encoded, starts = self._encode([sentence])
        beam, complete = [_Hypothesis((BOUNDARY,), (), 0.0)], []
        for _ in range(_most_words(int(starts[1]))):
            following = self._extend(beam, encoded, width)
            complete += [one for one in following if one.is_complete]
            beam = [one for one in following if not one.is_complete]
            if not beam or len(complete) >= width:
                break
        best = max(complete or beam, key=lambda one: one.normalized)
        return self._translation(best.words[1:], best.looked_at)

    def _encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Starts]:
        cut = [list(words[: self._longest]) for words in sentences]
        distinct = sorted({word for words in cut for word in words})
        numbers = {word: number for number, word in enumerate(distinct)}
        texts = Sequences.pack([numbers[word] for word in words] for words in cut)
        bags = self._words.bags(distinct)
        positions, starts = self._model.sentences(bags, texts, np.arange(len(cut)))
        return positions, starts

    def _greedy_portion(self, encoded: Tensor, starts: Starts) -> list[Translation]:
        lengths = np.diff(starts)
        words: list[list[int]] = [[BOUNDARY] for _ in lengths]
        looked_at: list[list[int]] = [[] for _ in lengths]
        open_rows = list(range(len(lengths)))
        while open_rows:
            source, source_starts = _select(encoded, starts, open_rows)
            logits, attention = self._last([words[row] for row in open_rows], source, source_starts)
            likeliest, seen = logits.argmax(dim=1).tolist(), attention.argmax(dim=1).tolist()
            for row, word, position in zip(open_rows, likeliest, seen, strict=True):
                words[row].append(word)
                looked_at[row].append(position)
            open_rows = [
                row
                for row in open_rows
                if words[row][-1] != BOUNDARY and len(words[row]) <= _most_words(int(lengths[row]))
            ]
        pairs = zip(words, looked_at, strict=True)
        return [self._translation(found[1:], seen) for found, seen in pairs]

    def _extend(
        self, beam: Sequence[_Hypothesis], encoded: Tensor, width: int
    ) -> list[_Hypothesis]:
        """The ``width`` likeliest hypotheses that are one word longer."""
        starts = np.arange(len(beam) + 1) * len(encoded)
        sources = encoded.repeat(len(beam), 1)
        logits, attention = self._last([one.words for one in beam], sources, starts)
        chances, words = torch.log_softmax(logits, dim=1).topk(width, dim=1)
        seen = attention.argmax(dim=1).tolist()
        longer = [
            _Hypothesis((*one.words, word), (*one.looked_at, place), one.log_probability + chance)
            for one, place, row, more in zip(
                beam, seen, words.tolist(), chances.tolist(), strict=True
            )
            for word, chance in zip(row, more, strict=True)
        ]
        return sorted(longer, key=lambda one: -one.log_probability)[:width]

    def _last(
        self, prefixes: Sequence[Sequence[int]], encoded: Tensor, encoded_starts: Starts
    ) -> tuple[Tensor, Tensor]:
        """Logits of the word after each prefix, and the attention with which it is chosen."""
        given = Sequences.pack(prefixes)
        words = torch.from_numpy(given.words.astype(np.int64))
        states, attention = self._model.decoder.attend(words, given.starts, encoded, encoded_starts)
        last = torch.from_numpy(given.starts[1:] - 1)
        return self._model.decoder.says(states[last]), attention[last]

    def _translation(self, words: Sequence[int], looked_at: Sequence[int]) -> Translation:
        return [
            place if word == UNKNOWN else self._vocabulary[word - FIRST_WORD]
            for word, place in zip(words, looked_at, strict=True)
            if word != BOUNDARY
        ]


def _most_words(source: int) -> int:
    return int(STRETCH * source) + MARGIN


def _select(encoded: Tensor, starts: Starts, rows: Sequence[int]) -> tuple[Tensor, Starts]:
    """The encoded sentences ``rows``."""
    chosen: IntArray = np.asarray(rows)
    lengths = np.diff(starts)[chosen]
    at = np.concatenate([np.arange(starts[row], starts[row + 1]) for row in rows])
    return encoded[torch.from_numpy(at)], np.append(0, np.cumsum(lengths)).astype(np.int64)
