"""Texts -> numbers of tokens: what a pre-training reads, and what it is measured with."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from dragoman.protocols import Advance, no_progress
from dragoman.tokens.bpe import train_bpe
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.corpora import Bitext, sample_rows
from dragoman.training.sequences import Sequences
from dragoman.types import IntArray

PORTION = 8_192  # texts that are cut at a time
READ_PAIRS, READ_BODIES = 200_000, 20_000  # that the tokenizer is learnt from
FRAME = 2  # tokens that stand around a text


@dataclass(frozen=True, slots=True)
class TokenPairs:
    """Both sides of pairs as tokens, without special ones."""

    names: tuple[str, ...]  # of the groups
    groups: NDArray[np.int64]
    firsts: Sequences
    seconds: Sequences
    first_texts: NDArray[np.int64]  # equal where texts are equal
    second_texts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)


@dataclass(frozen=True, slots=True)
class TextChunks:
    """Plain texts, cut; a piece knows the place of its first token in its text."""

    tokens: Sequences
    places: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class PretrainingData:
    """All that a pre-training reads."""

    training: TokenPairs
    held_out: TokenPairs
    plain: TextChunks
    vocabulary: int

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each token stands in the training texts."""
        parts = (self.training.firsts, self.training.seconds, self.plain.tokens)
        words = np.concatenate([part.words for part in parts])
        return np.bincount(words, minlength=self.vocabulary).astype(np.int64)

    def digest(self) -> str:
        """Equal for equal texts and tokenizers."""
        whole = sha256()
        for pairs in (self.training, self.held_out):
            for part in (pairs.groups, pairs.firsts.words, pairs.seconds.words):
                whole.update(np.ascontiguousarray(part).tobytes())
        whole.update(self.plain.tokens.words.tobytes())
        return whole.hexdigest()[:16]


def learn_tokenizer(
    bitext: Bitext,
    rows: IntArray,
    bodies: Sequence[str],
    config: PretrainConfig,
    rng: np.random.Generator,
) -> Tokenizer:
    """Pieces of the training texts, small groups of which count more than their size."""
    chosen = sample_rows(bitext, rows, READ_PAIRS, config.smoothing, rng)
    some = rng.permutation(len(bodies))[:READ_BODIES]

    def texts() -> Iterator[str]:
        for row in chosen:
            yield bitext.firsts[row]
            yield bitext.seconds[row]
        for row in some:
            yield bodies[row]

    return train_bpe(texts(), config.encoder.pieces)


def tokenize_pairs(
    bitext: Bitext,
    rows: IntArray,
    tokenizer: Tokenizer,
    config: PretrainConfig,
    advance: Advance = no_progress,
) -> TokenPairs:
    """Some pairs as tokens; what a side has beyond its most tokens is left out."""
    most = config.sentence - FRAME
    sides = [
        Sequences.pack(
            tokens[:most] for tokens in tokenize((texts[row] for row in rows), tokenizer, advance)
        )
        for texts in (bitext.firsts, bitext.seconds)
    ]
    first_texts, second_texts = (
        _text_ids(texts[row].lower() for row in rows) for texts in (bitext.firsts, bitext.seconds)
    )
    return TokenPairs(
        bitext.names, bitext.groups[rows], sides[0], sides[1], first_texts, second_texts
    )


def tokenize_chunks(
    bodies: Iterable[str],
    tokenizer: Tokenizer,
    config: PretrainConfig,
    advance: Advance = no_progress,
) -> TextChunks:
    """Plain texts in pieces of equal length, up to the places that the encoder has."""
    size, end = config.piece - FRAME, config.encoder.longest - FRAME
    found: list[Sequence[int]] = []
    places: list[int] = []
    for tokens in tokenize(bodies, tokenizer, advance):
        for start in range(0, min(len(tokens), end), size):
            found.append(tokens[start : min(start + size, end)])
            places.append(start)
    return TextChunks(Sequences.pack(found), np.array(places, dtype=np.int64))


def tokenize(
    texts: Iterable[str], tokenizer: Tokenizer, advance: Advance = no_progress
) -> Iterator[list[int]]:
    """The tokens of each text, without special ones."""
    waiting = iter(texts)
    while portion := list(islice(waiting, PORTION)):
        for encoding in tokenizer.encode_batch_fast(portion, add_special_tokens=False):
            yield encoding.ids
        advance(len(portion))


def _text_ids(texts: Iterable[str]) -> NDArray[np.int64]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
