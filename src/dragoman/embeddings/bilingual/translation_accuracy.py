"""Held-out translations -> how often a word's nearest neighbour in the other language is right.

P@1 by CSLS, the measure of bilingual lexicon induction (Conneau et al. 2018): a word of the test
asks for its best neighbour among the most frequent words of the other language, and any of its
listed translations is right. Test words come from a dictionary, whose entries for them are kept
from training; without a dictionary they come from sentences that are kept from training.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.csls import csls_neighbours, mean_similarity
from dragoman.embeddings.bilingual.word_alignment import WordPair, align_words
from dragoman.embeddings.word_vectors import ABSENT, WordVectors
from dragoman.lexicons.alignment.aligner import AlignmentConfig

CANDIDATES = 20_000  # most frequent words of a language among which the best is sought
LARGEST_SHARE = 0.2  # of the words that could be asked
SURE_LINKS, SURE_LIKENESS = 3.0, 0.3  # of a pair of words that held-out sentences prove

Gold = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class TranslationTest:
    """The right answers in both directions."""

    origin: str  # what they come from, for people
    forward: Gold
    backward: Gold


@dataclass(frozen=True, slots=True)
class Direction:
    """How one direction did."""

    test_words: int  # those that have a vector
    csls: float  # P@1
    cosine: float  # P@1 by plain cosine


@dataclass(frozen=True, slots=True)
class TranslationAccuracy:
    """P@1 both ways; 0 where nothing could be asked."""

    origin: str
    forward: Direction
    backward: Direction


def hold_out_entries(
    entries: list[WordPair], known: tuple[frozenset[str], frozenset[str]], most: int, seed: int
) -> tuple[list[WordPair], TranslationTest]:
    """The entries to learn from, and a test of words that they do not translate.

    ``known`` are the words that the bitext shows, without which no method has a chance. The
    other way, only words are asked that no entry to learn from translates.
    """
    single = {(s[0], t[0]) for s, t in entries if len(s) == len(t) == 1}
    usable = sorted((s, t) for s, t in single if s in known[0] and t in known[1])
    sources = sorted({source for source, _ in usable})
    count = min(most, int(LARGEST_SHARE * len(sources)))
    chosen = np.random.default_rng(seed).permutation(len(sources))[:count]
    asked = {sources[place] for place in chosen}
    held = [pair for pair in usable if pair[0] in asked]
    kept = [pair for pair in entries if not (len(pair[0]) == 1 and pair[0][0] in asked)]
    told = {target[0] for source, target in kept if len(source) == len(target) == 1}
    backward = [(target, source) for source, target in held if target not in told]
    return kept, TranslationTest("held-out dictionary entries", _gold(held), _gold(backward))


def gold_from_sentences(
    sentences: list[WordPair], languages: tuple[str, str], config: AlignmentConfig, most: int
) -> TranslationTest:
    """The pairs of words that sentences kept from training prove beyond doubt."""
    words = align_words(sentences, [], languages, config)
    likeness = words.likeness()
    best = csr_array(likeness.multiply(likeness >= SURE_LIKENESS)).tocoo()
    links = csr_array(words.links)
    pairs = [
        (words.source.words[row], words.target.words[column])
        for row, column in zip(*best.coords, strict=True)
        if links[row, column] >= SURE_LINKS
    ][:most]
    turned = [(target, source) for source, target in pairs]
    return TranslationTest("words of held-out sentences", _gold(pairs), _gold(turned))


def _gold(pairs: Iterable[tuple[str, str]]) -> Gold:
    found: dict[str, set[str]] = {}
    for word, translation in pairs:
        found.setdefault(word, set()).add(translation)
    return {word: frozenset(right) for word, right in found.items()}


def measure_accuracy(
    source: WordVectors, target: WordVectors, test: TranslationTest
) -> TranslationAccuracy:
    """P@1 of two languages' vectors, frequent words first in both."""
    return TranslationAccuracy(
        test.origin,
        _direction(source, target, test.forward),
        _direction(target, source, test.backward),
    )


def _direction(asking: WordVectors, answering: WordVectors, gold: Gold) -> Direction:
    words = sorted(gold)
    rows = asking.rows(words)
    asked = [word for word, row in zip(words, rows.tolist(), strict=True) if row != ABSENT]
    if not asked:
        return Direction(0, 0.0, 0.0)
    queries = asking.matrix[rows[rows != ABSENT]]
    others, peers = answering.matrix[:CANDIDATES], asking.matrix[:CANDIDATES]
    shares = []
    for crowding in (mean_similarity(others, peers), np.zeros(len(others), np.float32)):
        found = csls_neighbours(queries, others, crowding)
        right = [
            answering.words[row] in gold[word]
            for word, row in zip(asked, found.tolist(), strict=True)
        ]
        shares.append(float(np.mean(right)))
    return Direction(len(asked), *shares)
