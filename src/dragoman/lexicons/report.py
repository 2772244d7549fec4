"""A learnt lexicon -> numbers and examples: coverage, entropy, best translations, alignments."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.alignment.aligner import EmRound
from dragoman.lexicons.alignment.samples import AlignedSample
from dragoman.lexicons.learning import LexiconTrainingResult
from dragoman.lexicons.lexicon import Lexicon
from dragoman.types import FloatArray

FREQUENT = 20
BEST = 5


@dataclass(frozen=True, slots=True)
class LanguageReport:
    """One language of a lexicon."""

    language: str
    words: int
    running_words: int
    translated_words: float  # the share of words that have a translation
    coverage: float  # the share of running words that have a translation
    entropy: float  # of the translations, in bits per running word; 0 for one translation each
    translations: Mapping[str, tuple[tuple[str, float], ...]]  # of the most frequent words


@dataclass(frozen=True, slots=True)
class LexiconReport:
    """The report of ``learn lexicon``."""

    languages: str
    pairs: int
    entries: int
    left_out: int
    word_pairs: int
    rounds: tuple[EmRound, ...]
    sides: tuple[LanguageReport, LanguageReport]
    samples: tuple[AlignedSample, ...]

    def as_json(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return asdict(self)


def lexicon_report(training: LexiconTrainingResult) -> LexiconReport:
    """The numbers and examples of a learnt lexicon."""
    lexicon = training.lexicon
    return LexiconReport(
        languages=f"{lexicon.source}-{lexicon.target}",
        pairs=training.pairs,
        entries=training.entries,
        left_out=training.left_out,
        word_pairs=lexicon.forward.nnz,
        rounds=training.rounds,
        sides=(language_report(lexicon), language_report(lexicon.reversed())),
        samples=training.samples,
    )


def language_report(lexicon: Lexicon) -> LanguageReport:
    """The source language of a lexicon."""
    counts = lexicon.source_counts
    translated = np.diff(lexicon.forward.indptr) > 0
    running = max(int(counts.sum()), 1)
    frequent = np.argsort(-counts, kind="stable")[:FREQUENT]
    words = [lexicon.source_words[number] for number in frequent]
    return LanguageReport(
        language=lexicon.source,
        words=len(counts),
        running_words=int(counts.sum()),
        translated_words=float(translated.mean()) if len(translated) else 0.0,
        coverage=float(counts[translated].sum() / running),
        entropy=float((entropies(lexicon) * counts).sum() / running),
        translations={word: tuple(lexicon.translations(word, BEST)) for word in words},
    )


def entropies(lexicon: Lexicon) -> FloatArray:
    """The entropy of each source word's translations, in bits."""
    table = lexicon.forward
    values = table.data.astype(np.float64)
    surprise = -values * np.log2(values)
    sums = np.bincount(sparse_rows.row_numbers(table), weights=surprise, minlength=table.shape[0])
    return sums.astype(np.float64)
