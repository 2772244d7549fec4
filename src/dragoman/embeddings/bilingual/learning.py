"""Bitext and dictionary -> cross-lingual word vectors and their accuracy on held-out translations.

Some thousand sentence pairs are enough: words are aligned, vectors are learnt by one of the
``methods``, and evaluated by word translation on held-out entries (or sentences).
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
FACTOR_STEPS = 2  # progress steps: counts and factors, or one language and the other


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingsConfig:
    """Settings of bilingual word vectors."""

    method: Method = Method.DIRECT
    dimension: int = 300
    min_count: int = 1  # occurrences, in the dictionary too, that a word needs to get a vector
    pull: float = 2.0  # the weight of translations: see ``methods.pull_towards_translations``
    window: int = 5  # procrustes: context words on each side
    refinements: int = 0  # procrustes: they help only where few translations are known
    held_out: int = 1000  # test words at most, and at most a fifth of the possible ones
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
    """The vectors of both languages, and their accuracy."""

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
    """Vectors of two languages; ``stage`` is called for every stage of the work."""
    languages = (canonical(source), canonical(target))
    if languages[0] == languages[1]:
        raise ConfigError(f"found the language {languages[0]!r} on both sides; expected two")
    sentences = tokenize_pairs({(pair.source, pair.target): 0 for pair in bitext}, *languages)
    entries = tokenize_pairs({(entry.source, entry.target): 0 for entry in dictionary}, *languages)
    sentences, entries, test = _held_out(sentences, entries, languages, config)
    rounds = config.alignment.model1_rounds + config.alignment.hmm_rounds
    advance = stage("aligning words", len(sentences) + len(entries) + rounds)
    words = align_words(sentences, entries, languages, config.alignment, advance)
    vectors = pull_towards_translations(
        _vectors(words, entries, config, stage), words.translation_strength(), config.pull
    )
    facts = {"method": str(config.method), "pairs": len(sentences), "entries": len(entries)}
    learnt = (
        _word_vectors(words.source, vectors.source, config.min_count, facts),
        _word_vectors(words.target, vectors.target, config.min_count, facts),
    )
    accuracy = measure_accuracy(*learnt, test)
    return BilingualEmbeddings(*learnt, len(sentences), len(entries), accuracy, config)


def _held_out(
    sentences: list[WordPair],
    entries: list[WordPair],
    languages: tuple[str, str],
    config: EmbeddingsConfig,
) -> tuple[list[WordPair], list[WordPair], TranslationTest]:
    """The training sentences, the training entries, and the test."""
    if entries:
        known = (
            frozenset(word for pair in sentences for word in pair[0]),
            frozenset(word for pair in sentences for word in pair[1]),
        )
        training, test = hold_out_entries(entries, known, config.held_out, config.seed)
        return sentences, training, test
    order = np.random.default_rng(config.seed).permutation(len(sentences))
    count = len(sentences) // 20 if config.held_out else 0
    held_out = [sentences[number] for number in order[:count]]
    retained = [sentences[number] for number in np.sort(order[count:])]
    if not held_out:
        return retained, [], TranslationTest("nothing held out", {}, {})
    test = gold_from_sentences(held_out, languages, config.alignment, config.held_out)
    return retained, [], test


def _vectors(
    words: ParallelWords, entries: list[WordPair], config: EmbeddingsConfig, stage: Stage
) -> BilingualVectors:
    rng = np.random.default_rng(config.seed)
    if config.method is Method.DIRECT:
        advance = stage("factorising", FACTOR_STEPS)
        return methods.direct_vectors(words, dimension=config.dimension, rng=rng, advance=advance)
    return methods.procrustes_vectors(
        words,
        _single_words(words, entries),
        dimension=config.dimension,
        window=config.window,
        rounds=config.refinements,
        rng=rng,
        advance=stage("factorising and joining", FACTOR_STEPS + config.refinements),
    )


def _single_words(words: ParallelWords, entries: list[WordPair]) -> IntArray:
    """The rows of the dictionary's pairs of single words."""
    row_of = [
        {word: row for row, word in enumerate(side.words)} for side in (words.source, words.target)
    ]
    pairs = [
        (row_of[0][source[0]], row_of[1][target[0]])
        for source, target in entries
        if len(source) == len(target) == 1
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _word_vectors(
    side: MonolingualText, matrix: FloatArray, min_count: int, facts: dict[str, object]
) -> WordVectors:
    """The vectors of words with ``min_count`` occurrences and contexts, frequent words first."""
    counts = np.bincount(side.packed, minlength=len(side))
    known = np.flatnonzero(matrix.any(axis=1) & (counts >= min_count))
    words = tuple(side.words[row] for row in known)
    return WordVectors(side.language, words, matrix[known], facts)
