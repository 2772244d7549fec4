"""Texts -> the words that systems count: cut, folded, stopped and stemmed by language.

One analyser serves every language; what it does for each is in ``describe``, and ``signature``
changes whenever the same text could come out differently. Whole analyses are cached by chunk of
text, so that folding, stop words and stemming cost a dictionary look-up for words met before.
"""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from threading import Lock

from dragoman import registry
from dragoman.errors import ConfigError
from dragoman.text.languages import canonical, name
from dragoman.tokens import stemming, stopwords
from dragoman.tokens.compounds import CompoundSplitter
from dragoman.tokens.folding import folding
from dragoman.tokens.segmentation import (
    UNSPACED,
    Apostrophe,
    Segmentation,
    bigrams,
    chunks,
    clean,
    is_plain_word,
    runs,
    spaced_words,
)

CACHED_CHUNKS = 1 << 17  # per language; some 20 MB when full
LONGEST_CACHED = 64  # characters; longer chunks are seldom words and seldom come twice

ELIDING = frozenset({"ca", "co", "fr", "fur", "it", "lij", "oc", "pms", "scn", "vec", "wa"})
CUTTING = frozenset({"az", "crh", "tr"})

RULES = 2  # raised with every change here or below that lets a text come out differently


@dataclass(frozen=True, slots=True)
class AnalyzerConfig:
    """What is done to words beyond cutting and folding, wherever a language has the means."""

    stop: bool = True
    stem: bool = True
    min_length: int = 1  # shorter words go; pieces of text without blanks are never too short
    cjk: Segmentation = Segmentation.BIGRAMS

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "cjk", Segmentation(self.cjk))
        except ValueError as error:
            known = ", ".join(Segmentation)
            raise ConfigError(f"cjk must be one of {known}; got {self.cjk!r}") from error
        if self.min_length < 1:
            raise ConfigError(f"min_length must be at least 1, got {self.min_length}")


@dataclass(frozen=True, slots=True)
class AnalyzerDescription:
    """What an analyser does for one language; empty where it does nothing of the kind."""

    language: str
    stemmer: str
    stop_words: int
    folding: tuple[str, ...]
    unspaced: str  # how text without blanks is cut
    compounds: bool

    def __str__(self) -> str:
        parts = [
            f"stemmer: {self.stemmer or 'none'}",
            f"stop words: {self.stop_words or 'none'}",
            *self.folding,
            *(["compounds split"] if self.compounds else []),
            *([f"text without blanks: {self.unspaced}"] if self.unspaced else []),
        ]
        who = f"{name(self.language)} ({self.language})" if self.language else "unknown language"
        return f"{who}: {'; '.join(parts)}"


class Analyzer:
    """Turns a text into words; safe to share between threads."""

    def __init__(
        self,
        config: AnalyzerConfig | None = None,
        splitters: Mapping[str, CompoundSplitter] | None = None,
    ) -> None:
        self.config = config or AnalyzerConfig()
        self._splitters = {canonical(code): one for code, one in (splitters or {}).items()}
        self._languages: dict[str, _Analyses] = {}
        self._lock = Lock()

    def __call__(self, text: str, language: str) -> list[str]:
        """The words of ``text``, in order; an empty ``language`` is one without any means."""
        analyses = self._analyses(language)
        return list(chain.from_iterable(map(analyses.__getitem__, chunks(text))))

    def analyse_with_surface(self, text: str, language: str) -> list[tuple[str, str]]:
        """Each word with the form it had in the text (its NFKC form, where that differs)."""
        analyses = self._analyses(language)
        return list(chain.from_iterable(map(analyses.with_surface, chunks(text))))

    def signature(self, language: str) -> str:
        """What must be equal for two analyses of a text to be equal."""
        return self._analyses(language).signature

    def describe(self, language: str) -> AnalyzerDescription:
        """What is applied to texts in ``language``, and what is not."""
        return self._analyses(language).description

    def _analyses(self, language: str) -> "_Analyses":
        found = self._languages.get(language)
        if found is None:
            code = canonical(language) if language else ""
            with self._lock:
                found = self._languages.get(code)
                if found is None:
                    found = _Analyses(self.config, code, self._splitters.get(code))
                self._languages[code] = self._languages[language] = found
        return found


