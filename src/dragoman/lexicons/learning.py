"""Bitext and dictionaries -> a ``Lexicon``: analyse, pack, align, symmetrise, prune.

Dictionary entries are added to the bitext as short sentence pairs, so that phrases are aligned like
sentences and a rare word's entry outweighs chance. They are enough without any bitext.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.alignment.aligner import AlignmentConfig, AlignmentResult, EmRound, align
from dragoman.lexicons.alignment.packed_bitext import PackedBitext, WeightedPair, pack
from dragoman.lexicons.alignment.samples import AlignedSample, samples
from dragoman.lexicons.dictionary import LONGEST_SIDE
from dragoman.lexicons.lexicon import Lexicon
from dragoman.protocols import Advance, no_progress
from dragoman.text.languages import canonical
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.tokens.compounds import CompoundSplitter
from dragoman.types import DictionaryEntry, SentencePair

# Languages that write compounds as one word; their parts occur in bitext more often.
COMPOUNDING = frozenset({"af", "da", "de", "et", "fi", "hu", "is", "nl", "no", "sv"})

MIN_PART_COUNT = 3  # occurrences that make a word a possible part of compounds


@dataclass(frozen=True, kw_only=True)
class LexiconConfig:
    """Settings of learning; the defaults are those of the shipped lexicons."""

    analysis: AnalyzerConfig = field(default_factory=AnalyzerConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    split_compounds: bool = True  # in the languages that write them as one word
    dictionary_weight: int = 2  # how many sentence pairs an entry counts for
    longest: int = 100  # words; sentence pairs with a longer side are skipped
    threshold: float = 1e-3  # pruning of the table: see ``sparse_rows.pruned``
    mass: float = 0.99
    top: int = 30

    def __post_init__(self) -> None:
        if self.dictionary_weight < 1:
            raise ConfigError(f"dictionary_weight must be at least 1, got {self.dictionary_weight}")
        if self.longest < 1:
            raise ConfigError(f"longest must be at least 1, got {self.longest}")


@dataclass(frozen=True)
class LexiconTrainingResult:
    """A lexicon, and statistics of its training."""

    lexicon: Lexicon
    pairs: int  # sentence pairs read
    entries: int  # dictionary entries read
    left_out: int  # pairs and entries with a side that is empty after analysis or too long
    rounds: tuple[EmRound, ...]
    samples: tuple[AlignedSample, ...]


def learn_lexicon(
    bitext: Iterable[SentencePair],
    dictionary: Iterable[DictionaryEntry],
    source: str,
    target: str,
    config: LexiconConfig | None = None,
    *,
    advance: Advance = no_progress,
    on_round: Callable[[EmRound], None] = lambda _: None,
) -> LexiconTrainingResult:
    """A lexicon between two languages, symmetrised and pruned.

    ``bitext`` and ``dictionary`` are read twice where compounds are split, so an iterator is an
    error. ``advance`` is called for every packed pair and entry.
    """
    config = config or LexiconConfig()
    source, target = canonical(source), canonical(target)
    if source == target:
        raise ConfigError(
            f"found the language {source!r} on both sides; expected two languages, as in en-sw"
        )
    for given in (bitext, dictionary):
        if isinstance(given, Iterator):
            raise ConfigError("expected bitext that can be read again, as a list; got an iterator")
    splitters = _splitters(bitext, dictionary, source, target, config)
    reader = _PairReader(Analyzer(config.analysis, splitters), source, target, config)
    rounds: list[EmRound] = []

    def report(em_round: EmRound) -> None:
        rounds.append(em_round)
        on_round(em_round)

    with tempfile.TemporaryDirectory(prefix="dragoman-") as name:
        packed = pack(reader.read(bitext, dictionary), Path(name), advance)
        if len(packed) == 0:
            raise ConfigError(
                f"found nothing to learn {source}-{target} from in {reader.pairs:,} sentence pairs"
                f" and {reader.entries:,} dictionary entries; expected words on both sides"
            )
        aligned = align(packed, Path(name), config.alignment, report)
        aligned_samples = samples(packed, aligned.model)
        lexicon = _lexicon(packed, aligned, reader, config, splitters)
    left_out = reader.pairs + reader.entries - len(packed)
    return LexiconTrainingResult(
        lexicon, reader.pairs, reader.entries, left_out, tuple(rounds), aligned_samples
    )


@dataclass
class _PairReader:
    """Analyses sentence pairs and entries, and counts them."""

    analyzer: Analyzer
    source: str
    target: str
    config: LexiconConfig
    pairs: int = 0
    entries: int = 0

    def read(
        self, bitext: Iterable[SentencePair], dictionary: Iterable[DictionaryEntry]
    ) -> Iterator[WeightedPair]:
        for pair in bitext:
            self.pairs += 1
            yield from self._words(pair.source, pair.target, self.config.longest, 1)
        for entry in dictionary:
            self.entries += 1
            weight = self.config.dictionary_weight
            yield from self._words(entry.source, entry.target, LONGEST_SIDE, weight)

    def _words(self, left: str, right: str, longest: int, weight: int) -> Iterator[WeightedPair]:
        words = self.analyzer(left, self.source), self.analyzer(right, self.target)
        if all(0 < len(side) <= longest for side in words):
            yield WeightedPair(*words, weight)


def _splitters(
    bitext: Iterable[SentencePair],
    dictionary: Iterable[DictionaryEntry],
    source: str,
    target: str,
    config: LexiconConfig,
) -> dict[str, CompoundSplitter]:
    """A splitter for each compounding language, trained on its words before stemming.

    A dictionary's word counts as often as a splitter requires: its entry proves that it exists.
    """
    languages = {source, target} & COMPOUNDING if config.split_compounds else set()
    if not languages:
        return {}
    analyzer = Analyzer(AnalyzerConfig(stop=False, stem=False))
    counts: dict[str, Counter[str]] = {language: Counter() for language in sorted(languages)}
    for texts, weight in ((bitext, 1), (dictionary, MIN_PART_COUNT)):
        for pair in texts:
            for language, text in ((source, pair.source), (target, pair.target)):
                if language in languages:
                    for word in analyzer(text, language):
                        counts[language][word] += weight
    return {
        language: CompoundSplitter.train(words, language, min_count=MIN_PART_COUNT)
        for language, words in counts.items()
    }


def _lexicon(
    packed: PackedBitext,
    aligned: AlignmentResult,
    reader: _PairReader,
    config: LexiconConfig,
    splitters: dict[str, CompoundSplitter],
) -> Lexicon:
    sizes = (len(packed.source_words), len(packed.target_words))
    cells = (aligned.model.rows, aligned.model.pairs.columns)
    forward = sparse_rows.table(*cells, aligned.forward_counts, sizes)
    backward = sparse_rows.table(*cells, aligned.backward_counts, sizes)
    source_counts, target_counts = packed.counts()
    signatures = {
        language: reader.analyzer.signature(language) for language in (reader.source, reader.target)
    }
    whole = Lexicon(
        source=reader.source,
        target=reader.target,
        source_words=packed.source_words,
        target_words=packed.target_words,
        source_counts=source_counts,
        target_counts=target_counts,
        forward=sparse_rows.normalised(forward),
        backward=sparse_rows.normalised(sparse_rows.transposed(backward)),
        analysis={**asdict(config.analysis), "signatures": signatures},
        splitters=splitters,
    )
    return whole.symmetrised().pruned(threshold=config.threshold, mass=config.mass, top=config.top)
