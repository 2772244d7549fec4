"""Names of languages -> one canonical code; texts -> the language they are in.

Canonical is the ISO 639-1 code where one exists, else the ISO 639-3 code, without script or region.
A macrolanguage's predominant member folds into it, as CLDR does it (cmn -> zh, arb -> ar).
Detection is py3langid (Barbaresi, after Lui and Baldwin 2012, "langid.py") among the collection's
languages only, helped by the script where that decides.
"""

import copy
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING

from dragoman.errors import ConfigError, UnknownLanguage
from dragoman.types import Document

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# Where CLDR settles on another code than the tables that we ship, and where two written standards
# of one language share their stop words and stemmer.
_FOLDED = {"fil": "tl", "nb": "no", "nn": "no"}
_NO_LANGUAGE = frozenset({"", "und", "mul", "mis", "zxx"})
_PRIVATE = ("qaa", "qtz")

_LETTERS_READ = 500  # of a long text; more change nothing and cost time
CERTAIN = 0.7  # probability from which a guess stands; docs/languages.md says how often it is right
_FOREIGN_SHARE = 1 / 5  # of another script beside Latin, from which Latin words are quotations
_DENSE = 3  # Latin letters that say as much as one ideograph or syllable

_SCRIPTS = {
    "ARABIC": "Arab",
    "ARMENIAN": "Armn",
    "BENGALI": "Beng",
    "BOPOMOFO": "Bopo",
    "CJK": "Hani",
    "CYRILLIC": "Cyrl",
    "DEVANAGARI": "Deva",
    "ETHIOPIC": "Ethi",
    "GEORGIAN": "Geor",
    "GREEK": "Grek",
    "GUJARATI": "Gujr",
    "GURMUKHI": "Guru",
    "HANGUL": "Hang",
    "HEBREW": "Hebr",
    "HIRAGANA": "Hira",
    "KANNADA": "Knda",
    "KATAKANA": "Kana",
    "KATAKANA-HIRAGANA": "Kana",
    "KHMER": "Khmr",
    "LAO": "Laoo",
    "LATIN": "Latn",
    "MALAYALAM": "Mlym",
    "MYANMAR": "Mymr",
    "ORIYA": "Orya",
    "SINHALA": "Sinh",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "THAANA": "Thaa",
    "THAI": "Thai",
    "TIBETAN": "Tibt",
}
_DENSE_SCRIPTS = frozenset({"Bopo", "Hang", "Hani", "Hira", "Kana"})
_PARTS = {  # scripts that are written as several
    "Hans": ("Hani", "Bopo"),
    "Hant": ("Hani", "Bopo"),
    "Jpan": ("Hani", "Hira", "Kana"),
    "Kore": ("Hang", "Hani"),
}
_ALSO_WRITTEN = {  # beside the usual script
    "az": ("Arab", "Cyrl"),
    "bs": ("Cyrl",),
    "crh": ("Latn",),
    "grc": ("Grek",),
    "ha": ("Arab",),
    "hbo": ("Hebr",),
    "kk": ("Arab", "Latn"),
    "ku": ("Arab",),
    "ms": ("Arab",),
    "pa": ("Arab",),
    "sr": ("Latn",),
    "tg": ("Arab",),
    "tk": ("Cyrl",),
    "uz": ("Cyrl", "Arab"),
    "uzs": ("Arab",),
}


@lru_cache(maxsize=4096)
def canonical(code: str) -> str:
    """The one code this package uses for a language, whatever standard ``code`` comes from.

    Case does not matter, nor whether subtags are joined by ``-`` or ``_``.
    """
    if code in _names():  # canonical already; the tables of all codes take long to load
        return code
    import langcodes  # noqa: PLC0415
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    try:
        tag = langcodes.Language.get(code.strip(), normalize=True)
    except LanguageTagError as error:
        raise UnknownLanguage(code) from error
    language = tag.prefer_macrolanguage().language or ""
    private = len(language) == 3 and _PRIVATE[0] <= language <= _PRIVATE[1]
    if language in _NO_LANGUAGE or private or not langcodes.tag_is_valid(language):
        raise UnknownLanguage(code)
    return _FOLDED.get(language, language)


def name(code: str) -> str:
    """The English name of a language; the canonical code where our table has no name for it."""
    language = canonical(code)
    return _names().get(language, language)


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    table = resources.files("dragoman.text") / "data" / "language_names.tsv"
    lines = table.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def parse_pair(text: str) -> tuple[str, str]:
    """The two canonical codes of ``"en-sw"``; the same language twice is an error."""
    parts = text.split("-")
    if len(parts) != 2:
        raise ConfigError(
            f"Found the language pair {text!r}; expected two codes joined by a hyphen, as in en-sw."
        )
    source, target = canonical(parts[0]), canonical(parts[1])
    if source == target:
        raise ConfigError(
            f"Found the language pair {text!r}, which names {name(source)} twice;"
            " expected two languages, as in en-sw."
        )
    return source, target


def parse_list(text: str) -> tuple[str, ...]:
    """The canonical codes of ``"en,fr"``, each once, in the order given."""
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise ConfigError(f"Found no language in {text!r}; expected codes, as in en,fr.")
    return tuple(dict.fromkeys(map(canonical, parts)))


