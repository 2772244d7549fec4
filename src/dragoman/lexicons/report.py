"""What was learnt, in numbers and examples: coverage, entropy, best translations, alignments."""

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
    """One language of a table."""

    language: str
    words: int
    running_words: int
    translated_words: float  # the share of words that have a translation
    coverage: float  # the share of running words that have one
    entropy: float  # bits per running word: how undecided translations are, 0 for a single one
    translations: Mapping[str, tuple[tuple[str, float], ...]]  # of the most frequent words


@dataclass(frozen=True, slots=True)
class LexiconReport:
    """All that ``learn lexicon`` says."""

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


def lexicon_report(learnt: LexiconTrainingResult) -> LexiconReport:
    """The numbers and examples of what was learnt."""
    lexicon = learnt.lexicon
    return LexiconReport(
        languages=f"{lexicon.source}-{lexicon.target}",
        pairs=learnt.pairs,
        entries=learnt.entries,
        left_out=learnt.left_out,
        word_pairs=lexicon.forward.nnz,
        rounds=learnt.rounds,
        sides=(language_report(lexicon), language_report(lexicon.reversed())),
        samples=learnt.samples,
    )


def language_report(lexicon: Lexicon) -> LanguageReport:
    """The source language of a table."""
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
    found = np.bincount(sparse_rows.row_numbers(table), weights=surprise, minlength=table.shape[0])
    return found.astype(np.float64)
