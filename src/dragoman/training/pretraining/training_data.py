"""Texts -> token ids: the training and held-out data of a pre-training."""

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

PORTION = 8_192  # texts tokenized at a time
TOKENIZER_PAIRS, TOKENIZER_BODIES = 200_000, 20_000  # for learning the tokenizer
SPECIAL_TOKENS = 2  # of a text


@dataclass(frozen=True, slots=True)
class TokenPairs:
    """Both sides of pairs as token ids, without special tokens."""

    names: tuple[str, ...]  # of the groups
    groups: NDArray[np.int64]
    firsts: Sequences
    seconds: Sequences
    first_texts: NDArray[np.int64]  # equal for equal texts
    second_texts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)


@dataclass(frozen=True, slots=True)
class TextChunks:
    """Chunks of plain texts."""

    tokens: Sequences
    offsets: NDArray[np.int64]  # of the first token of each chunk in its text

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class PretrainingData:
    """The data of a pre-training."""

    training: TokenPairs
    held_out: TokenPairs
    plain: TextChunks
    vocabulary: int

    @property
    def counts(self) -> NDArray[np.int64]:
        """The frequency of each token in the training texts."""
        parts = (self.training.firsts, self.training.seconds, self.plain.tokens)
        words = np.concatenate([part.words for part in parts])
        return np.bincount(words, minlength=self.vocabulary).astype(np.int64)

    def digest(self) -> str:
        """Equal for equal texts and tokenizers."""
        digest = sha256()
        for pairs in (self.training, self.held_out):
            for part in (pairs.groups, pairs.firsts.words, pairs.seconds.words):
                digest.update(np.ascontiguousarray(part).tobytes())
        digest.update(self.plain.tokens.words.tobytes())
        return digest.hexdigest()[:16]


def learn_tokenizer(
    bitext: Bitext,
    rows: IntArray,
    bodies: Sequence[str],
    config: PretrainConfig,
    rng: np.random.Generator,
) -> Tokenizer:
    """A tokenizer of the training texts; small groups are sampled more than by their size."""
    pairs = sample_rows(bitext, rows, TOKENIZER_PAIRS, config.smoothing, rng)
    documents = rng.permutation(len(bodies))[:TOKENIZER_BODIES]

    def texts() -> Iterator[str]:
        for row in pairs:
            yield bitext.firsts[row]
            yield bitext.seconds[row]
        for row in documents:
            yield bodies[row]

    return train_bpe(texts(), config.encoder.pieces)


def tokenize_pairs(
    bitext: Bitext,
    rows: IntArray,
    tokenizer: Tokenizer,
    config: PretrainConfig,
    advance: Advance = no_progress,
) -> TokenPairs:
    """Some pairs as token ids, truncated to the maximum length of a side."""
    most = config.sentence - SPECIAL_TOKENS
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
    """Plain texts in chunks of equal length, up to the last position of the encoder."""
    size, end = config.piece - SPECIAL_TOKENS, config.encoder.longest - SPECIAL_TOKENS
    chunks: list[Sequence[int]] = []
    offsets: list[int] = []
    for tokens in tokenize(bodies, tokenizer, advance):
        for start in range(0, min(len(tokens), end), size):
            chunks.append(tokens[start : min(start + size, end)])
            offsets.append(start)
    return TextChunks(Sequences.pack(chunks), np.array(offsets, dtype=np.int64))


def tokenize(
    texts: Iterable[str], tokenizer: Tokenizer, advance: Advance = no_progress
) -> Iterator[list[int]]:
    """The token ids of each text, without special tokens."""
    remaining = iter(texts)
    while portion := list(islice(remaining, PORTION)):
        for encoding in tokenizer.encode_batch_fast(portion, add_special_tokens=False):
            yield encoding.ids
        advance(len(portion))


def _text_ids(texts: Iterable[str]) -> NDArray[np.int64]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