@dataclass(frozen=True, slots=True)
class Detection:
    """The language that a text is taken to be in, and why."""

    language: str
    probability: float  # of that language, among the detector's
    certain: bool  # False where the text does not decide and ``reason`` says what did
    reason: str


class Detector:
    """Tells the languages of one collection apart; safe to share between threads.

    ``languages`` may map each language to its number of documents: a text that does not decide then
    goes to the likeliest language given these. None stands for every language that py3langid knows.
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
        self._scripts = {code: _scripts_of(code) for code in self.languages}

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The languages that py3langid does not know: only their script can tell them."""
        known = _by_language(_model().labels)
        return tuple(code for code in self.languages if code not in known)

    @cached_property
    def _identifier(self) -> "LanguageIdentifier":
        """py3langid's model, restricted; a copy, because restricting changes the object."""
        labels = _by_language(_model().labels)
        identifier = copy.copy(_model())
        identifier.set_languages([x for code in self.languages for x in labels.get(code, ())])
        return identifier

    def detect(self, text: str, declared: str = "") -> Detection:
        """The language of ``text``; where it does not decide: ``declared``, else the majority."""
        if len(self.languages) == 1:
            return Detection(self.languages[0], 1.0, True, "the only language to choose from")
        weights = _script_weights(text)
        if not weights:
            return self._fall_back("the text has no letters", {}, declared)
        covered = {
            code: sum(weights[script] for script in scripts)
            for code, scripts in self._scripts.items()
        }
        most = max(covered.values())
        script = weights.most_common(1)[0][0]
        if not most:
            return self._fall_back(
                f"no language here is written in {_script_name(script)}", {}, declared
            )
        candidates = [code for code, weight in covered.items() if weight == most]
        if len(candidates) == 1:
            share = most / weights.total()
            reason = f"the only language written in {_script_name(script)}"
            return Detection(candidates[0], share, True, reason)
        return self._by_letters(text, candidates, declared)

    def _by_letters(self, text: str, candidates: list[str], declared: str) -> Detection:
        unknown = [code for code in candidates if code in self.unknown]
        if len(unknown) == len(candidates):
            return self._fall_back(f"py3langid does not know {', '.join(unknown)}", {}, declared)
        probabilities = self._probabilities(text, candidates)
        best = max(probabilities, key=lambda code: (probabilities[code], code))
        if probabilities[best] < CERTAIN:
            return self._fall_back("the text is too short to tell", probabilities, declared)
        if unknown:
            reason = f"py3langid does not know {', '.join(unknown)}, which it may be as well"
            return Detection(best, probabilities[best], False, reason)
        return Detection(best, probabilities[best], True, "by its letters")

    def _probabilities(self, text: str, candidates: Collection[str]) -> dict[str, float]:
        """Of the candidates that py3langid knows, among themselves."""
        found: Counter[str] = Counter()
        for label, probability in self._identifier.rank(text):
            if (code := canonical(label)) in candidates:
                found[code] += probability
        total = found.total()
        return {code: probability / total for code, probability in found.items()}

    def _fall_back(self, why: str, probabilities: Mapping[str, float], declared: str) -> Detection:
        """What else is known of the text; a guess only where there is nothing else."""
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


def _script_name(script: str) -> str:
    """What people call the script with this ISO 15924 code."""
    names = {code: known for known, code in reversed(_SCRIPTS.items())}
    return f"{names[script].title()} letters" if script in names else script


@lru_cache(maxsize=1)
def _model() -> "LanguageIdentifier":
    """py3langid's model, read once; never changed here."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - half a second

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _by_language(labels: Collection[str]) -> dict[str, list[str]]:
    """The model's labels under the canonical code of each."""
    found: dict[str, list[str]] = {}
    for label in labels:
        if label not in _NO_LANGUAGE:
            found.setdefault(canonical(label), []).append(label)
    return found


def _folded(counts: Mapping[str, int]) -> Counter[str]:
    """The counts under canonical codes."""
    folded: Counter[str] = Counter()
    for code, count in counts.items():
        folded[canonical(code)] += count
    return folded


def _scripts_of(language: str) -> frozenset[str]:
    import langcodes  # noqa: PLC0415 - takes long to load

    script = langcodes.Language.get(language).maximize().script or "Latn"
    return frozenset({*_PARTS.get(script, (script,)), *_ALSO_WRITTEN.get(language, ())})


def _script_weights(text: str) -> Counter[str]:
    """How much of each script the text's letters are; Latin beside enough of another is dropped."""
    letters = list(islice(filter(str.isalpha, unicodedata.normalize("NFKC", text)), _LETTERS_READ))
    weights: Counter[str] = Counter()
    for char, count in Counter(letters).items():
        first_word = unicodedata.name(char, "").partition(" ")[0]
        script = _SCRIPTS.get(first_word, first_word.title())
        weights[script] += count * (_DENSE if script in _DENSE_SCRIPTS else 1)
    if weights.total() - weights["Latn"] >= _FOREIGN_SHARE * weights.total():
        del weights["Latn"]
    return +weights


def with_languages(
    documents: Iterable[Document],
    candidates: Collection[str] | None = None,
    detected: Counter[str] | None = None,
) -> Iterator[Document]:
    """The documents, each with a language: its own, or the one detected among ``candidates``.

    ``detected`` counts how many were given which language, for the report.
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
