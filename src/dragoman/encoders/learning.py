"""Bitext and dictionaries -> a student encoder and a report of how well it was learnt.

The pairs' known side goes through the teacher once; some pairs are held out and never trained on.
The report says how often the student finds a held-out sentence's translation among all held-out
ones, asked from either side, by the rows as they are after rounding to few bits.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b

import numpy as np
from anyascii import anyascii
from numpy.typing import NDArray

from dragoman.encoders.compression import most_useful_features, principal_directions
from dragoman.encoders.distillation import COLUMNS, DistillationConfig, distil, features
from dragoman.encoders.quantization import quantize
from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.encoders.student import Student
from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary, UnstemmedAnalyzer
from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Stage, no_stages
from dragoman.types import DictionaryEntry, FloatArray, IntArray, SentencePair

FEWEST_PAIRS = 100
TRIAL_ROUNDS = 8  # of the first fit, which only tells what is worth keeping
BLEND = 2.0  # how much the teacher's own reading counts for a text of nothing but new names
LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentConfig:
    """Everything that decides what a student becomes."""

    vocabulary: SubwordConfig = field(default_factory=SubwordConfig)
    candidates: int = 80_000  # the most frequent features, among which the rows are chosen
    distillation: DistillationConfig = field(default_factory=DistillationConfig)
    columns: int = 256  # directions of the teacher's space that the rows are kept in, at most
    bits: int = 8
    held_out: int = 1000  # at most, and never more than a twentieth of the sentence pairs
    seed: int = 0  # decides which pairs are held out, and how the directions are turned

    def __post_init__(self) -> None:
        if self.columns < 1 or self.columns % 8:
            raise ConfigError(f"columns must be a multiple of 8, got {self.columns}")


@dataclass(frozen=True, slots=True)
class BitextRetrievalAccuracy:
    """How often the right one of ``among`` held-out sentences comes first."""

    among: int
    to_known: float  # asked in the student's language
    from_known: float  # asked in the teacher's


@dataclass(frozen=True, slots=True)
class DistillationData:
    """Pairs as they are taught: texts of the student's language and their teacher's vectors."""

    texts: tuple[tuple[str, ...], ...]  # as words
    target_of: IntArray
    targets: FloatArray


@dataclass(frozen=True)
class StudentParameters:
    """What a student knows: features, their rows, and the directions that these are kept in."""

    vocabulary: SubwordVocabulary
    table: FloatArray  # (features, columns)
    basis: NDArray[np.float16]  # (columns, d)


@dataclass(frozen=True)
class StudentTrainingResult:
    """The student, and what was measured."""

    student: Student
    accuracy: BitextRetrievalAccuracy


def learn_student(
    bitext: Iterable[SentencePair],
    dictionary: Iterable[DictionaryEntry],
    language: str,
    teacher: SentenceEncoder,
    config: StudentConfig,
    stage: Stage = no_stages,
) -> StudentTrainingResult:
    """The student for ``language``, the target side of the pairs; the teacher knows the source."""
    sentences = list(dict.fromkeys((pair.source, pair.target) for pair in bitext))
    entries = list(dict.fromkeys((entry.source, entry.target) for entry in dictionary))
    if len(sentences) + len(entries) < FEWEST_PAIRS:
        raise InputError(
            "bitext",
            None,
            found=f"{len(sentences) + len(entries)} pairs",
            expected=f"at least {FEWEST_PAIRS}, and better some thousands",
        )
    kept, held = hold_out(sentences, config.held_out, config.seed)
    lesson = prepare([*kept, *entries], UnstemmedAnalyzer(language), teacher, stage)
    taught = teach(lesson, config, stage)
    facts = {
        "pairs": len(kept),
        "entries": len(entries),
        "settings": asdict(config),
        "unseen_sentences": sorted(fingerprint(source) for source, _ in held),
    }
    student = Student(
        language,
        teacher.space,
        taught.vocabulary,
        quantize(taught.table, config.bits),
        facts,
        basis=taught.basis,
        blend=BLEND,
        romanized=_reads_better_romanized(teacher, held),
    )
    accuracy = measure(student, teacher, held)
    student.facts["held_out"] = asdict(accuracy)
    return StudentTrainingResult(student, accuracy)


def teach(
    lesson: DistillationData, config: StudentConfig, stage: Stage = no_stages
) -> StudentParameters:
    """The table for a lesson: a first fit chooses rows and directions, a second one fills them."""
    targets = lesson.targets[lesson.target_of]
    columns = min(config.columns, targets.shape[1])
    advance = stage("teaching", _blocks(targets.shape[1]) + _blocks(columns))
    rows = config.vocabulary.rows
    most = replace(config.vocabulary, rows=max(rows, config.candidates))
    candidates = SubwordVocabulary.learn(lesson.texts, most)
    found = features(lesson.texts, candidates)
    trial = replace(config.distillation, rounds=TRIAL_ROUNDS)
    first = distil(found, targets, trial, advance)
    rng = np.random.default_rng(config.seed)
    basis = principal_directions(found, first, columns, rng).astype(np.float16)
    vocabulary = candidates.only(most_useful_features(found, first, rows))
    table = distil(
        features(lesson.texts, vocabulary),
        targets @ basis.astype(np.float32).T,
        config.distillation,
        advance,
    )
    return StudentParameters(vocabulary, table, basis)


def _blocks(columns: int) -> int:
    return -(-columns // COLUMNS)


def _reads_better_romanized(teacher: SentenceEncoder, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the teacher itself finds more pairs when another script is in Latin letters."""
    if _is_latin(target for _, target in pairs):
        return False
    spelt = [(source, anyascii(target)) for source, target in pairs]
    return measure(teacher, teacher, spelt).to_known > measure(teacher, teacher, pairs).to_known


