"""A word and candidates -> those that are spelt, or sound, most like it; ``rapidfuzz`` compares."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import Indel

from dragoman.lexicons.sounds.blocks import SHORTEST, is_word
from dragoman.lexicons.sounds.transliteration import has_vowels, romanised, sound_key, unvowelled

SHARED = 4  # letters that beginnings or ends must share
LARGEST_BLOCK = 500

# How alike words must be, as the share of letters that need not be added or taken away.
SAME_WORD, SAME_NAME, SAME_CONSONANTS = 0.75, 0.65, 0.6
OTHER_SOUND = 0.1  # more is asked of words whose consonants sound different

Neighbour = tuple[str, float]  # a word, and how alike it is: 1 is equal


class SpellingIndex:
    """The words of a vocabulary by their beginnings and ends: inflection changes one of them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._beginnings: defaultdict[str, list[str]] = defaultdict(list)
        self._ends: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= SHORTEST and is_word(word):
                self._beginnings[word[:SHARED]].append(word)
                self._ends[word[-SHARED:]].append(word)

    def candidates(self, word: str) -> set[str]:
        """The words that begin or end like ``word``; of too many, the first."""
        if len(word) < SHORTEST or not is_word(word):
            return set()
        beginning = self._beginnings.get(word[:SHARED], ())
        end = self._ends.get(word[-SHARED:], ())
        return {*beginning[:LARGEST_BLOCK], *end[:LARGEST_BLOCK]}


def nearest_spelling(word: str, candidates: Collection[str]) -> tuple[str, float] | None:
    """The candidate spelt most like ``word``, and how alike they are (1 is equal)."""
    found = _alike(word, {candidate: candidate for candidate in candidates}, SAME_WORD)
    return found[0] if found else None


def same_names(word: str, candidates: Collection[str]) -> list[Neighbour]:
    """The candidates that may be the same name in any script, most alike first.

    Letters are compared in Latin script; consonants alone where a script leaves vowels unwritten.
    Where the consonants sound different, more letters must be equal.
    """
    latin, vowels = romanised(word), has_vowels(word)
    written, bare = {}, {}
    for other in candidates:
        if vowels and has_vowels(other):
            written[other] = other if other.isascii() else romanised(other)
        else:
            bare[other] = unvowelled(romanised(other))
    found = _alike(latin, written, SAME_NAME) + _alike(unvowelled(latin), bare, SAME_CONSONANTS)
    key = sound_key(word)
    sure = [
        (other, alike)
        for other, alike in found
        if sound_key(other) == key
        or alike >= OTHER_SOUND + (SAME_NAME if other in written else SAME_CONSONANTS)
    ]
    return sorted(sure, key=lambda neighbour: (-neighbour[1], neighbour[0]))


def _alike(word: str, written: Mapping[str, str], least: float) -> list[Neighbour]:
    """The words whose written form shares at least ``least`` of its letters with ``word``'s."""
    scored = process.extract(
        word,
        written,
        scorer=Indel.normalized_similarity,
        processor=None,
        score_cutoff=least,
        limit=None,
    )
    found = [(other, float(alike)) for _, alike, other in scored]
    return sorted(found, key=lambda neighbour: (-neighbour[1], neighbour[0]))
