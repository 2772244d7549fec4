"""Held-out translations -> how often a word's nearest neighbour in the other language is right.

P@1 by CSLS, the measure of bilingual lexicon induction (Conneau et al. 2018): the nearest neighbour
of a test word among the most frequent words of the other language must be one of its gold
translations. These are held-out entries of a dictionary or, without one, come from the alignments
of held-out sentences.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from dragoman.embeddings.bilingual.csls import csls_neighbours, mean_similarity
from dragoman.embeddings.bilingual.word_alignment import WordPair, align_words
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from dragoman.lexicons.vocabulary import ABSENT

CANDIDATES = 20_000  # the most frequent words of a language, which can be neighbours
LARGEST_SHARE = 0.2  # of the possible test words
MIN_LINKS, MIN_STRENGTH = 3.0, 0.3  # of a gold translation from held-out sentences

Gold = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class TranslationTest:
    """The gold translations in both directions."""

    origin: str  # their source, for people
    forward: Gold
    backward: Gold


@dataclass(frozen=True, slots=True)
class Direction:
    """The accuracy of one direction."""

    test_words: int  # those that have a vector
    csls: float  # P@1
    cosine: float  # P@1 by plain cosine


@dataclass(frozen=True, slots=True)
class TranslationAccuracy:
    """P@1 in both directions; 0 without test words."""

    origin: str
    forward: Direction
    backward: Direction


def hold_out_entries(
    entries: list[WordPair], known: tuple[frozenset[str], frozenset[str]], most: int, seed: int
) -> tuple[list[WordPair], TranslationTest]:
    """The training entries, and a test of words that they do not translate.

    ``known`` are the words of the bitext: without contexts no method could translate them. In the
    backward direction, words that a training entry translates are no test words.
    """
    single = {(s[0], t[0]) for s, t in entries if len(s) == len(t) == 1}
    usable = sorted((s, t) for s, t in single if s in known[0] and t in known[1])
    sources = sorted({source for source, _ in usable})
    count = min(most, int(LARGEST_SHARE * len(sources)))
    chosen = np.random.default_rng(seed).permutation(len(sources))[:count]
    test_words = {sources[number] for number in chosen}
    held_out = [pair for pair in usable if pair[0] in test_words]
    training = [pair for pair in entries if not (len(pair[0]) == 1 and pair[0][0] in test_words)]
    trained = {target[0] for source, target in training if len(source) == len(target) == 1}
    backward = [(target, source) for source, target in held_out if target not in trained]
    test = TranslationTest("held-out dictionary entries", _gold(held_out), _gold(backward))
    return training, test


def gold_from_sentences(
    sentences: list[WordPair], languages: tuple[str, str], config: AlignmentConfig, most: int
) -> TranslationTest:
    """A test of the word pairs that are aligned often and strongly in held-out sentences."""
    words = align_words(sentences, [], languages, config)
    strength = words.translation_strength()
    best = csr_array(strength.multiply(strength >= MIN_STRENGTH)).tocoo()
    links = csr_array(words.links)
    pairs = [
        (words.source.words[row], words.target.words[column])
        for row, column in zip(*best.coords, strict=True)
        if links[row, column] >= MIN_LINKS
    ][:most]
    backward = [(target, source) for source, target in pairs]
    return TranslationTest("words of held-out sentences", _gold(pairs), _gold(backward))


def _gold(pairs: Iterable[tuple[str, str]]) -> Gold:
    gold: dict[str, set[str]] = {}
    for word, translation in pairs:
        gold.setdefault(word, set()).add(translation)
    return {word: frozenset(translations) for word, translations in gold.items()}


def measure_accuracy(
    source: WordVectors, target: WordVectors, test: TranslationTest
) -> TranslationAccuracy:
    """P@1 of the vectors of two languages, which must be sorted by falling frequency."""
    return TranslationAccuracy(
        test.origin,
        _direction(source, target, test.forward),
        _direction(target, source, test.backward),
    )


def _direction(source: WordVectors, target: WordVectors, gold: Gold) -> Direction:
    words = sorted(gold)
    rows = source.rows(words)
    known = [word for word, row in zip(words, rows.tolist(), strict=True) if row != ABSENT]
    if not known:
        return Direction(0, 0.0, 0.0)
    queries = source.matrix[rows[rows != ABSENT]]
    candidates, peers = target.matrix[:CANDIDATES], source.matrix[:CANDIDATES]
    shares = []
    for hubness in (mean_similarity(candidates, peers), np.zeros(len(candidates), np.float32)):
        neighbours = csls_neighbours(queries, candidates, hubness)
        correct = [
            target.words[row] in gold[word]
            for word, row in zip(known, neighbours.tolist(), strict=True)
        ]
        shares.append(float(np.mean(correct)))
    return Direction(len(known), *shares)
