"""Documents -> their sentences as stored positions, in the order of their ids.

columns.npy scales.npy             positions (``quantized``)
word_*.npy                         words and their documents (``near_words``)
sentences.npy documents.npy        where sentences and documents start
ids.*.npy languages.*.npy          by document
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault, InputError
from dragoman.protocols import Advance
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.near_words import NearWords, numbered
from dragoman.systems.searcher.quantized import Positions, mapped, quantized
from dragoman.systems.searcher.scanning import Segments
from dragoman.systems.searcher.sentences import sentences
from dragoman.text.strings import Strings
from dragoman.training.texts import gathered
from dragoman.types import Document, IntArray, Text

PORTION = 512  # documents that are encoded at a time


@dataclass(frozen=True, eq=False)
class Corpus:
    """The documents that can be found."""

    ids: Strings
    languages: Strings
    segments: Segments
    positions: Positions
    words: NearWords

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _languages(self) -> NDArray[np.str_]:
        return np.array(list(self.languages), dtype=np.str_)

    def chosen(self, languages: Collection[str] | None) -> IntArray | None:
        """The rows of documents in ``languages``; None for all."""
        if languages is None:
            return None
        return np.flatnonzero(np.isin(self._languages, list(languages)))

    def save(self, folder: Path) -> None:
        """Write everything into ``folder``."""
        self.positions.save(folder)
        self.words.save(folder)
        np.save(folder / "sentences.npy", self.segments.sentences, allow_pickle=False)
        np.save(folder / "documents.npy", self.segments.documents, allow_pickle=False)
        self.ids.save(folder, "ids")
        self.languages.save(folder, "languages")

    @classmethod
    def load(cls, folder: Path) -> "Corpus":
        """What ``save`` wrote; arrays are mapped, not read."""
        positions, words = Positions.load(folder), NearWords.load(folder)
        segments = Segments(mapped(folder, "sentences"), mapped(folder, "documents"))
        try:
            ids, languages = Strings.load(folder, "ids"), Strings.load(folder, "languages")
        except (OSError, ValueError, EOFError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        return cls(ids, languages, segments, positions, words)


@dataclass(slots=True)
class _Gathered:
    """What has been read, in the order of arrival."""

    ids: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)  # of each document
    lengths: list[int] = field(default_factory=list)  # of each sentence, in words
    words: list[NDArray[np.int32]] = field(default_factory=list)  # of each position, in numbers
    rows: list[NDArray[np.int8]] = field(default_factory=list)
    scales: list[NDArray[np.float32]] = field(default_factory=list)


def collect(documents: Iterable[Document], model: SearcherModel, advance: Advance) -> Corpus:
    """The corpus of ``documents``, which are read once and not kept.

    Documents without a sentence in a language of the model cannot be found.
    """
    found, numbers = _Gathered(), dict[str, int]()
    for portion in _portions(documents):
        cut = [_sentences(document.content, model) for document in portion]
        read = [sentence for one in cut for sentence in one]
        rows, scales = quantized(encoded(read, model))
        found.words.append(numbered(read, numbers))
        found.rows.append(rows)
        found.scales.append(scales)
        found.ids += [document.doc_id for document in portion]
        found.languages += [document.language for document in portion]
        found.sentences += map(len, cut)
        found.lengths += map(len, read)
        advance(len(portion))
    return _arranged(found, model.config.size)


def encoded(sentences: Sequence[tuple[str, ...]], model: SearcherModel) -> NDArray[np.float32]:
    """The positions of all sentences; equal sentences are encoded once, and are equal."""
    number: dict[tuple[str, ...], int] = {}
    places = np.array([number.setdefault(one, len(number)) for one in sentences], dtype=np.int64)
    different = list(number)
    vectors = model.positions(different)
    starts = np.cumsum([0, *map(len, different)], dtype=np.int64)
    return vectors[gathered(starts, places)[0]]


def _sentences(text: Text, model: SearcherModel) -> list[tuple[str, ...]]:
    if text.language not in model.words.languages:
        return []
    return [one.words for one in sentences(text, model.config.longest)]


def _portions(documents: Iterable[Document]) -> Iterator[list[Document]]:
    stream = iter(documents)
    while portion := list(islice(stream, PORTION)):
        yield portion


def _arranged(found: _Gathered, size: int) -> Corpus:
    order = sorted(range(len(found.ids)), key=found.ids.__getitem__)
    for place, following in pairwise(order):
        if found.ids[place] == found.ids[following]:
            raise InputError(
                "documents",
                following + 1,
                found=f"the id {found.ids[place]!r} a second time",
                expected="every id once",
            )
    counts = np.array(found.sentences, dtype=np.int64)
    kept = np.array([row for row in order if counts[row]], dtype=np.int64)
    arrived = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    of_documents, document_starts = gathered(arrived, kept)
    lengths = np.array(found.lengths, dtype=np.int64)
    begins = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    of_sentences, sentence_starts = gathered(begins, of_documents)
    rows = np.concatenate([np.zeros((0, size), np.int8), *found.rows])[of_sentences]
    scales = np.concatenate([np.zeros(0, np.float32), *found.scales])[of_sentences]
    words = np.concatenate([np.zeros(0, np.int32), *found.words])[of_sentences]
    positions = Positions.of(rows, scales)
    owners = np.repeat(np.arange(len(kept)), np.diff(sentence_starts[document_starts]))
    return Corpus(
        Strings.pack(found.ids[row] for row in kept),
        Strings.pack(found.languages[row] for row in kept),
        Segments(sentence_starts, document_starts),
        positions,
        NearWords.of(positions, words, owners),
    )
