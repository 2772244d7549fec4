"""Words -> keys and points: the sources of word vectors.

A key names a vector: ``"de:haus"``. Words that share a vector share its key: a misspelt word has
the key of the word whose vector it takes, words collapsed across languages have one key (Balikas et
al. 2018, section 3.3).
"""

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np

from dragoman.embeddings.encoder_vectors import RULES, encode_uncached
from dragoman.embeddings.out_of_vocabulary import OovConfig, with_substitutes
from dragoman.embeddings.space import WordLookup, WordSpace
from dragoman.embeddings.word_vectors import WordVectors, word_folders
from dragoman.encoders.family import EncoderFamily, load_family
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.types import FloatArray, IntArray

CACHED_WORDS = 1 << 17  # vectors of an encoder


class WordSource(Protocol):
    """Keys and vectors of words."""

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        ...

    @property
    def signature(self) -> str:
        """What must be equal for two vectors to be comparable."""
        ...

    def treatment(self, language: str) -> str:
        """What must be equal for words of a language to have the same vectors."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages whose words have vectors."""
        ...

    def keys(self, words: Sequence[str], language: str) -> list[str | None]:
        """The key of every word, ``None`` for one without a vector."""
        ...

    def points(self, keys: Sequence[str]) -> FloatArray:
        """One row of length one per key."""
        ...

    def warning(self, language: str) -> str | None:
        """What to tell a user with texts in ``language``; None if they are read well."""
        ...


class EncoderWordSource:
    """The vectors that a sentence encoder, or the student of a language, gives to single words."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._cache: dict[str, FloatArray] = {}

    @property
    def dimension(self) -> int:
        """The encoder's."""
        return self._family.dimension

    @property
    def signature(self) -> str:
        """The encoder; students are in the treatment of their languages."""
        return f"{RULES}|{self._family.teacher.signature}"

    def treatment(self, language: str) -> str:
        """The encoder that reads the language."""
        return f"{RULES}|{self._family.encoder_for(language).signature}"

    @property
    def languages(self) -> Collection[str]:
        """Those of the encoder and its students."""
        return {*self._family.teacher.languages, *self._family.students}

    def keys(self, words: Sequence[str], language: str) -> list[str | None]:
        """The language and the word."""
        return [f"{language}:{word}" for word in words]

    def points(self, keys: Sequence[str]) -> FloatArray:
        """The vectors of the words; recent ones are cached."""
        cached = self._cache
        points = {key: cached[key] for key in keys if key in cached}
        new = [key for key in dict.fromkeys(keys) if key not in points]
        points.update(zip(new, self._encoded(new), strict=True))
        if len(cached) + len(new) > CACHED_WORDS:
            self._cache = cached = {}
        cached.update((key, points[key]) for key in new)
        rows = [points[key] for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.dimension)

    def _encoded(self, keys: Sequence[str]) -> FloatArray:
        """The vectors of words, encoded language by language."""
        vectors = np.empty((len(keys), self.dimension), dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, key in enumerate(keys):
            rows.setdefault(key.partition(":")[0], []).append(row)
        for language, mine in rows.items():
            words = [keys[row].partition(":")[2] for row in mine]
            vectors[mine] = encode_uncached(words, language, self._family)
        return vectors

    def warning(self, language: str) -> str | None:
        """The family's warning: neither the encoder nor a student reads the language."""
        return self._family.warning(language)


class VectorWordSource:
    """Word vectors of the user, stacked in one space."""

    def __init__(
        self, space: WordLookup, names: Sequence[str], languages: Sequence[str], signature: str
    ) -> None:
        self._space, self._names = space, names
        self.languages, self.signature = languages, signature
        self._rows = {name: row for row, name in enumerate(names)}

    @property
    def dimension(self) -> int:
        """The length of the stacked vectors."""
        return int(self._space.points.shape[1])

    def treatment(self, language: str) -> str:
        """The signature of all vectors: a misspelt word may take any of its language."""
        del language
        return self.signature

    def keys(self, words: Sequence[str], language: str) -> list[str | None]:
        """The key of the row that the space has for each word."""
        rows: IntArray = self._space.rows(words, language)
        return [None if row == ABSENT else self._names[row] for row in rows]

    def points(self, keys: Sequence[str]) -> FloatArray:
        """The rows of the space."""
        rows = np.fromiter((self._rows[key] for key in keys), np.int64, len(keys))
        return np.asarray(self._space.points[rows], dtype=np.float32)

    def warning(self, language: str) -> str | None:
        """A warning if the language has no vectors."""
        if not language or language in self.languages:
            return None
        return (
            f"no word vectors for {language}: its texts rank last. Learn vectors: dragoman learn"
            f" embeddings BITEXT --languages en-{language} -o DIR"
        )


def open_source(config: BagSystemConfig) -> WordSource:
    """The source that a configuration describes."""
    if config.vectors:
        return _open_vectors(config)
    family = load_family(config.encoder, config.students, shipped=config.shipped_students)
    return EncoderWordSource(family)


def _open_vectors(config: BagSystemConfig) -> VectorWordSource:
    """The vectors in the configured folders, with the out-of-vocabulary protocol of section 3.3."""
    vectors = [WordVectors.open(one) for folder in config.vectors for one in word_folders(folder)]
    space = WordSpace.stack(vectors)
    names = [f"{one.language}:{word}" for one in vectors for word in one.words]
    described = [f"{one.language}:{len(one)}x{one.dimension}:{one.digest}" for one in vectors]
    repairs = f"misspelt:{config.misspelt}|collapse:{config.collapse}|seed:{config.seed}"
    signature = f"{'+'.join(described)}|{repairs}"
    oov = OovConfig(distance=config.misspelt, collapse=config.collapse)
    rows = with_substitutes(space, oov, np.random.default_rng(config.seed))
    return VectorWordSource(rows, names, [one.language for one in vectors], signature)
