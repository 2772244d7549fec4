"""Texts -> counted keys; queries and documents are read alike."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.types import Document, Text
from dragoman.vectors.bag_config import BagConfig
from dragoman.vectors.counted import Counted, Vocabulary
from dragoman.vectors.spelling import Preparation, PreparationConfig
from dragoman.vectors.word_sources import WordSource


class Read(NamedTuple):
    """The known words of one text: a surface for each key, and how often the key stands there."""

    surfaces: tuple[str, ...]
    keys: tuple[str, ...]
    counts: tuple[int, ...]
    unknown: int  # running words without a vector


class Reader:
    """Reads texts with one source of word vectors."""

    def __init__(self, source: WordSource, config: BagConfig) -> None:
        self.source, self._first = source, config.first
        self._prepare = Preparation(PreparationConfig(stop=config.stop))

    @property
    def signature(self) -> str:
        """What must be equal for two readers to find the same words."""
        return f"{self._prepare.signature}|first:{self._first}"

    def words(self, text: Text) -> list[str]:
        """The words of a text that may have a vector, in order."""
        return self._prepare(text.body, text.language)

    def read(self, words: Sequence[str], language: str) -> Read:
        """The known ones of these words."""
        keys = self.source.keys(words, language)
        known = [(key, word) for key, word in zip(keys, words, strict=True) if key is not None]
        known = known[: self._first]
        counts = Counter(key for key, _ in known)
        surfaces = dict(reversed(known))  # the first word that a key was met with
        return Read(
            tuple(surfaces[key] for key in counts),
            tuple(counts),
            tuple(counts.values()),
            len(words) - sum(counts.values()),
        )

    def counted(self, documents: Iterable[Document], vocabulary: Vocabulary) -> list[Counted]:
        """The documents with their words numbered; words that are new get a number and a point."""
        listed = list(documents)
        read = [self.read(self.words(d.content), d.language) for d in listed]
        vocabulary.meet(key for one in read for key in one.keys)
        found = []
        for document, one in zip(listed, read, strict=True):
            rows = vocabulary.rows(one.keys)
            order = np.argsort(rows)
            counts = np.array(one.counts, dtype=np.int32)[order]
            found.append(
                Counted(document.doc_id, document.language, rows[order].astype(np.int32), counts)
            )
        return found
