"""Words -> keys and points: where the vectors of a system's words come from.

A key names a vector: ``"de:haus"``. Two words have one key where they share one vector: a misspelt
word has that of the word it borrows from, words collapsed across languages have one (section 3.3).
"""

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np

from dragoman.embeddings.encoder_vectors import RULES, encode_uncached
from dragoman.embeddings.out_of_vocabulary import OovConfig, with_substitutes
from dragoman.embeddings.space import WordLookup, WordSpace
from dragoman.embeddings.word_vectors import ABSENT, WordVectors, word_folders
from dragoman.encoders.family import EncoderFamily, load_family
from dragoman.systems.bags.config import BagConfig
from dragoman.types import FloatArray, IntArray

REMEMBERED = 1 << 17  # words whose vectors an encoder is not asked for again


class WordSource(Protocol):
    """Finds the vectors of words."""

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        ...

    @property
    def signature(self) -> str:
        """What must be equal for vectors to be comparable."""
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
        """What a person should know of texts in ``language``."""
        ...


class EncodedWords:
    """Every word has the vector that a sentence encoder, or the language's student, gives it."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._remembered: dict[str, FloatArray] = {}

    @property
    def dimension(self) -> int:
        """The encoder's."""
        return self._family.dimension

    @property
    def signature(self) -> str:
        """The encoder; students are in the treatment of their languages."""
        return f"{RULES}|{self._family.teacher.signature}"

    def treatment(self, language: str) -> str:
        """Who reads the language."""
        return f"{RULES}|{self._family.encoder_for(language).signature}"

    @property
    def languages(self) -> Collection[str]:
        """Those of the encoder and its students."""
        return {*self._family.teacher.languages, *self._family.students}

    def keys(self, words: Sequence[str], language: str) -> list[str | None]:
        """The language and the word."""
        return [f"{language}:{word}" for word in words]

    def points(self, keys: Sequence[str]) -> FloatArray:
        """The vectors of the words, each encoded once in a process."""
        known = self._remembered
        points = {key: known[key] for key in keys if key in known}
        new = [key for key in dict.fromkeys(keys) if key not in points]
        points.update(zip(new, self._encoded(new), strict=True))
        if len(known) + len(new) > REMEMBERED:
            self._remembered = known = {}
        known.update((key, points[key]) for key in new)
        rows = [points[key] for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.dimension)

    def _encoded(self, keys: Sequence[str]) -> FloatArray:
        """The vectors of words of any languages, each language's together."""
        vectors = np.empty((len(keys), self.dimension), dtype=np.float32)
        places: dict[str, list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(key.partition(":")[0], []).append(place)
        for language, mine in places.items():
            words = [keys[place].partition(":")[2] for place in mine]
            vectors[mine] = encode_uncached(words, language, self._family)
        return vectors

    def warning(self, language: str) -> str | None:
        """A language that neither the encoder nor a student reads."""
        return self._family.warning(language)


class GivenWords:
    """Words of given vectors, stacked in one space."""

    def __init__(
        self, space: WordLookup, names: Sequence[str], languages: Sequence[str], signature: str
    ) -> None:
        self._space, self._names = space, names
        self.languages, self.signature = languages, signature
        self._rows = {name: row for row, name in enumerate(names)}

    @property
    def dimension(self) -> int:
        """That of the given vectors."""
        return int(self._space.points.shape[1])

    def treatment(self, language: str) -> str:
        """All vectors: a misspelt word may borrow from any of its language's."""
        del language
        return self.signature

    def keys(self, words: Sequence[str], language: str) -> list[str | None]:
        """The key of the row that the space finds."""
        rows: IntArray = self._space.rows(words, language)
        return [None if row == ABSENT else self._names[row] for row in rows]

    def points(self, keys: Sequence[str]) -> FloatArray:
        """The rows of the space."""
        rows = np.fromiter((self._rows[key] for key in keys), np.int64, len(keys))
        return np.asarray(self._space.points[rows], dtype=np.float32)

    def warning(self, language: str) -> str | None:
        """A language without vectors."""
        if not language or language in self.languages:
            return None
        return (
            f"no word vectors for {language}: its texts rank last. Learn some: dragoman learn"
            f" embeddings BITEXT --languages en-{language} -o DIR"
        )


def source_of(config: BagConfig) -> WordSource:
    """The words that a configuration names."""
    if config.vectors:
        return given_words(config)
    family = load_family(config.encoder, config.students, shipped=config.shipped_students)
    return EncodedWords(family)


def given_words(config: BagConfig) -> GivenWords:
    """The vectors in the named folders, with the repairs of section 3.3 that are asked for."""
    vectors = [WordVectors.open(one) for folder in config.vectors for one in word_folders(folder)]
    space = WordSpace.stack(vectors)
    names = [f"{one.language}:{word}" for one in vectors for word in one.words]
    held = [f"{one.language}:{len(one)}x{one.dimension}:{one.digest}" for one in vectors]
    repairs = f"misspelt:{config.misspelt}|collapse:{config.collapse}|seed:{config.seed}"
    signature = f"{'+'.join(held)}|{repairs}"
    oov = OovConfig(distance=config.misspelt, collapse=config.collapse)
    rows = with_substitutes(space, oov, np.random.default_rng(config.seed))
    return GivenWords(rows, names, [one.language for one in vectors], signature)
