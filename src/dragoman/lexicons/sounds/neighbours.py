"""A word and candidates -> those with the most similar spelling or sound, compared by rapidfuzz."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import Indel

from dragoman.lexicons.sounds.blocks import SHORTEST, is_word
from dragoman.lexicons.sounds.transliteration import has_vowels, romanised, sound_key, unvowelled

AFFIX = 4  # letters that the prefixes or suffixes of candidates must share
LARGEST_BLOCK = 500

# The least normalised Indel similarity: the share of letters that need no insertion or deletion.
SAME_WORD, SAME_NAME, SAME_CONSONANTS = 0.75, 0.65, 0.6
OTHER_SOUND = 0.1  # added to the threshold for words whose consonants sound different

Neighbour = tuple[str, float]  # a word and its similarity: 1 is equal


class SpellingIndex:
    """The words of a vocabulary by prefix and suffix: inflection changes one of them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._prefixes: defaultdict[str, list[str]] = defaultdict(list)
        self._suffixes: defaultdict[str, list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= SHORTEST and is_word(word):
                self._prefixes[word[:AFFIX]].append(word)
                self._suffixes[word[-AFFIX:]].append(word)

    def candidates(self, word: str) -> set[str]:
        """The words with the same prefix or suffix; of a large block, the first words only."""
        if len(word) < SHORTEST or not is_word(word):
            return set()
        prefix = self._prefixes.get(word[:AFFIX], ())
        suffix = self._suffixes.get(word[-AFFIX:], ())
        return {*prefix[:LARGEST_BLOCK], *suffix[:LARGEST_BLOCK]}


def nearest_spelling(word: str, candidates: Collection[str]) -> Neighbour | None:
    """The candidate with the most similar spelling; None if none is similar enough."""
    neighbours = _similar(word, {candidate: candidate for candidate in candidates}, SAME_WORD)
    return neighbours[0] if neighbours else None


def same_names(word: str, candidates: Collection[str]) -> list[Neighbour]:
    """The candidates that may be the same name in any script, most similar first.

    Letters are compared in Latin script; only consonants if a script does not write vowels.
    Words whose consonants sound different must be more similar.
    """
    latin, vowels = romanised(word), has_vowels(word)
    whole, consonants = {}, {}
    for other in candidates:
        if vowels and has_vowels(other):
            whole[other] = other if other.isascii() else romanised(other)
        else:
            consonants[other] = unvowelled(romanised(other))
    similar = _similar(latin, whole, SAME_NAME)
    similar += _similar(unvowelled(latin), consonants, SAME_CONSONANTS)
    key = sound_key(word)
    names = [
        (other, similarity)
        for other, similarity in similar
        if sound_key(other) == key
        or similarity >= OTHER_SOUND + (SAME_NAME if other in whole else SAME_CONSONANTS)
    ]
    return sorted(names, key=lambda neighbour: (-neighbour[1], neighbour[0]))


def _similar(word: str, spellings: Mapping[str, str], threshold: float) -> list[Neighbour]:
    """The keys of ``spellings`` whose values are similar to ``word``, most similar first."""
    scored = process.extract(
        word,
        spellings,
        scorer=Indel.normalized_similarity,
        processor=None,
        score_cutoff=threshold,
        limit=None,
    )
    neighbours = [(other, float(similarity)) for _, similarity, other in scored]
    return sorted(neighbours, key=lambda neighbour: (-neighbour[1], neighbour[0]))
