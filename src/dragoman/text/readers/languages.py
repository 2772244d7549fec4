"""The texts of a folder -> the language of each run of paragraphs, with the folder as the prior.

Two passes. A census counts the languages of all texts by windows of whole paragraphs. Every text is
then decided among the languages that the census accepts: those that are common in the folder, and
rare ones with clear evidence (a script of their own, or stop words). A few odd lines therefore do
not invent a language; they are taken as the likeliest accepted one and reported as uncertain. Lists
of names and addresses are evidence of no language.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import stopwordsiso

from dragoman.errors import UnknownLanguage
from dragoman.text.language_detection import Detection, Detector
from dragoman.text.languages import canonical
from dragoman.text.scripts import script_weights

WINDOW = 100  # least letters that are decided together, in whole paragraphs
LONGEST_WINDOW = 600  # letters of a window that are looked at
SAMPLED = 32  # windows of a long text that are looked at first; all where these disagree
COMMON = 0.05  # share of the windows from which a language needs no further evidence
STOP_WORDS = 0.08  # least share of stop words in the windows of a rare language
ASCII = 0.97  # share of ASCII from which text may be code
PUNCTUATION = ".,;:!?()[]{}<>*|-\"'"
SHARED_SCRIPTS = frozenset(
    {"Arab", "Cyrl", "Deva", "Hani", "Latn"}
)  # that many languages are written in
NAMES = 0.7  # share of names, numbers and addresses in a list; of German paragraphs .2 % have it
FEWEST_WORDS = 4  # of a list


class LanguageRun(NamedTuple):
    """Consecutive text in one language: offsets in a text, and whether the text itself decides."""

    language: str
    start: int
    end: int
    certain: bool


class Window(NamedTuple):
    """Some paragraphs of a text that are decided together."""

    start: int
    end: int


class Census:
    """The languages of a folder; ``known`` counts documents that are in the index already."""

    def __init__(self, known: Mapping[str, int], candidates: tuple[str, ...] = ()) -> None:
        self._known, self._candidates = Counter(known), candidates
        self._windows: Counter[str] = Counter()
        self._evident: Counter[str] = Counter()
        self._declared: Counter[str] = Counter()

    @cached_property
    def _all(self) -> Detector:
        return Detector(self._candidates or None)

    def count(self, text: str, declared: str = "") -> None:
        """Take a text into account."""
        certain = 0
        for window in _spread([*windows(text)], SAMPLED):
            shown = text[window.start : window.end][:LONGEST_WINDOW]
            detection = self._all.detect(shown)
            if detection.certain and not is_list(shown):
                certain += 1
                self._windows[detection.language] += 1
                if is_evident(shown, detection.language):
                    self._evident[detection.language] += 1
        if certain == 0 and (code := declared_language(declared)):
            self._declared[code] += 1

    @cached_property
    def accepted(self) -> Mapping[str, int]:
        """The languages that texts may be in, with their weights; call it after counting."""
        if self._candidates:
            return {code: 1 + self._windows[code] for code in self._candidates}
        accepted = Counter(self._known) + self._declared
        total = self._windows.total()
        for code, count in self._windows.items():
            if code in self._known or count >= COMMON * total or 2 * self._evident[code] > count:
                accepted[code] += count
        return accepted or Counter(self._windows) or Counter({"en": 1})

    @cached_property
    def _detector(self) -> Detector:
        return Detector(self.accepted)

    def runs(self, text: str, declared: str = "") -> list[LanguageRun]:
        """The languages of a text, in order; ``declared`` decides where the text does not."""
        own = declared_language(declared)
        fallback = own if own in self.accepted else ""
        cut = [*windows(text)]
        sample = _spread(cut, SAMPLED)
        detections = [self._detect(text, window, fallback) for window in sample]
        if len({one.language for one in detections if one.certain}) > 1 and len(sample) < len(cut):
            sample, detections = cut, [self._detect(text, window, fallback) for window in cut]
        return _joined(_filled(sample, self._doubted(text, sample, detections)), len(text))

    def _doubted(
        self, text: str, sample: Sequence[Window], detections: Sequence[Detection]
    ) -> list[Detection]:
        """Detections, no longer certain where they differ from most and no stop word agrees.

        A listing of code inside an English text is not Catalan.
        """
        letters: Counter[str] = Counter()
        for window, one in zip(sample, detections, strict=True):
            letters[one.language] += (window.end - window.start) if one.certain else 0
        most = max(letters, key=lambda code: (letters[code], code), default="")
        return [
            one
            if one.language == most or has_stop_words(text[slice(*window)], one.language)
            else replace(one, certain=False)
            for window, one in zip(sample, detections, strict=True)
        ]

    def _detect(self, text: str, window: Window, fallback: str) -> Detection:
        shown = text[window.start : window.end][:LONGEST_WINDOW]
        return self._detector.detect("" if is_list(shown) else shown, fallback)


def windows(text: str) -> Iterator[Window]:
    """Whole paragraphs, together at least ``WINDOW`` letters; the last may be shorter."""
    start = position = 0
    while position < len(text):
        end = text.find("\n", max(position, start + WINDOW - 1))
        end = len(text) if end < 0 else end + 1
        yield Window(start, end)
        start = position = end


def _spread(cut: Sequence[Window], most: int) -> Sequence[Window]:
    """At most so many windows, evenly spread."""
    if len(cut) <= most:
        return cut
    return [cut[i * len(cut) // most] for i in range(most)]


def _filled(sample: Sequence[Window], detections: Sequence[Detection]) -> list[LanguageRun]:
    """A run for every window; one that is not certain takes the language of the last that is."""
    certain = [i for i, one in enumerate(detections) if one.certain]
    runs = []
    for i, (window, one) in enumerate(zip(sample, detections, strict=True)):
        if not one.certain and certain:
            nearest = certain[max(bisect_left(certain, i) - 1, 0)]
            one = detections[nearest]  # noqa: PLW2901
        runs.append(LanguageRun(one.language, window.start, window.end, one.certain))
    return runs


def _joined(runs: Sequence[LanguageRun], length: int) -> list[LanguageRun]:
    """Neighbouring runs of one language as one; short stretches go to the run before them."""
    joined: list[LanguageRun] = []
    for run in _same_joined(runs):
        if joined and run.end - run.start < WINDOW:
            joined[-1] = joined[-1]._replace(end=run.end)
        elif len(joined) == 1 and joined[0].end - joined[0].start < WINDOW:
            joined = [run._replace(start=joined[0].start)]
        else:
            joined.append(run)
    joined = _same_joined(joined)
    if not joined:
        return []
    starts = [0, *(run.start for run in joined[1:])]
    ends = [*starts[1:], length]
    return [
        LanguageRun(run.language, start, end, run.certain)
        for run, start, end in zip(joined, starts, ends, strict=True)
    ]


def _same_joined(runs: Sequence[LanguageRun]) -> list[LanguageRun]:
    joined: list[LanguageRun] = []
    for run in runs:
        if joined and run.language == joined[-1].language:
            joined[-1] = joined[-1]._replace(end=run.end)
        else:
            joined.append(run)
    return joined


@lru_cache(maxsize=256)
def _stop_words(language: str) -> frozenset[str]:
    listed = stopwordsiso.has_lang(language)
    return frozenset(stopwordsiso.stopwords(language)) if listed else frozenset()


def has_stop_words(text: str, language: str) -> bool:
    """Whether enough words of a text are stop words of a language.

    Only what could be code or data is checked: text in other letters than ASCII, and languages
    without a list of stop words, pass.
    """
    listed = _stop_words(language)
    if not listed or sum(map(str.isascii, text)) < ASCII * len(text):
        return True
    words = [word.strip(PUNCTUATION) for word in text.lower().split()]
    return sum(word in listed for word in words) >= STOP_WORDS * len(words)


def is_list(text: str) -> bool:
    """Whether a text in Latin letters is a list of names, numbers and addresses."""
    words = [bare for word in text.split() if (bare := word.strip(PUNCTUATION))]
    if len(words) < FEWEST_WORDS or 2 * sum(map(str.isupper, words)) > len(words):
        return False
    if sum(map(_is_name, words)) < NAMES * len(words):
        return False
    return [script for script, _ in script_weights(text).most_common(1)] in ([], ["Latn"])


def _is_name(word: str) -> bool:
    return word[0].isupper() or not word.replace("'", "").replace("-", "").isalpha()


def is_evident(text: str, language: str) -> bool:
    """Whether a text shows by itself that its language is meant: by stop words or its script."""
    if _stop_words(language):
        return has_stop_words(text, language)
    return not script_weights(text).keys() <= SHARED_SCRIPTS


def declared_language(declared: str) -> str:
    """The canonical code of what a file declares; "" where that is no language."""
    try:
        return canonical(declared) if declared else ""
    except UnknownLanguage:
        return ""
