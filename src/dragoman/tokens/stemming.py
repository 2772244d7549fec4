"""Words -> stems, by Snowball's algorithms (Porter 2001) as PyStemmer compiles them."""

from collections.abc import Callable

import Stemmer

SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}


def algorithm(language: str) -> str:
    """The installed Snowball algorithm of a canonical language; empty if there is none."""
    name = SNOWBALL.get(language, "")
    return name if name in Stemmer.algorithms() else ""


def stemmer(language: str) -> Callable[[str], str]:
    """A function from word to stem; not safe to call from two threads at once.

    PyStemmer's cache is off, because the analyzer caches terms.
    """
    stem: Callable[[str], str] = Stemmer.Stemmer(algorithm(language), 0).stemWord
    return stem


def version() -> str:
    """PyStemmer's version, on which stems depend."""
    return f"PyStemmer {Stemmer.version()}"
