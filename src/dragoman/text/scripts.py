"""Texts and languages -> the scripts they are written in, as ISO 15924 codes."""

import unicodedata
from collections import Counter
from collections.abc import Collection
from itertools import islice

_LETTERS_READ = 500  # of a long text; more cost time and change nothing
_FOREIGN_SHARE = 1 / 5  # of other scripts, from which Latin words count as quotations
_DENSE = 3  # weight of an ideograph or syllable, in Latin letters

_SCRIPTS = {  # the first word of a letter's Unicode name -> its script
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
_PARTS = {  # mixed scripts -> the scripts they mix
    "Hans": ("Hani", "Bopo"),
    "Hant": ("Hani", "Bopo"),
    "Jpan": ("Hani", "Hira", "Kana"),
    "Kore": ("Hang", "Hani"),
}
_ALSO_WRITTEN = {  # scripts of a language other than its usual one
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


def writings_of(language: str) -> tuple[frozenset[str], ...]:
    """The ways to write a canonical language, each with the scripts that one text mixes."""
    import langcodes  # noqa: PLC0415 - takes long to load

    script = langcodes.Language.get(language).maximize().script or "Latn"
    others = (frozenset({one}) for one in _ALSO_WRITTEN.get(language, ()))
    return frozenset(_PARTS.get(script, (script,))), *others


def script_weights(text: str) -> Counter[str]:
    """Weighted letters of each script; Latin is dropped next to enough of another script."""
    letters = list(islice(filter(str.isalpha, unicodedata.normalize("NFKC", text)), _LETTERS_READ))
    weights: Counter[str] = Counter()
    for char, count in Counter(letters).items():
        script = _script_of(char)
        weights[script] += count * (_DENSE if script in _DENSE_SCRIPTS else 1)
    if weights.total() - weights["Latn"] >= _FOREIGN_SHARE * weights.total():
        del weights["Latn"]
    return +weights


def _script_of(letter: str) -> str:
    first_word = unicodedata.name(letter, "").partition(" ")[0]
    return _SCRIPTS.get(first_word, first_word.title())


def without_scripts(text: str, scripts: Collection[str]) -> str:
    """A text without the words that have letters of some scripts."""
    foreign = {letter for letter in {*text} if letter.isalpha() and _script_of(letter) in scripts}
    return " ".join(word for word in text.split() if foreign.isdisjoint(word))


def script_name(script: str) -> str:
    """The English name of a script's letters; the code where there is none."""
    names = {code: known for known, code in reversed(_SCRIPTS.items())}
    return f"{names[script].title()} letters" if script in names else script
