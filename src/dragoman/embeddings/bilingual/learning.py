"""Bitext and dictionary -> cross-lingual word vectors, measured on translations kept from them.

The language pair of a builder with some thousand sentence pairs: words are aligned, vectors are
learnt by one of the methods of ``embeddings_methods``, and the word-translation accuracy on held-
out entries (or sentences) says how good they are.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from dragoman.embeddings.bilingual import methods
from dragoman.embeddings.bilingual.methods import (
    BilingualVectors,
    Method,
    pull_towards_translations,
)
from dragoman.embeddings.bilingual.translation_accuracy import (
    TranslationAccuracy,
    TranslationTest,
    gold_from_sentences,
    hold_out_entries,
    measure_accuracy,
)
from dragoman.embeddings.bilingual.word_alignment import (
    MonolingualText,
    ParallelWords,
    WordPair,
    align_words,
    tokenize_pairs,
)
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from dragoman.protocols import Stage, no_stages
from dragoman.storage.staging import staged_folder
from dragoman.text.languages import canonical
from dragoman.types import DictionaryEntry, FloatArray, IntArray, SentencePair

REPORT = "embeddings.json"
ROUNDS_TOLD = 2  # counted and factorised, or one language and the other


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingsConfig:
    """Everything that decides what vectors become."""

    method: Method = Method.DIRECT
    dimension: int = 300
    min_count: int = 1  # sightings, the dictionary's included, that a word needs to get a vector
    pull: float = 2.0  # how much a word's translations count: see ``embeddings_methods.pulled``
    window: int = 5  # procrustes: words to each side that are a word's contexts
    refinements: int = 0  # procrustes: they help only where few translations are known
    held_out: int = 1000  # words at most, and never more than a fifth of those that could be asked
    seed: int = 0
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)

    def __post_init__(self) -> None:
        for name, least in (("dimension", 2), ("window", 1), ("min_count", 1), ("held_out", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} must be at least {least}, got {getattr(self, name)}")
        if self.pull < 0:
            raise ConfigError(f"pull must not be below 0, got {self.pull}")


@dataclass(frozen=True)
class BilingualEmbeddings:
    """The vectors of both languages, and what was measured."""

    source: WordVectors
    target: WordVectors
    pairs: int
    entries: int
    accuracy: TranslationAccuracy
    config: EmbeddingsConfig

    def report(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "languages": [self.source.language, self.target.language],
            "words": [len(self.source), len(self.target)],
            "pairs": self.pairs,
            "entries": self.entries,
            "accuracy": asdict(self.accuracy),
            "settings": asdict(self.config),
        }

    def save(self, folder: Path) -> None:
        """One folder of word vectors per language, and the report."""
        with staged_folder(folder) as staged:
            for vectors in (self.source, self.target):
                vectors.save(staged / vectors.language)
            text = json.dumps(self.report(), ensure_ascii=False, indent=2)
            (staged / REPORT).write_text(text + "\n", encoding="utf-8")


def learn_embeddings(
    bitext: Iterable[SentencePair],
    dictionary: Iterable[DictionaryEntry],
    source: str,
    target: str,
    config: EmbeddingsConfig,
    stage: Stage = no_stages,
) -> BilingualEmbeddings:
    """Vectors of two languages; ``stage`` is told what begins and how many steps it has."""
    languages = (canonical(source), canonical(target))
    if languages[0] == languages[1]:
        raise ConfigError(f"found the language {languages[0]!r} on both sides; expected two")
    sentences = tokenize_pairs({(pair.source, pair.target): 0 for pair in bitext}, *languages)
    entries = tokenize_pairs({(entry.source, entry.target): 0 for entry in dictionary}, *languages)
    sentences, entries, test = _held_out(sentences, entries, languages, config)
    rounds = config.alignment.model1_rounds + config.alignment.hmm_rounds
    advance = stage("aligning words", len(sentences) + len(entries) + rounds)
    words = align_words(sentences, entries, languages, config.alignment, advance)
    found = pull_towards_translations(
        _vectors(words, entries, config, stage), words.likeness(), config.pull
    )
    facts = {"method": str(config.method), "pairs": len(sentences), "entries": len(entries)}
    learnt = (
        _word_vectors(words.source, found.source, config.min_count, facts),
        _word_vectors(words.target, found.target, config.min_count, facts),
    )
    accuracy = measure_accuracy(*learnt, test)
    return BilingualEmbeddings(*learnt, len(sentences), len(entries), accuracy, config)


def _held_out(
    sentences: list[WordPair],
    entries: list[WordPair],
    languages: tuple[str, str],
    config: EmbeddingsConfig,
) -> tuple[list[WordPair], list[WordPair], TranslationTest]:
    """What is learnt from, and what it is measured by."""
    if entries:
        known = (
            frozenset(word for pair in sentences for word in pair[0]),
            frozenset(word for pair in sentences for word in pair[1]),
        )
        kept, test = hold_out_entries(entries, known, config.held_out, config.seed)
        return sentences, kept, test
    order = np.random.default_rng(config.seed).permutation(len(sentences))
    count = len(sentences) // 20 if config.held_out else 0
    held = [sentences[place] for place in order[:count]]
    kept = [sentences[place] for place in np.sort(order[count:])]
    if not held:
        return kept, [], TranslationTest("nothing held out", {}, {})
    test = gold_from_sentences(held, languages, config.alignment, config.held_out)
    return kept, [], test


def _vectors(
    words: ParallelWords, entries: list[WordPair], config: EmbeddingsConfig, stage: Stage
) -> BilingualVectors:
    rng = np.random.default_rng(config.seed)
    if config.method is Method.DIRECT:
        advance = stage("factorising", ROUNDS_TOLD)
        return methods.direct_vectors(words, dimension=config.dimension, rng=rng, advance=advance)
    return methods.procrustes_vectors(
        words,
        _single_words(words, entries),
        dimension=config.dimension,
        window=config.window,
        rounds=config.refinements,
        rng=rng,
        advance=stage("factorising and joining", ROUNDS_TOLD + config.refinements),
    )


def _single_words(words: ParallelWords, entries: list[WordPair]) -> IntArray:
    """The rows of the dictionary's pairs of single words."""
    numbers = [
        {word: number for number, word in enumerate(side.words)}
        for side in (words.source, words.target)
    ]
    pairs = [
        (numbers[0][source[0]], numbers[1][target[0]])
        for source, target in entries
        if len(source) == len(target) == 1
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _word_vectors(
    side: MonolingualText, matrix: FloatArray, min_count: int, facts: dict[str, object]
) -> WordVectors:
    """The words that are frequent enough and have a direction, frequent ones first."""
    counts = np.bincount(side.packed, minlength=len(side))
    known = np.flatnonzero(matrix.any(axis=1) & (counts >= min_count))
    words = tuple(side.words[row] for row in known)
    return WordVectors(side.language, words, matrix[known], facts)
