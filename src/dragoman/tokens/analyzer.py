"""Texts -> terms: words segmented, folded, filtered by stop words and stemmed, by language.

One analyzer serves every language; ``describe`` lists what it does for each, and ``signature``
changes whenever the same text could give other terms. Terms are cached by chunk of text, so that a
word met before costs a dictionary look-up.
"""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
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
    Segmentation,
    apostrophe_rule,
    bigrams,
    chunks,
    clean,
    is_plain_word,
    runs,
    spaced_words,
)

CACHED_SURFACES = 1 << 15  # per language; some 8 MB when full
CACHED_CHUNKS = 1 << 17  # per language; some 20 MB when full
LONGEST_CACHED = 64  # characters; longer chunks rarely repeat

RULES = 2  # incremented with every change, here or below, by which a text gives other terms


@dataclass(frozen=True, slots=True)
class AnalyzerConfig:
    """What is done after segmentation and folding, in languages that have the resources."""

    stop: bool = True
    stem: bool = True
    min_length: int = 1  # of words; does not apply to text without spaces
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
    """What an analyzer does for one language; empty fields for steps that it lacks."""

    language: str
    stemmer: str
    stop_words: int
    folding: tuple[str, ...]
    unspaced: str  # how text without spaces is segmented
    compounds: bool

    def __str__(self) -> str:
        parts = [
            f"stemmer: {self.stemmer or 'none'}",
            f"stop words: {self.stop_words or 'none'}",
            *self.folding,
            *(["compounds split"] if self.compounds else []),
            *([f"text without spaces: {self.unspaced}"] if self.unspaced else []),
        ]
        known = f"{name(self.language)} ({self.language})" if self.language else ""
        return f"{known or 'unknown language'}: {'; '.join(parts)}"


class Analyzer:
    """Turns a text into terms; safe to share between threads."""

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
        """The terms of ``text``, in order; an empty ``language`` means an unknown one."""
        analyses = self._analyses(language)
        return list(chain.from_iterable(map(analyses.__getitem__, chunks(text))))

    def analyse_with_surface(self, text: str, language: str) -> list[tuple[str, str]]:
        """Each term with the form it has in the text, in NFKC."""
        analyses = self._analyses(language)
        return list(chain.from_iterable(map(analyses.with_surface, chunks(text))))

    def signature(self, language: str) -> str:
        """A string that is equal for two analyzers only if they give the same terms."""
        return self._analyses(language).signature

    def describe(self, language: str) -> AnalyzerDescription:
        """The steps that are applied to texts in ``language``, and those that are not."""
        return self._analyses(language).description

    def _analyses(self, language: str) -> "_Analyses":
        analyses = self._languages.get(language)
        if analyses is None:
            code = canonical(language) if language else ""
            with self._lock:
                analyses = self._languages.get(code)
                if analyses is None:
                    analyses = _Analyses(self.config, code, self._splitters.get(code))
                self._languages[code] = self._languages[language] = analyses
        return analyses


class _Analyses(dict[str, tuple[str, ...]]):
    """Chunk -> its terms in one language, computed when first needed."""

    def __init__(
        self, config: AnalyzerConfig, language: str, splitter: CompoundSplitter | None
    ) -> None:
        super().__init__()
        self._config = config
        self._splitter = splitter
        folds = folding(language)
        self._before, self._after = folds.before, folds.after
        self._keeps_non_joiner = language == "fa"
        self._apostrophe = apostrophe_rule(language)
        algorithm = stemming.algorithm(language) if config.stem else ""
        self._stem = stemming.stemmer(language) if algorithm else None
        self._segment, segmenter = _unspaced_segmenter(config.cjk, language)
        self._stop: frozenset[str] = frozenset()
        if config.stop:
            listed = map(self._only_word, stopwords.stop_words(language))
            self._stop = frozenset(word for word in listed if word)
        self._surfaces: dict[str, tuple[tuple[str, str], ...]] = {}  # of chunks, for explanations
        self._lock = Lock()  # PyStemmer's objects are not thread-safe
        self.description = AnalyzerDescription(
            language=language,
            stemmer=f"Snowball {algorithm}" if algorithm else "",
            stop_words=len(self._stop),
            folding=folds.notes,
            unspaced=segmenter,
            compounds=splitter is not None,
        )

    @cached_property
    def signature(self) -> str:
        """Made when it is asked for: a splitter's takes longer than loading its table."""
        return _signature(self._config, self.description, self._splitter)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        plain = is_plain_word(chunk)
        with self._lock:
            words = self._terms(chunk) if plain else tuple([w for w, _ in self._analyse(chunk)])
        if len(chunk) <= LONGEST_CACHED and (plain or not UNSPACED.search(chunk)):
            if len(self) >= CACHED_CHUNKS:
                self.clear()
            self[chunk] = words
        return words

    def with_surface(self, chunk: str) -> tuple[tuple[str, str], ...]:
        """The chunk's terms, each with the part of the chunk it comes from."""
        if (known := self._surfaces.get(chunk)) is not None:
            return known
        with self._lock:
            analysed = self._analyse(chunk)
        pairs = tuple(
            [(word, surface if surface in chunk else chunk) for word, surface in analysed]
        )
        if len(chunk) <= LONGEST_CACHED and not UNSPACED.search(chunk):
            if len(self._surfaces) >= CACHED_SURFACES:
                self._surfaces.clear()
            self._surfaces[chunk] = pairs
        return pairs

    def _analyse(self, chunk: str) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        for run, unspaced in runs(clean(chunk, keep_non_joiner=self._keeps_non_joiner)):
            if unspaced:
                pairs += [(word, word) for word in self._segment(run) if word not in self._stop]
                continue
            for surface in spaced_words(run, self._apostrophe):
                pairs += [(word, surface) for word in self._terms(surface)]
        return pairs

    def _terms(self, surface: str) -> tuple[str, ...]:
        """The term of a word, followed by the terms of its parts if it is a compound."""
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
        """A listed stop word as it appears in texts; empty if it is segmented into several."""
        words = [
            self._after(self._before(word))
            for run, unspaced in runs(clean(unicodedata.normalize("NFKC", listed)))
            for word in ([run] if unspaced else spaced_words(run, self._apostrophe))
        ]
        return words[0] if len(words) == 1 else ""


def _unspaced_segmenter(
    segmentation: Segmentation, language: str
) -> tuple[Callable[[str], list[str]], str]:
    """The function that segments text without spaces, and its name."""
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
