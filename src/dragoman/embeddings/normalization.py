"""Texts -> words to look up in word vectors: the preparation of Balikas et al. 2018, section 4.

Lower case, no stop words, symbols, numbers and words of one character, the Greek final sigma
replaced by the ordinary one. Nothing is stemmed and accents are retained, because published vectors
are keyed by whole words. The words of published vectors are normalised by the same rules.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from dragoman.errors import ConfigError
from dragoman.text.languages import canonical
from dragoman.tokens import stopwords
from dragoman.tokens.folding import DOTLESS_I, folding
from dragoman.tokens.segmentation import (
    TURKIC,
    apostrophe_rule,
    bigrams,
    chunks,
    clean,
    runs,
    spaced_words,
)

CACHED_LANGUAGES, CACHED_CHUNKS = 32, 1 << 16  # chunks of each language
RULES = 1  # raised with every change here that gives a text other words


def normalize_word(word: str, language: str = "") -> str:
    """The spelling under which a word is looked up."""
    text = word if word.isascii() else unicodedata.normalize("NFKC", word)
    if language in TURKIC:
        text = text.translate(DOTLESS_I)
    return text.lower().replace("ς", "σ").replace("i\u0307", "i")


class StopWordList(StrEnum):
    """The stop words to remove."""

    NONE = "none"
    SHORT = "short"  # the listed words of at most three letters, as in ``tokens``
    LISTED = "listed"  # the whole list, which has content words too


@dataclass(frozen=True, kw_only=True, slots=True)
class WordTokenizerConfig:
    """Which tokens of a text are retained.

    The paper removes the stop words of NLTK, one to three hundred per language. Ours are those of
    stopwords-iso, 600 to 1,300 with words such as *open*, *computer* and *change*; only the short
    ones of these are closer to the paper's.
    """

    stop: StopWordList = StopWordList.SHORT
    numbers: bool = False  # retain tokens without a letter
    shortest: int = 2  # characters; tokens of scripts without spaces are never too short

    def __post_init__(self) -> None:
        if self.shortest < 1:
            raise ConfigError(f"shortest must be at least 1, got {self.shortest}")


@dataclass(frozen=True)
class WordTokenizer:
    """A ``Tokenizer`` for word vectors; thread-safe."""

    config: WordTokenizerConfig = field(default_factory=WordTokenizerConfig)

    def __call__(self, text: str, language: str) -> list[str]:
        """The words of ``text`` in order; an empty ``language`` has no stop words."""
        split = _chunk_splitter(canonical(language) if language else "", self.config)
        return [word for chunk in chunks(text) for word in split(chunk)]

    @property
    def signature(self) -> str:
        """Tokenizers with the same signature give the same words."""
        listed = f"{self.config.stop}, {stopwords.version()}"
        stop = listed if self.config.stop is not StopWordList.NONE else "none"
        numbers = "kept" if self.config.numbers else "none"
        return f"words:{RULES}|stop:{stop}|numbers:{numbers}|min:{self.config.shortest}"


@lru_cache(CACHED_LANGUAGES)
def _chunk_splitter(language: str, config: WordTokenizerConfig) -> Callable[[str], tuple[str, ...]]:
    """A function that splits a chunk of text into its words, with a cache of chunks."""
    stop, fold = _stop_words(language, config.stop), folding(language).before

    @lru_cache(CACHED_CHUNKS)
    def split(chunk: str) -> tuple[str, ...]:
        words = [
            (normalize_word(piece, language), unspaced)
            for run, unspaced in runs(clean(chunk, keep_non_joiner=language == "fa"))
            for piece in (bigrams(run) if unspaced else _pieces(run, language))
        ]
        return tuple(
            word
            for word, unspaced in words
            if fold(word) not in stop
            and (unspaced or len(word) >= config.shortest)
            and (config.numbers or any(map(str.isalpha, word)))
        )

    return split


def _pieces(run: str, language: str) -> list[str]:
    words = spaced_words(run, apostrophe_rule(language))
    if language != "en":
        return words
    return [word[:-2] if word.lower().endswith("'s") else word for word in words]


@lru_cache(64)
def _stop_words(language: str, stop: StopWordList) -> frozenset[str]:
    """The stop words, folded as strongly as the language allows: lists often lack accents."""
    lists = {StopWordList.SHORT: stopwords.stop_words, StopWordList.LISTED: stopwords.full_list}
    if stop is StopWordList.NONE:
        return frozenset()
    return frozenset(folding(language).before(word) for word in lists[stop](language))