def _is_latin(texts: Iterable[str]) -> bool:
    """Whether most letters are Latin."""
    letters = [sign for text in texts for sign in text if sign.isalpha()]
    return 2 * sum(bool(LATIN.match(sign)) for sign in letters) > len(letters)


def hold_out(
    pairs: Sequence[tuple[str, str]], most: int, seed: int
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pairs to train on and those to judge by; no known side is in both, nor twice held."""
    sources = sorted({source for source, _ in pairs})
    chosen = np.random.default_rng(seed).permutation(len(sources))[: min(most, len(pairs) // 20)]
    held_sources = {sources[i] for i in chosen}
    first: dict[str, str] = {}
    for source, target in pairs:
        if source in held_sources:
            first.setdefault(source, target)
    return [pair for pair in pairs if pair[0] not in held_sources], sorted(first.items())


def fingerprint(sentence: str) -> str:
    """What tells a held-out sentence from others, wherever it is met again."""
    return blake2b(sentence.encode(), digest_size=6).hexdigest()


def prepare(
    pairs: Sequence[tuple[str, str]],
    words: UnstemmedAnalyzer,
    teacher: SentenceEncoder,
    stage: Stage,
) -> DistillationData:
    """The pairs with the teacher's vectors; pairs of which one side says nothing are left out."""
    sources = sorted({source for source, _ in pairs})
    place = {source: i for i, source in enumerate(sources)}
    targets = teacher.encode(sources, stage(f"reading with {teacher.name}", len(sources)))
    taught = [
        (tuple(words(target)), place[source])
        for source, target in pairs
        if targets[place[source]].any()
    ]
    filled = [(text, row) for text, row in taught if text]
    texts = tuple(text for text, _ in filled)
    return DistillationData(texts, np.array([row for _, row in filled], dtype=np.int64), targets)


def measure(
    student: SentenceEncoder,
    teacher: SentenceEncoder,
    pairs: Sequence[tuple[str, str]],
) -> BitextRetrievalAccuracy:
    """The accuracy of finding each pair's other side; one for no pairs is 0."""
    if not pairs:
        return BitextRetrievalAccuracy(0, 0.0, 0.0)
    known = teacher.encode([source for source, _ in pairs])
    learnt = student.encode([target for _, target in pairs])
    scores = learnt @ known.T
    right = np.arange(len(pairs))
    to_known = float((scores.argmax(axis=1) == right).mean())
    from_known = float((scores.argmax(axis=0) == right).mean())
    return BitextRetrievalAccuracy(len(pairs), to_known, from_known)