class _Analyses(dict[str, tuple[str, ...]]):
    """Chunk -> its words in one language, worked out when first met."""

    def __init__(
        self, config: AnalyzerConfig, language: str, splitter: CompoundSplitter | None
    ) -> None:
        super().__init__()
        self._config = config
        self._splitter = splitter
        folds = folding(language)
        self._before, self._after = folds.before, folds.after
        self._keeps_non_joiner = language == "fa"
        self._apostrophe = _apostrophe(language)
        algorithm = stemming.algorithm(language) if config.stem else ""
        self._stem = stemming.stemmer(language) if algorithm else None
        self._cut, segmenter = _unspaced_cutter(config.cjk, language)
        self._stop: frozenset[str] = frozenset()
        if config.stop:
            listed = map(self._only_word, stopwords.stop_words(language))
            self._stop = frozenset(word for word in listed if word)
        self._lock = Lock()  # PyStemmer's objects are not thread-safe
        self.description = AnalyzerDescription(
            language=language,
            stemmer=f"Snowball {algorithm}" if algorithm else "",
            stop_words=len(self._stop),
            folding=folds.notes,
            unspaced=segmenter,
            compounds=splitter is not None,
        )
        self.signature = _signature(config, self.description, splitter)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        plain = is_plain_word(chunk)
        with self._lock:
            words = self._words(chunk) if plain else tuple([w for w, _ in self._analyse(chunk)])
        if len(chunk) <= LONGEST_CACHED and (plain or not UNSPACED.search(chunk)):
            if len(self) >= CACHED_CHUNKS:
                self.clear()
            self[chunk] = words
        return words

    def with_surface(self, chunk: str) -> list[tuple[str, str]]:
        """The chunk's words, each with the part of the chunk it came from."""
        with self._lock:
            pairs = self._analyse(chunk)
        return [(word, surface if surface in chunk else chunk) for word, surface in pairs]

    def _analyse(self, chunk: str) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        for run, unspaced in runs(clean(chunk, keep_non_joiner=self._keeps_non_joiner)):
            if unspaced:
                pairs += [(word, word) for word in self._cut(run) if word not in self._stop]
                continue
            for surface in spaced_words(run, self._apostrophe):
                pairs += [(word, surface) for word in self._words(surface)]
        return pairs

    def _words(self, surface: str) -> tuple[str, ...]:
        """The word itself, followed by its parts where it is a compound."""
        folded = self._before(surface)
        word = self._after(folded)
        if word in self._stop or len(word) < self._config.min_length:
            return ()
        parts = self._splitter.split(folded) if self._splitter is not None else ()
        if len(parts) > 1:
            return tuple([self._stemmed(form) for form in (folded, *parts)])
        return (self._stemmed(folded),)

    def _stemmed(self, folded: str) -> str:
        has_digits = not folded.isalpha() and any(map(str.isdigit, folded))
        if self._stem is None or has_digits:
            return self._after(folded)
        return self._after(self._stem(folded)) or self._after(folded)

    def _only_word(self, listed: str) -> str:
        """A stop word as texts show it after folding; empty where it is not one word."""
        found = [
            self._after(self._before(word))
            for run, unspaced in runs(clean(unicodedata.normalize("NFKC", listed)))
            for word in ([run] if unspaced else spaced_words(run, self._apostrophe))
        ]
        return found[0] if len(found) == 1 else ""


def _apostrophe(language: str) -> Apostrophe:
    if language in ELIDING:
        return Apostrophe.SPLITS
    return Apostrophe.CUTS if language in CUTTING else Apostrophe.KEEPS


def _unspaced_cutter(
    segmentation: Segmentation, language: str
) -> tuple[Callable[[str], list[str]], str]:
    """How runs without blanks are cut, and the name of that way."""
    if segmentation is Segmentation.WORDS and language in registry.SEGMENTERS:
        segmenter = registry.find(registry.SEGMENTERS, language, "segmenter")()
        return segmenter.cut, segmenter.name
    return bigrams, "character bigrams"


def _signature(
    config: AnalyzerConfig, description: AnalyzerDescription, splitter: CompoundSplitter | None
) -> str:
    parts = {
        "language": description.language or "und",
        "rules": RULES,
        "unicode": unicodedata.unidata_version,
        "stem": f"{description.stemmer}, {stemming.version()}" if description.stemmer else "none",
        "stop": stopwords.version() if description.stop_words else "none",
        "min": config.min_length,
        "unspaced": description.unspaced,
        "compounds": splitter.signature if splitter else "none",
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())
