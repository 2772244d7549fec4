"""Bitext -> training examples in flat arrays (section 3): which terms each pair has.

Every content word of the query side, and every phrase of two or three of them that came often
enough, is a query whose foreign sentence is relevant. The other sentences of a batch, which chance
put there, are not, and this is verified: a sentence whose query side has the term is relevant too.
What is kept is the list of terms of every pair, never terms times sentences.
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
    """Words -> numbers in the order they are first met; texts one after the other."""

    ids: dict[str, int] = field(default_factory=dict)
    _flat: "array[int]" = field(default_factory=lambda: array("i"))
    _ends: "array[int]" = field(default_factory=lambda: array("q", [0]))

    def add(self, words: Iterable[str]) -> None:
        """One more text."""
        self._flat.extend(self.ids.setdefault(word, len(self.ids)) for word in words)
        self._ends.append(len(self._flat))

    @property
    def sequences(self) -> Sequences:
        """The texts in numbers."""
        return Sequences(
            np.frombuffer(self._flat, np.int32) if len(self._flat) else np.zeros(0, np.int32),
            np.frombuffer(self._ends, np.int64),
        )

    @property
    def words(self) -> list[str]:
        """The word of every number."""
        return list(self.ids)


def learn_terms(
    texts: Sequences, words: Sequence[str], language: str, config: TermConfig
) -> tuple[Terms, Sequences]:
    """The terms of the query sides of bitext, and the different terms of every pair, rising."""
    content = np.array([not is_stop_word(word, language) for word in words], dtype=bool)
    kept = content[texts.words] if len(texts.words) else np.zeros(0, dtype=bool)
    pairs = np.repeat(np.arange(len(texts)), texts.lengths)[kept]
    flat = texts.words[kept].astype(np.int64)
    found = [_frequent_terms(pairs, flat, config.seen)]
    names = [[f"{language}:{words[number]}" for number in found[0].keys]]
    often = _frequent_ids(flat, len(words), config.phrase_seen)
    spelt = [words[number] for number in np.flatnonzero(often >= 0).tolist()]
    for size in range(2, config.longest_phrase + 1):
        keys, owners = _windows(often[flat], pairs, size, len(spelt))
        found.append(_frequent_terms(owners, keys, config.phrase_seen))
        names.append([_phrase(key, size, spelt, language) for key in found[-1].keys.tolist()])
    stems = sorted({f"{language}:{stem_word(word[len(language) + 1 :], language)}"
                    for word in names[0]})  # fmt: skip
    terms = Terms(tuple(names[0]), tuple(stems), tuple(name for some in names[1:] for name in some))
    return terms, _terms_by_pair(found, len(texts))


@dataclass(frozen=True, slots=True)
class _FrequentTerms:
    """What came often enough: its keys, and who has which."""

    keys: IntArray
    owners: IntArray
    places: IntArray  # among ``keys``


def _frequent_terms(pairs: IntArray, keys: IntArray, seen: int) -> _FrequentTerms:
    """Keys that at least ``seen`` different pairs have."""
    different, places = np.unique(keys, return_inverse=True)
    both = np.unique(pairs * max(len(different), 1) + places)
    owners, places = both // max(len(different), 1), both % max(len(different), 1)
    often = np.bincount(places, minlength=len(different)) >= seen
    renumbered = np.cumsum(often) - 1
    kept = often[places]
    return _FrequentTerms(different[often], owners[kept], renumbered[places[kept]])


def _frequent_ids(flat: IntArray, words: int, seen: int) -> NDArray[np.int64]:
    """New numbers for words that came often enough to be in a phrase; -1 for the others."""
    often = np.bincount(flat, minlength=words) >= seen
    return np.where(often, np.cumsum(often) - 1, -1)


def _windows(
    flat: NDArray[np.int64], pairs: IntArray, size: int, words: int
) -> tuple[NDArray[np.int64], IntArray]:
    """Every run of ``size`` known words within a pair as one number, and its pair."""
    assert words**size < 1 << 63, "phrases of so many different words do not fit a number"
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


def _terms_by_pair(found: Sequence[_FrequentTerms], pairs: int) -> Sequences:
    """The terms of each pair; those of a later list are numbered behind the earlier ones."""
    first = np.cumsum([0, *(len(one.keys) for one in found)])
    owners = np.concatenate([one.owners for one in found])
    numbers = np.concatenate([one.places + start for one, start in zip(found, first, strict=False)])
    order = np.lexsort((numbers, owners))
    starts = np.searchsorted(owners[order], np.arange(pairs + 1)).astype(np.int64)
    return Sequences(numbers[order].astype(np.int32), starts)


def known_terms(texts: Iterable[Sequence[str]], terms: Terms, language: str) -> Sequences:
    """The different known terms of other texts: all words, and all phrases of adjacent ones."""
    number = {name: place for place, name in enumerate((*terms.words, *terms.phrases))}
    longest = max((name.count(" ") + 1 for name in terms.phrases), default=1)
    rows = []
    for words in texts:
        content = [word for word in words if not is_stop_word(word, language)]
        runs = (
            f"{language}:{' '.join(content[start : start + size])}"
            for size in range(1, longest + 1)
            for start in range(len(content) - size + 1)
        )
        rows.append(sorted({number[run] for run in runs if run in number}))
    return Sequences.pack(rows)


@dataclass(frozen=True, slots=True)
class SearcherBatch:
    """Some sentences, the terms to search them for, and which is relevant to which."""

    sentences: IntArray
    terms: IntArray
    labels: NDArray[np.float32]  # (terms, sentences): 1 where the query side has the term


@dataclass(frozen=True, slots=True)
class SearcherBatches:
    """Random sentences, batch by batch, searched for the terms of all of them."""

    terms: Sequences  # of every pair
    config: BatchConfig
    most: int  # terms of a batch; more are drawn from

    def __len__(self) -> int:
        return batch_count(len(self.terms), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[SearcherBatch]:
        """The batches of the epoch ``number``."""
        lengths = self.terms.lengths
        for rows in epoch_rows(lengths, self.config, number, start, stride):
            rng = np.random.default_rng((self.config.seed, number, int(rows[0])))
            yield label_batch(self.terms, rows, self.most, rng)


def label_batch(
    terms: Sequences, rows: IntArray, most: int, rng: np.random.Generator
) -> SearcherBatch:
    """The sentences ``rows`` and at most ``most`` of their terms, and the truth of each pair."""
    at, starts = gather_positions(terms.starts, rows)
    flat = terms.words[at]
    columns = np.repeat(np.arange(len(rows)), np.diff(starts))
    different, lines = np.unique(flat, return_inverse=True)
    labels = np.zeros((len(different), len(rows)), dtype=np.float32)
    labels[lines, columns] = 1
    if len(different) > most:
        drawn = np.sort(rng.choice(len(different), most, replace=False))
        different, labels = different[drawn], labels[drawn]
    return SearcherBatch(rows, different.astype(np.int64), labels)
