"""English terms that translate the same foreign word -> ambiguous words, and synonyms.

A foreign word with two translations has two meanings (nyanya: grandmother, tomatoes; Figure 4 of
the paper) or one (gari: car, vehicle; Figure 5). The other languages tell which (Resnik and
Yarowsky 1999): terms of one meaning are translated alike there too, terms of different meanings
are not. Translations are those of the shipped lexicons; the one of the task's own language proposes
pairs of terms, the others decide.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.searcher.task import DetectionTask, is_searchable
from dragoman.lexicons import shipped_lexicons
from dragoman.lexicons.lexicon import Lexicon
from dragoman.systems.searcher.terms import all_words
from dragoman.types import SentencePair, Text

LEAST = 0.15  # probability of a translation that counts
DIFFERENT, SAME = 0.05, 0.25  # overlaps below and above which meanings differ or are the same
LANGUAGES = 5  # that must know both terms
TRANSLATIONS = 30  # of a term that are compared
UNSEEN, SEEN = 2, 3  # occurrences of each meaning, in unseen and in training pairs, at least
MOST = 50  # occurrences of a meaning that are read


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word in its sentence."""

    sentence: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class AmbiguousWord:
    """A foreign word, two terms of different meanings, and unseen occurrences with each meaning."""

    word: str
    terms: tuple[str, str]
    occurrences: tuple[tuple[Occurrence, ...], tuple[Occurrence, ...]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Two terms that translate a word."""

    word: str
    terms: tuple[str, str]
    overlap: float


class Meanings:
    """The pairs of terms that translate a word of the task's language."""

    def __init__(self, language: str) -> None:
        codes = shipped_lexicons.shipped_languages()
        self.language = language
        self._into_english = shipped_lexicons.shipped_lexicon(language).reversed()
        self._analyzer = self._into_english.analyzer()
        self._others = [shipped_lexicons.shipped_lexicon(c) for c in codes if c != language]
        self.translations = cache(self._translations)
        self.overlap = cache(self._overlap)

    def _translations(self, word: str) -> dict[str, float]:
        """The English terms that translate a word as it is written."""
        analysed = self._analyzer(word, self.language)
        if len(analysed) != 1:
            return {}
        return dict(self._into_english.translations(analysed[0], TRANSLATIONS))

    def _overlap(self, first: str, second: str) -> float | None:
        """The shared probability of two terms' translations, a mean over the other languages.

        None where fewer than ``LANGUAGES`` know both.
        """
        shares = [share for one in self._others if (share := _shared(one, first, second)) >= 0]
        return sum(shares) / len(shares) if len(shares) >= LANGUAGES else None

    def candidates(self, words: Iterable[str]) -> Iterator[_Candidate]:
        """All pairs of likely translations of each word."""
        for word in words:
            likely = [
                term
                for term, probability in self.translations(word).items()
                if probability >= LEAST and is_searchable(term)
            ]
            for first, second in combinations(sorted(likely), 2):
                overlap = self.overlap(first, second)
                if overlap is not None:
                    yield _Candidate(word, (first, second), overlap)


def _shared(lexicon: Lexicon, first: str, second: str) -> float:
    """The sum of the lower of both probabilities; -1 where a term is unknown."""
    one, other = (dict(lexicon.translations(term, TRANSLATIONS)) for term in (first, second))
    if not one or not other:
        return -1.0
    return sum(min(probability, other.get(word, 0.0)) for word, probability in one.items())


def synonyms(task: DetectionTask, meanings: Meanings) -> list[tuple[str, str]]:
    """Pairs of terms of one meaning that translate a word of the training pairs."""
    seen = term_frequencies(task.training)
    words = sorted({word for pair in task.training for word in foreign_words(pair, task.language)})
    return sorted(
        {
            one.terms
            for one in meanings.candidates(words)
            if one.overlap > SAME and min(seen[term] for term in one.terms) >= SEEN
        }
    )


def ambiguous_words(task: DetectionTask, meanings: Meanings) -> list[AmbiguousWord]:
    """Words of the documents with terms of different meanings, one pair of terms for each word.

    An occurrence has a meaning if the English side has its term and not the other, and no other
    word of the sentence is a likelier source of it. A word has at least ``UNSEEN`` occurrences with
    either meaning, and ``SEEN`` in the training pairs; of several pairs of terms that with the most
    occurrences of the rarer one is taken.
    """
    unseen = _occurrences(task.sentence_pairs, task.language)
    seen = _occurrences(task.training, task.language)
    best: dict[str, AmbiguousWord] = {}
    for one in meanings.candidates(sorted(unseen)):
        if one.overlap >= DIFFERENT or _rarer(_meant(seen[one.word], one, meanings)) < SEEN:
            continue
        found = AmbiguousWord(one.word, one.terms, _meant(unseen[one.word], one, meanings))
        if _rarer(found.occurrences) < max(UNSEEN, _rarer_of(best.get(one.word)) + 1):
            continue
        best[one.word] = found
    return [_sampled(one) for _, one in sorted(best.items())]


def _sampled(word: AmbiguousWord) -> AmbiguousWord:
    first, second = (tuple(evenly_spaced(some, MOST)) for some in word.occurrences)
    return AmbiguousWord(word.word, word.terms, (first, second))


def _rarer(occurrences: tuple[Sequence[Occurrence], Sequence[Occurrence]]) -> int:
    return min(map(len, occurrences))


def _rarer_of(word: AmbiguousWord | None) -> int:
    return 0 if word is None else _rarer(word.occurrences)


_Contexts = list[tuple[Occurrence, frozenset[str]]]  # with the words of the English side


def _occurrences(pairs: Iterable[SentencePair], language: str) -> dict[str, _Contexts]:
    """The occurrences of every word, in sentences that have it once."""
    found: dict[str, _Contexts] = defaultdict(list)
    for pair in pairs:
        sentence, english = foreign_words(pair, language), frozenset(pair.source.split())
        counts = Counter(sentence)
        for position, word in enumerate(sentence):
            if counts[word] == 1:
                found[word].append((Occurrence(sentence, position), english))
    return found


def _meant(
    contexts: _Contexts, one: _Candidate, meanings: Meanings
) -> tuple[tuple[Occurrence, ...], tuple[Occurrence, ...]]:
    """The occurrences with the first meaning, and with the second."""
    first, second = one.terms

    def having(term: str, other: str) -> tuple[Occurrence, ...]:
        return tuple(
            occurrence
            for occurrence, english in contexts
            if term in english and other not in english and _is_source(occurrence, term, meanings)
        )

    return having(first, second), having(second, first)


def _is_source(occurrence: Occurrence, term: str, meanings: Meanings) -> bool:
    """Whether no other word of the sentence is likelier to be translated as the term."""
    word = occurrence.sentence[occurrence.position]
    own = meanings.translations(word)[term]
    return all(meanings.translations(other).get(term, 0.0) <= own for other in occurrence.sentence)


def foreign_words(pair: SentencePair, language: str) -> tuple[str, ...]:
    """The words of the foreign side, as a training reads them."""
    return tuple(all_words(Text(pair.target, language)))


def term_frequencies(pairs: Iterable[SentencePair]) -> Counter[str]:
    """The number of pairs whose English side has a word."""
    return Counter(word for pair in pairs for word in set(pair.source.split()))
