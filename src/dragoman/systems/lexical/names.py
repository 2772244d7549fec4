"""The words of a changing collection by their sound, so that names are found across scripts.

Words that have left the collection stay: they have no postings and change no result.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from dragoman.systems.lexical.neighbours import (
    Neighbour,
    Neighbours,
    is_word,
    nearest_names,
    sound_blocks,
)
from dragoman.text.strings import Strings

CACHED_ANSWERS = 1 << 16
MERGED_ABOVE = 50_000  # new words kept apart before they join the packed ones


class Names:
    """One language's words: packed ones, and those that came since."""

    def __init__(self, packed: Neighbours | None = None) -> None:
        self._packed = packed or Neighbours.of(Strings.pack(()), sound_blocks)
        self._recent: dict[str, None] = {}
        self._blocks: defaultdict[str, list[str]] = defaultdict(list)
        self._answers: dict[str, list[Neighbour]] = {}  # true until a new word comes

    def observe(self, words: Iterable[str]) -> None:
        """Remember the words that are not known yet."""
        known, recent = self._packed.words.numbers, self._recent
        for word in words:
            if word in known or word in recent or not is_word(word):
                continue
            recent[word] = None
            self._answers.clear()
            for block in sound_blocks(word):
                self._blocks[block].append(word)
        if len(recent) > MERGED_ABOVE:
            self._merge()

    def nearest(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""
        found = self._answers.get(word)
        if found is None:
            recent = {o for block in sound_blocks(word) for o in self._blocks.get(block, ())}
            found = nearest_names(word, {*recent, *self._packed.candidates(word)})
            if len(self._answers) >= CACHED_ANSWERS:
                self._answers.clear()
            self._answers[word] = found
        return found

    def _merge(self) -> None:
        self._packed = self._packed.with_more(self._recent, self._blocks)
        self._recent.clear()
        self._blocks.clear()

    def save(self, folder: Path, language: str) -> None:
        """Write words and blocks."""
        self._merge()
        name = f"names-{language or 'und'}"
        self._packed.words.save(folder, name)
        self._packed.save(folder, name)

    @classmethod
    def load(cls, folder: Path, language: str) -> Self:
        """What ``save`` wrote, mapped into memory."""
        name = f"names-{language or 'und'}"
        words = Strings.load(folder, name)
        return cls(Neighbours.load(folder, name, words, sound_blocks))
