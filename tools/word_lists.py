"""Public word lists -> dictionary entries and short sentence pairs, English and another language.

CLDR's names (``cldr_lists``), labels of Wikidata and OpenStreetMap (``label_lists``), dictionaries
of Chinese and Thai (``asian_dictionaries``) and thousand-most-common-words 1.0.1 (MIT), which has
English and other words side by side. All are packages of npm or PyPI, pinned; what is missing is
fetched, and the archives are read as they are.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import asian_dictionaries
import cldr_lists
import label_lists
from archives import Package, members, npm
from cldr_lists import CldrLists
from label_lists import LabelLists

from dragoman.types import DictionaryEntry, SentencePair

THOUSAND = npm("thousand-most-common-words", "1.0.1")
PACKAGES = (*cldr_lists.PACKAGES, *label_lists.PACKAGES, THOUSAND)

# A word of these is many pairs of characters, more than a dictionary's side may have.
WITHOUT_BLANKS = {
    "ja": asian_dictionaries.none,
    "th": asian_dictionaries.thai,
    "zh": asian_dictionaries.chinese,
}
LONGEST_GLOSS = 5  # words; a longer one explains instead of translating


@dataclass(frozen=True)
class WordLists:
    """The archives of all packages in one folder."""

    folder: Path

    def archives(self, language: str) -> list[Path]:
        """What the lists of ``language`` are read from, fetched where it is missing."""
        own: tuple[Package, ...] = asian_dictionaries.PACKAGES.get(language, ())
        return [package.path(self.folder) for package in (*PACKAGES, *own)]

    def words(self, language: str) -> list[DictionaryEntry]:
        """Names and words that are written as in running text, each pair once."""
        written = [*CldrLists(self.folder).names(language), *self._commonest(language)]
        return [DictionaryEntry(*pair) for pair in _once(written)]

    def entries(self, language: str) -> list[DictionaryEntry]:
        """All names and words, each pair once; none where words are not told apart by blanks."""
        if language in WITHOUT_BLANKS:
            return []
        return [DictionaryEntry(*pair) for pair in _once(self._named(language))]

    def pairs(self, language: str) -> list[SentencePair]:
        """Descriptions and keywords; names and words too where blanks do not tell words apart."""
        texts = [*LabelLists(self.folder).texts(language)]
        texts += CldrLists(self.folder).keywords(language)
        if language in WITHOUT_BLANKS:
            named = [*self._named(language), *WITHOUT_BLANKS[language](self.folder)]
            texts += [pair for pair in named if len(pair[0].split()) <= LONGEST_GLOSS]
        return [SentencePair(*pair) for pair in _once(texts)]

    def _named(self, language: str) -> Iterator[tuple[str, str]]:
        yield from CldrLists(self.folder).names(language)
        yield from LabelLists(self.folder).names(language)
        yield from self._commonest(language)

    def _commonest(self, language: str) -> Iterator[tuple[str, str]]:
        files = members(THOUSAND.path(self.folder), ".json")
        listed = files.get(f"words/{language}.json", '{"words": []}')
        for word in json.loads(listed)["words"]:
            yield word["englishWord"], word["targetWord"]


def _once(pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs with both sides, on one line, each once."""
    written = ((" ".join(left.split()), " ".join(right.split())) for left, right in pairs)
    return list(dict.fromkeys(pair for pair in written if all(pair)))
