"""The words of a changing collection by their sound, so that names are found across scripts.

Words that have left the collection stay: they have no postings and change no result.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Self

from dragoman.systems.lexical.blocks import is_word, sound_blocks
from dragoman.systems.lexical.neighbours import Neighbour, Neighbours, nearest_names
from dragoman.text.strings import Strings

CACHED_ANSWERS = 1 << 16
MERGED_ABOVE = 50_000  # new words kept apart before they join the packed ones
BLOCKED_ABOVE = 2_000  # new words that join them sooner than a question could block them


class Names:
    """One language's words: packed ones, and those that came since."""

    def __init__(self, packed: Neighbours | None = None) -> None:
        self._packed = packed or Neighbours.of(Strings.pack(()))
        self._recent: dict[str, None] = {}
        self._unblocked: list[str] = []  # the last of the recent ones
        self._blocks: defaultdict[str, list[str]] = defaultdict(list)  # of the others
        self._lock = Lock()  # documents may be added while questions are asked
        self._answers: dict[str, list[Neighbour]] = {}  # true of the words known now

    def observe(self, words: Iterable[str]) -> None:
        """Remember the words that are not known yet."""
        with self._lock:
            known, recent = self._packed.words.numbers, self._recent
            before = len(recent)
            for word in words:
                if word not in known and word not in recent and is_word(word):
                    recent[word] = None
                    self._unblocked.append(word)
            if len(recent) > before:
                self._answers = {}  # who still looks for one among the words before keeps the old
            if len(recent) > MERGED_ABOVE:
                self._merge()

    def nearest(self, word: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""
        found = self._answers.get(word)
        if found is None:
            with self._lock:
                answers = self._answers
                self._block()
                recent = {o for block in sound_blocks(word) for o in self._blocks.get(block, ())}
                candidates = {*recent, *self._packed.candidates(word)}
            found = nearest_names(word, candidates)
            if len(answers) >= CACHED_ANSWERS:
                answers.clear()
            answers[word] = found
        return found

    def _block(self) -> None:
        """Put the words that came since the last question where questions look for them."""
        if len(self._unblocked) > BLOCKED_ABOVE:
            self._merge()
        for word in self._unblocked:
            for block in sound_blocks(word):
                self._blocks[block].append(word)
        self._unblocked.clear()

    def _merge(self) -> None:
        self._packed = self._packed.with_more(list(self._recent))
        self._recent.clear()
        self._unblocked.clear()
        self._blocks.clear()

    def save(self, folder: Path, language: str) -> None:
        """Write words and blocks."""
        with self._lock:
            self._merge()
        name = f"names-{language or 'und'}"
        self._packed.words.save(folder, name)
        self._packed.save(folder, name)

    @classmethod
    def load(cls, folder: Path, language: str) -> Self:
        """What ``save`` wrote, mapped into memory."""
        name = f"names-{language or 'und'}"
        words = Strings.load(folder, name)
        return cls(Neighbours.load(folder, name, words))
