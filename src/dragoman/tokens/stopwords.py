"""Languages -> the words that say nothing about a text's subject.

The lists are stopwords-iso's. They are long, and name subjects too (English: computer, world,
invention), so only their short words stop: with the whole lists, monolingual BM25 found less on
average over the eleven languages measured (docs/languages.md has the table). Longer function words
stay in, and idf makes little of them.
"""

from importlib.metadata import version as installed_version

import stopwordsiso

MOST_LETTERS = 3


def listed(language: str) -> frozenset[str]:
    """The whole list of a canonical language; empty where there is none."""
    if not stopwordsiso.has_lang(language):
        return frozenset()
    return frozenset(stopwordsiso.stopwords(language))


def stop_words(language: str) -> frozenset[str]:
    """The listed words that are left out of an analysis, spelt as in the list."""
    return frozenset(
        word for word in listed(language) if 0 < sum(map(str.isalpha, word)) <= MOST_LETTERS
    )


def version() -> str:
    """The version of the lists."""
    return f"stopwordsiso {installed_version('stopwordsiso')}"
