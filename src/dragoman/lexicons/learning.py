"""Bitext and dictionaries -> a ``Lexicon``: analyse, pack, align, symmetrise, prune.

A dictionary's entries are read as short sentence pairs beside the bitext, so that phrases are
aligned like sentences and a rare word's entry outweighs chance. Without bitext they are all there
is, and that is enough.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scipy.sparse import csr_array

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

# Languages that write compounds as one word; splitting them finds parts that bitext knows.
COMPOUNDING = frozenset({"af", "da", "de", "et", "fi", "hu", "is", "nl", "no", "sv"})

PROOF = 3  # sightings that make a word a possible part of compounds


@dataclass(frozen=True, kw_only=True)
class LexiconConfig:
    """How a lexicon is learnt; the defaults are what the shipped tables were made with."""

    analysis: AnalyzerConfig = field(default_factory=AnalyzerConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    split_compounds: bool = True  # in the languages that write them as one word
    dictionary_weight: int = 2  # sentence pairs that an entry counts for
    longest: int = 100  # words; sentence pairs with a longer side are left out
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
    """A lexicon and how it came about."""

    lexicon: Lexicon
    pairs: int  # sentence pairs read
    entries: int  # dictionary entries read
    left_out: int  # of both: a side empty after analysis, or longer than allowed
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

    ``bitext`` and ``dictionary`` are read twice where compounds are split, so an iterator that
    can be read only once is refused. ``advance`` is told of every pair and entry that was packed.
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
    reading = _Reading(Analyzer(config.analysis, splitters), source, target, config)
    rounds: list[EmRound] = []

    def heard(found: EmRound) -> None:
        rounds.append(found)
        on_round(found)

    with tempfile.TemporaryDirectory(prefix="dragoman-") as name:
        packed = pack(reading.read(bitext, dictionary), Path(name), advance)
        if len(packed) == 0:
            raise ConfigError(
                f"found nothing to learn {source}-{target} from in {reading.pairs:,} sentence pairs"
                f" and {reading.entries:,} dictionary entries; expected words on both sides"
            )
        aligned = align(packed, Path(name), config.alignment, heard)
        shown = samples(packed, aligned.model)
        lexicon = _lexicon(packed, aligned, reading, config, splitters)
    left_out = reading.pairs + reading.entries - len(packed)
    return LexiconTrainingResult(
        lexicon, reading.pairs, reading.entries, left_out, tuple(rounds), shown
    )


@dataclass
class _Reading:
    """Texts on their way into packed numbers, counted as they pass."""

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
    """A splitter for each side that needs one, trained on its words as they are before stemming.

    A dictionary's word counts as often as a splitter asks for, because being listed proves it.
    """
    languages = {source, target} & COMPOUNDING if config.split_compounds else set()
    if not languages:
        return {}
    analyzer = Analyzer(AnalyzerConfig(stop=False, stem=False))
    counts: dict[str, Counter[str]] = {language: Counter() for language in sorted(languages)}
    for texts, weight in ((bitext, 1), (dictionary, PROOF)):
        for pair in texts:
            for language, text in ((source, pair.source), (target, pair.target)):
                if language in languages:
                    for word in analyzer(text, language):
                        counts[language][word] += weight
    return {
        language: CompoundSplitter.train(found, language, min_count=PROOF)
        for language, found in counts.items()
    }


def _lexicon(
    packed: PackedBitext,
    aligned: AlignmentResult,
    reading: _Reading,
    config: LexiconConfig,
    splitters: dict[str, CompoundSplitter],
) -> Lexicon:
    sizes = (len(packed.source_words), len(packed.target_words))
    places = (aligned.model.rows, aligned.model.pairs.columns)
    forward = sparse_rows.table(*places, aligned.forward_counts, sizes)
    backward = sparse_rows.table(*places, aligned.backward_counts, sizes)
    source_counts, target_counts = packed.counts()
    signatures = {
        language: reading.analyzer.signature(language)
        for language in (reading.source, reading.target)
    }
    whole = Lexicon(
        source=reading.source,
        target=reading.target,
        source_words=packed.source_words,
        target_words=packed.target_words,
        source_counts=source_counts,
        target_counts=target_counts,
        forward=sparse_rows.normalised(forward),
        backward=sparse_rows.normalised(csr_array(backward.T)),
        analysis={**asdict(config.analysis), "signatures": signatures},
        splitters=splitters,
    )
    return whole.symmetrised().pruned(threshold=config.threshold, mass=config.mass, top=config.top)
