"""Texts -> the language they are in.

A text's script decides where only one of the candidate languages is written in it; otherwise
py3langid does (Barbaresi, after Lui and Baldwin 2012, "langid.py"), among the candidates only.
"""

import copy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from dragoman.errors import ConfigError
from dragoman.text.languages import NO_LANGUAGE, canonical
from dragoman.text.scripts import script_name, script_weights, without_scripts, writings_of
from dragoman.types import Document

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

CERTAIN = 0.7  # least probability of a certain detection; docs/languages.md has its accuracy


@dataclass(frozen=True, slots=True)
class Detection:
    """The language detected for a text, and the reason."""

    language: str
    probability: float  # of that language, among the candidates
    certain: bool  # False where the text alone does not decide; see ``reason``
    reason: str


class Detector:
    """Detects which of several languages a text is in; safe to share between threads.

    ``languages`` may map each language to its number of documents, which break ties between
    probable languages of a short text. None means every language that py3langid covers.
    """

    def __init__(
        self, languages: Collection[str] | Mapping[str, int] | None = None, *, majority: str = ""
    ) -> None:
        listed = _by_language(_model().labels) if languages is None else languages
        if not listed:
            raise ConfigError("A detector needs at least one language to choose from.")
        self.languages = tuple(dict.fromkeys(map(canonical, listed)))
        self.majority = canonical(majority) if majority else ""
        self._counts = _folded(languages) if isinstance(languages, Mapping) else Counter[str]()
        if not majority and self._counts:
            self.majority = min(self._counts, key=lambda code: (-self._counts[code], code))
        self._writings = {code: writings_of(code) for code in self.languages}

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The languages that py3langid does not cover; they are detected by their script only."""
        known = _by_language(_model().labels)
        return tuple(code for code in self.languages if code not in known)

    @cached_property
    def _identifier(self) -> "LanguageIdentifier":
        """A copy of py3langid's model, restricted to the languages of this detector."""
        labels = _by_language(_model().labels)
        identifier = copy.copy(_model())
        identifier.set_languages([x for code in self.languages for x in labels.get(code, ())])
        return identifier

    def detect(self, text: str, declared: str = "") -> Detection:
        """The language of ``text``; of an ambiguous text, ``declared``, else the majority."""
        if len(self.languages) == 1:
            return Detection(self.languages[0], 1.0, True, "the only language to choose from")
        weights = script_weights(text)
        if not weights:
            return self._fall_back("the text has no letters", {}, declared)
        covered = {
            code: max(sum(weights[script] for script in scripts) for scripts in writings)
            for code, writings in self._writings.items()
        }
        most = max(covered.values())
        script = weights.most_common(1)[0][0]
        if not most:
            return self._fall_back(
                f"no language here is written in {script_name(script)}", {}, declared
            )
        candidates = [code for code, weight in covered.items() if weight == most]
        if len(candidates) == 1:
            share = most / weights.total()
            reason = f"the only language written in {script_name(script)}"
            return Detection(candidates[0], share, True, reason)
        writings = [scripts for code in candidates for scripts in self._writings[code]]
        own = frozenset().union(*(scripts for scripts in writings if script in scripts))
        if foreign := weights.keys() - own:
            text = without_scripts(text, foreign)
        return self._by_letters(text, candidates, declared)

    def _by_letters(self, text: str, candidates: list[str], declared: str) -> Detection:
        unknown = [code for code in candidates if code in self.unknown]
        if len(unknown) == len(candidates):
            return self._fall_back(f"py3langid does not cover {', '.join(unknown)}", {}, declared)
        probabilities = self._probabilities(text, candidates)
        best = max(probabilities, key=lambda code: (probabilities[code], code))
        if probabilities[best] < CERTAIN:
            return self._fall_back("the text is too short to tell", probabilities, declared)
        if unknown:
            reason = f"py3langid does not cover {', '.join(unknown)}, which it may be as well"
            return Detection(best, probabilities[best], False, reason)
        return Detection(best, probabilities[best], True, "by its letters")

    def _probabilities(self, text: str, candidates: Collection[str]) -> dict[str, float]:
        """Probabilities of the candidates that py3langid covers; they sum to 1."""
        probabilities: Counter[str] = Counter()
        for label, probability in self._identifier.rank(text):
            if (code := canonical(label)) in candidates:
                probabilities[code] += probability
        total = probabilities.total()
        return {code: probability / total for code, probability in probabilities.items()}

    def _fall_back(self, why: str, probabilities: Mapping[str, float], declared: str) -> Detection:
        """The declared language, else the likeliest by counts, the majority, or a guess."""
        guess = max(probabilities, key=lambda code: (probabilities[code], code), default="")
        if declared:
            code, source = canonical(declared), "taken as declared"
        elif probabilities and self._counts:
            code = max(probabilities, key=lambda c: (probabilities[c] * (1 + self._counts[c]), c))
            source = "taken as the likeliest among the documents' languages"
        elif self.majority and (self.majority in probabilities or not probabilities):
            code, source = self.majority, "taken as the language of most documents"
        else:
            code, source = guess or self.languages[0], "a guess" if guess else "the first listed"
        return Detection(code, probabilities.get(code, 0.0), False, f"{why}; {source}")


@lru_cache(maxsize=1)
def _model() -> "LanguageIdentifier":
    """py3langid's model, loaded once and shared; never changed."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - half a second

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _by_language(labels: Collection[str]) -> dict[str, list[str]]:
    """Canonical code -> the model's labels for it."""
    by_language: dict[str, list[str]] = {}
    for label in labels:
        if label not in NO_LANGUAGE:
            by_language.setdefault(canonical(label), []).append(label)
    return by_language


def _folded(counts: Mapping[str, int]) -> Counter[str]:
    """The counts summed by canonical code."""
    folded: Counter[str] = Counter()
    for code, count in counts.items():
        folded[canonical(code)] += count
    return folded


def with_languages(
    documents: Iterable[Document],
    candidates: Collection[str] | None = None,
    detected: Counter[str] | None = None,
) -> Iterator[Document]:
    """The documents, each with a language: its own, or the one detected among ``candidates``.

    ``detected`` counts the documents by detected language, for the report.
    """
    detector: Detector | None = None
    for document in documents:
        if document.language:
            yield document
            continue
        detector = detector or Detector(candidates)
        language = detector.detect(f"{document.title}\n{document.text}").language
        if detected is not None:
            detected[language] += 1
        yield replace(document, language=language)
