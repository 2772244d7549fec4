"""Bitext -> training examples in flat arrays (section 3): which terms each pair has.

Every content word of the query side, and every frequent phrase of two or three of them, is a query
whose foreign sentence is relevant. The other sentences of a random batch are negatives, which is
verified: a sentence whose query side has the term is relevant too. Stored are the terms of every
pair, not a matrix of terms and sentences.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dragoman.systems.searcher.config import TermConfig
from dragoman.systems.searcher.terms import Terms, is_stop_word, stem_word
from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.training.sequences import Sequences, gather_positions
from dragoman.types import IntArray


@dataclass(slots=True)
class VocabularyBuilder:
    """Words -> ids in the order of their first occurrence; texts as id sequences."""

    ids: dict[str, int] = field(default_factory=dict)
    _flat: "array[int]" = field(default_factory=lambda: array("i"))
    _ends: "array[int]" = field(default_factory=lambda: array("q", [0]))

    def add(self, words: Iterable[str]) -> None:
        """Append a text."""
        self._flat.extend(self.ids.setdefault(word, len(self.ids)) for word in words)
        self._ends.append(len(self._flat))

    @property
    def sequences(self) -> Sequences:
        """The texts as word ids."""
        return Sequences(
            np.frombuffer(self._flat, np.int32) if len(self._flat) else np.zeros(0, np.int32),
            np.frombuffer(self._ends, np.int64),
        )

    @property
    def words(self) -> list[str]:
        """The word of every id."""
        return list(self.ids)


def learn_terms(
    texts: Sequences, words: Sequence[str], language: str, config: TermConfig
) -> tuple[Terms, Sequences]:
    """The terms of the query sides of bitext, and the distinct terms of every pair, ascending."""
    content = np.array([not is_stop_word(word, language) for word in words], dtype=bool)
    is_content = content[texts.words] if len(texts.words) else np.zeros(0, dtype=bool)
    pairs = np.repeat(np.arange(len(texts)), texts.lengths)[is_content]
    flat = texts.words[is_content].astype(np.int64)
    frequent = [_frequent_terms(pairs, flat, config.seen)]
    names = [[f"{language}:{words[number]}" for number in frequent[0].keys]]
    phrase_ids = _frequent_ids(flat, len(words), config.phrase_seen)
    phrase_words = [words[number] for number in np.flatnonzero(phrase_ids >= 0).tolist()]
    for size in range(2, config.longest_phrase + 1):
        keys, owners = _windows(phrase_ids[flat], pairs, size, len(phrase_words))
        frequent.append(_frequent_terms(owners, keys, config.phrase_seen))
        names.append(
            [_phrase(key, size, phrase_words, language) for key in frequent[-1].keys.tolist()]
        )
    stems = sorted({f"{language}:{stem_word(word[len(language) + 1 :], language)}"
                    for word in names[0]})  # fmt: skip
    terms = Terms(tuple(names[0]), tuple(stems), tuple(name for some in names[1:] for name in some))
    return terms, _terms_by_pair(frequent, len(texts))


@dataclass(frozen=True, slots=True)
class _FrequentTerms:
    """Frequent terms by key, and their occurrences in pairs."""

    keys: IntArray
    pairs: IntArray  # of each occurrence
    indices: IntArray  # of each occurrence, in ``keys``


def _frequent_terms(pairs: IntArray, keys: IntArray, seen: int) -> _FrequentTerms:
    """The keys that at least ``seen`` distinct pairs have."""
    distinct, indices = np.unique(keys, return_inverse=True)
    occurrences = np.unique(pairs * max(len(distinct), 1) + indices)
    owners, indices = occurrences // max(len(distinct), 1), occurrences % max(len(distinct), 1)
    is_frequent = np.bincount(indices, minlength=len(distinct)) >= seen
    new_indices = np.cumsum(is_frequent) - 1
    mask = is_frequent[indices]
    return _FrequentTerms(distinct[is_frequent], owners[mask], new_indices[indices[mask]])


def _frequent_ids(flat: IntArray, words: int, seen: int) -> NDArray[np.int64]:
    """New ids of the words that are frequent enough to be in a phrase; -1 for the others."""
    is_frequent = np.bincount(flat, minlength=words) >= seen
    return np.where(is_frequent, np.cumsum(is_frequent) - 1, -1)


def _windows(
    flat: NDArray[np.int64], pairs: IntArray, size: int, words: int
) -> tuple[NDArray[np.int64], IntArray]:
    """Every sequence of ``size`` known words within a pair as one integer key, and its pair."""
    assert words**size < 1 << 63, "the keys of phrases of so many distinct words do not fit 64 bits"
    if len(flat) < size:
        return flat[:0], pairs[:0]
    runs = np.lib.stride_tricks.sliding_window_view(flat, size)
    inside = (pairs[: len(runs)] == pairs[size - 1 :]) & (runs >= 0).all(axis=1)
    powers = words ** np.arange(size - 1, -1, -1, dtype=np.int64)
    return (runs[inside] * powers).sum(axis=1), pairs[: len(runs)][inside]


def _phrase(key: int, size: int, words: Sequence[str], language: str) -> str:
    parts = []
    for _ in range(size):
        key, number = divmod(key, len(words))
        parts.append(words[number])
    return f"{language}:{' '.join(reversed(parts))}"


def _terms_by_pair(frequent: Sequence[_FrequentTerms], pairs: int) -> Sequences:
    """The terms of each pair; ids of a later list follow those of the earlier ones."""
    first = np.cumsum([0, *(len(terms.keys) for terms in frequent)])
    owners = np.concatenate([terms.pairs for terms in frequent])
    ids = np.concatenate(
        [terms.indices + start for terms, start in zip(frequent, first, strict=False)]
    )
    order = np.lexsort((ids, owners))
    starts = np.searchsorted(owners[order], np.arange(pairs + 1)).astype(np.int64)
    return Sequences(ids[order].astype(np.int32), starts)


def known_terms(texts: Iterable[Sequence[str]], terms: Terms, language: str) -> Sequences:
    """The distinct known terms of other texts: words, and phrases of adjacent ones."""
    ids = {name: index for index, name in enumerate((*terms.words, *terms.phrases))}
    longest = max((name.count(" ") + 1 for name in terms.phrases), default=1)
    rows = []
    for words in texts:
        content = [word for word in words if not is_stop_word(word, language)]
        names = (
            f"{language}:{' '.join(content[start : start + size])}"
            for size in range(1, longest + 1)
            for start in range(len(content) - size + 1)
        )
        rows.append(sorted({ids[name] for name in names if name in ids}))
    return Sequences.pack(rows)


@dataclass(frozen=True, slots=True)
class SearcherBatch:
    """Sentences, terms, and which sentence is relevant to which term."""

    sentences: IntArray
    terms: IntArray
    labels: NDArray[np.float32]  # (terms, sentences): 1 where the query side has the term


@dataclass(frozen=True, slots=True)
class SearcherBatches:
    """Batches of random sentences with the terms of all of them."""

    terms: Sequences  # of every pair
    config: BatchConfig
    most: int  # maximum number of terms of a batch; a sample of more

    def __len__(self) -> int:
        return batch_count(len(self.terms), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[SearcherBatch]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``."""
        lengths = self.terms.lengths
        for rows in epoch_rows(lengths, self.config, number, start, stride):
            rng = np.random.default_rng((self.config.seed, number, int(rows[0])))
            yield label_batch(self.terms, rows, self.most, rng)


def label_batch(
    terms: Sequences, rows: IntArray, most: int, rng: np.random.Generator
) -> SearcherBatch:
    """The sentences ``rows``, at most ``most`` of their terms, and their labels."""
    at, starts = gather_positions(terms.starts, rows)
    flat = terms.words[at]
    columns = np.repeat(np.arange(len(rows)), np.diff(starts))
    distinct, term_rows = np.unique(flat, return_inverse=True)
    labels = np.zeros((len(distinct), len(rows)), dtype=np.float32)
    labels[term_rows, columns] = 1
    if len(distinct) > most:
        sampled = np.sort(rng.choice(len(distinct), most, replace=False))
        distinct, labels = distinct[sampled], labels[sampled]
    return SearcherBatch(rows, distinct.astype(np.int64), labels)
