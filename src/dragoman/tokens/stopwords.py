"""Languages -> the words that say nothing about a text's subject.

The lists are stopwords-iso's. They are long, and name subjects too (English: computer, world,
invention), so only their short words stop: with the whole lists, monolingual BM25 found less on
average over the eleven languages measured (docs/languages.md has the table). Longer function words
stay in, and idf makes little of them.
"""

from collections.abc import Mapping
from importlib.metadata import version as installed_version

import stopwordsiso

MOST_LETTERS = 3

# Short words of the lists that do say something of a text's subject: house, year, day, father.
# Vietnamese ones are syllables that words are made of (nhà thờ, a church; cơ thể, a body).
SUBJECTS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "ar": "أب أخ الف حار سنة عام عدد عين قوة يوم",
        "bg": "ден дни лош май мек нов син",
        "de": "tag uhr",
        "en": "act man men mug web",
        "es": "dia día fin sal uso",
        "fi": "apu",
        "fr": "dos mot pur",
        "hi": "घर वर्ग",
        "it": "ore",
        "ru": "год дом имя лет мир пол час",
        "tr": "bin iş yüz",
        "vi": "anh bài bản bộ cao cha con cây cơ họ lớn nhà năm nền số toà",
    }.items()
}


def listed(language: str) -> frozenset[str]:
    """The whole list of a canonical language; empty where there is none."""
    if not stopwordsiso.has_lang(language):
        return frozenset()
    return frozenset(stopwordsiso.stopwords(language))


def stop_words(language: str) -> frozenset[str]:
    """The listed words that are left out of an analysis, spelt as in the list."""
    chosen = listed(language) - SUBJECTS.get(language, frozenset())
    return frozenset(word for word in chosen if 0 < sum(map(str.isalpha, word)) <= MOST_LETTERS)


def version() -> str:
    """The version of the lists."""
    return f"stopwordsiso {installed_version('stopwordsiso')}"
