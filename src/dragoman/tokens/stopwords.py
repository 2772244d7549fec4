"""Languages -> stop words.

The lists are stopwords-iso's. They are long and contain content words (English: computer, world,
invention), so only their short words are stop words here: with the full lists, monolingual BM25 is
worse on average over eleven languages (docs/languages.md has the table). Longer function words
stay and have a low idf.
"""

from collections.abc import Mapping
from importlib.metadata import version as installed_version

import stopwordsiso

MOST_LETTERS = 3

# Short words of the lists that are content words: house, year, day, father. The Vietnamese ones are
# syllables of longer words (nhà thờ, a church; cơ thể, a body).
CONTENT_WORDS: Mapping[str, frozenset[str]] = {
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


def full_list(language: str) -> frozenset[str]:
    """The full list of a canonical language; empty where there is none."""
    if not stopwordsiso.has_lang(language):
        return frozenset()
    return frozenset(stopwordsiso.stopwords(language))


def stop_words(language: str) -> frozenset[str]:
    """The stop words of a canonical language, spelt as in the list."""
    chosen = full_list(language) - CONTENT_WORDS.get(language, frozenset())
    return frozenset(word for word in chosen if 0 < sum(map(str.isalpha, word)) <= MOST_LETTERS)


def version() -> str:
    """The version of the lists."""
    return f"stopwordsiso {installed_version('stopwordsiso')}"
