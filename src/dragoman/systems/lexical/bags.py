"""Documents -> bags of numbered words; those of a build's survey are remembered for its encoding.

A build reads its documents twice: for their mean lengths, then for their vectors. What the first
reading counted is kept, packed, and given back while the same documents come in the same order. At
the first one that does not (a build that goes on where it stopped, a document that is added later)
the rest is forgotten, and texts are analysed as they come.
"""

from array import array
from collections import Counter
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import NamedTuple
from weakref import finalize

from dragoman.lexicons.reading import Reader
from dragoman.types import Text

IN_MEMORY = 1 << 26  # bytes of remembered bags; more of them go to a file without a name


class Bag(NamedTuple):
    """The distinct words of a text in the order in which they first come."""

    numbers: bytes  # of the words, as C integers
    counts: bytes  # how often each comes, likewise
    length: int  # how many words there are, the same one counted every time


class Numbers(dict[str, int]):
    """Word -> its number, given when it is first met; ``words`` is the way back."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._lock = Lock()

    def __missing__(self, word: str) -> int:
        with self._lock:
            if word not in self:
                self.words.append(word)
                self[word] = len(self.words) - 1
        return self[word]


class Bags:
    """Counts the words of texts, each language with numbers of its own."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._numbers: dict[str, Numbers] = {}

    def __call__(self, text: Text) -> Bag:
        """The bag of ``text``."""
        words = self._reader(text.body, text.language)
        counts = Counter(words)
        # from a list, because an array takes that sooner than an iterator
        numbers = array("i", [*map(self.numbers(text.language).__getitem__, counts)])
        return Bag(numbers.tobytes(), array("i", [*counts.values()]).tobytes(), len(words))

    def numbers(self, language: str) -> Numbers:
        """Those of a language's words; the same for all threads, whichever asks first."""
        found = self._numbers.get(language)
        return self._numbers.setdefault(language, Numbers()) if found is None else found


class Survey:
    """Bags in the order of their texts, each given back once."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it lives as long as this
        finalize(self, self._file.close)
        self._texts, self._sizes, self._lengths = array("q"), array("q"), array("q")
        self._taken = 0
        self._lock = Lock()

    def add(self, text: Text, bag: Bag) -> None:
        """Remember the bag of the text that comes next."""
        self._texts.append(hash(text))
        self._sizes.append(len(bag.numbers))
        self._lengths.append(bag.length)
        self._file.write(bag.numbers)
        self._file.write(bag.counts)

    def take(self, text: Text) -> Bag | None:
        """The bag of ``text``, if it comes next; if it does not, no text is known any longer."""
        with self._lock:
            if self._taken == len(self._texts):
                return None
            if self._texts[self._taken] != hash(text):
                self._forget()
                return None
            if self._taken == 0:
                self._file.seek(0)
            size, length = self._sizes[self._taken], self._lengths[self._taken]
            self._taken += 1
            bag = Bag(self._file.read(size), self._file.read(size), length)
            if self._taken == len(self._texts):
                self._forget()
            return bag

    def _forget(self) -> None:
        self._file.close()
        del self._texts[:], self._sizes[:], self._lengths[:]
        self._taken = 0
