"""Bitext and dictionaries -> a student encoder and its accuracy on held-out sentence pairs.

The teacher encodes the source side of the pairs once; some sentence pairs are held out. Accuracy is
bitext retrieval: how often a held-out sentence's nearest neighbour among the held-out sentences of
the other language is its translation, with the student's rows as quantised.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b

import numpy as np
from anyascii import anyascii
from numpy.typing import NDArray

from dragoman.encoders.compression import most_useful_features, principal_directions
from dragoman.encoders.distillation import COLUMNS, DistillationConfig, distil, extract_features
from dragoman.encoders.quantization import check_bits, quantize
from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.encoders.student import Student
from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary, UnstemmedAnalyzer
from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Stage, no_stages
from dragoman.types import DictionaryEntry, FloatArray, IntArray, SentencePair

FEWEST_PAIRS = 100
TRIAL_ROUNDS = 8  # of the first fit, which only selects rows and directions
BLEND = 2.0  # the weight of the teacher's own vector for a text of unknown names only
LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentConfig:
    """Settings of a student's training."""

    vocabulary: SubwordConfig = field(default_factory=SubwordConfig)
    candidates: int = 80_000  # the most frequent features, from which the rows are selected
    distillation: DistillationConfig = field(default_factory=DistillationConfig)
    columns: int = 256  # directions of the teacher's space that rows are stored in, at most
    bits: int = 8
    held_out: int = 1000  # at most, and never more than a twentieth of the sentence pairs
    seed: int = 0  # of the held-out sample and the rotation of the directions

    def __post_init__(self) -> None:
        if self.columns < 1 or self.columns % 8:
            raise ConfigError(f"columns must be a multiple of 8, got {self.columns}")
        check_bits(self.bits)


@dataclass(frozen=True, slots=True)
class BitextRetrievalAccuracy:
    """How often the translation ranks first of ``among`` held-out sentences."""

    among: int
    to_known: float  # queries in the student's language
    from_known: float  # queries in the teacher's


@dataclass(frozen=True, slots=True)
class DistillationData:
    """Texts of the student's language and the teacher's vectors of their translations."""

    texts: tuple[tuple[str, ...], ...]  # as words
    target_of: IntArray  # the row of each text in ``targets``
    targets: FloatArray


@dataclass(frozen=True)
class StudentParameters:
    """A student's features, their rows, and the directions that these are stored in."""

    vocabulary: SubwordVocabulary
    table: FloatArray  # (features, columns)
    basis: NDArray[np.float16]  # (columns, d)


@dataclass(frozen=True)
class StudentTrainingResult:
    """The student, and its accuracy on held-out sentence pairs."""

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
    """The student for ``language``, the target side of the pairs; the teacher's is the source."""
    sentences = list(dict.fromkeys((pair.source, pair.target) for pair in bitext))
    entries = list(dict.fromkeys((entry.source, entry.target) for entry in dictionary))
    if len(sentences) + len(entries) < FEWEST_PAIRS:
        raise InputError(
            "bitext",
            None,
            found=f"{len(sentences) + len(entries)} pairs",
            expected=f"at least {FEWEST_PAIRS}, and better some thousands",
        )
    training, held_out = hold_out(sentences, config.held_out, config.seed)
    data = distillation_data([*training, *entries], UnstemmedAnalyzer(language), teacher, stage)
    parameters = fit_student(data, config, stage)
    facts = {
        "pairs": len(training),
        "entries": len(entries),
        "settings": asdict(config),
        "unseen_sentences": sorted(fingerprint(source) for source, _ in held_out),
    }
    student = Student(
        language,
        teacher.space,
        parameters.vocabulary,
        quantize(parameters.table, config.bits),
        facts,
        basis=parameters.basis,
        blend=BLEND,
        romanized=_prefers_romanized(teacher, held_out),
    )
    accuracy = measure_accuracy(student, teacher, held_out)
    student.facts["held_out"] = asdict(accuracy)
    return StudentTrainingResult(student, accuracy)


def fit_student(
    data: DistillationData, config: StudentConfig, stage: Stage = no_stages
) -> StudentParameters:
    """The student's parameters: a first fit selects rows and directions, a second fills them."""
    targets = data.targets[data.target_of]
    columns = min(config.columns, targets.shape[1])
    advance = stage("teaching", _blocks(targets.shape[1]) + _blocks(columns))
    rows = config.vocabulary.rows
    most = replace(config.vocabulary, rows=max(rows, config.candidates))
    candidates = SubwordVocabulary.learn(data.texts, most)
    features = extract_features(data.texts, candidates)
    trial = replace(config.distillation, rounds=TRIAL_ROUNDS)
    first = distil(features, targets, trial, advance)
    rng = np.random.default_rng(config.seed)
    basis = principal_directions(features, first, columns, rng).astype(np.float16)
    vocabulary = candidates.restricted(most_useful_features(features, first, rows))
    table = distil(
        extract_features(data.texts, vocabulary),
        targets @ basis.astype(np.float32).T,
        config.distillation,
        advance,
    )
    return StudentParameters(vocabulary, table, basis)


def _blocks(columns: int) -> int:
    return -(-columns // COLUMNS)


def _prefers_romanized(teacher: SentenceEncoder, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the teacher retrieves more translations if another script is romanised."""
    if _is_latin(target for _, target in pairs):
        return False
    romanized = [(source, anyascii(target)) for source, target in pairs]
    as_written = measure_accuracy(teacher, teacher, pairs)
    return measure_accuracy(teacher, teacher, romanized).to_known > as_written.to_known


def _is_latin(texts: Iterable[str]) -> bool:
    """Whether most letters are Latin."""
    letters = [sign for text in texts for sign in text if sign.isalpha()]
    return 2 * sum(bool(LATIN.match(sign)) for sign in letters) > len(letters)


def hold_out(
    pairs: Sequence[tuple[str, str]], most: int, seed: int
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The training pairs and the held-out ones; no source is in both, nor held out twice."""
    sources = sorted({source for source, _ in pairs})
    chosen = np.random.default_rng(seed).permutation(len(sources))[: min(most, len(pairs) // 20)]
    held_out = {sources[i] for i in chosen}
    first: dict[str, str] = {}
    for source, target in pairs:
        if source in held_out:
            first.setdefault(source, target)
    return [pair for pair in pairs if pair[0] not in held_out], sorted(first.items())


def fingerprint(sentence: str) -> str:
    """A hash that identifies a held-out sentence in other data."""
    return blake2b(sentence.encode(), digest_size=6).hexdigest()


def distillation_data(
    pairs: Sequence[tuple[str, str]],
    analyze: UnstemmedAnalyzer,
    teacher: SentenceEncoder,
    stage: Stage,
) -> DistillationData:
    """The pairs with the teacher's vectors, without pairs that have no words on one side."""
    sources = sorted({source for source, _ in pairs})
    row_of = {source: row for row, source in enumerate(sources)}
    targets = teacher.encode(sources, stage(f"reading with {teacher.name}", len(sources)))
    analysed = [
        (tuple(analyze(target)), row_of[source])
        for source, target in pairs
        if targets[row_of[source]].any()
    ]
    filled = [(text, row) for text, row in analysed if text]
    texts = tuple(text for text, _ in filled)
    return DistillationData(texts, np.array([row for _, row in filled], dtype=np.int64), targets)


def measure_accuracy(
    student: SentenceEncoder,
    teacher: SentenceEncoder,
    pairs: Sequence[tuple[str, str]],
) -> BitextRetrievalAccuracy:
    """The accuracy of bitext retrieval in both directions; 0 without pairs."""
    if not pairs:
        return BitextRetrievalAccuracy(0, 0.0, 0.0)
    known = teacher.encode([source for source, _ in pairs])
    encoded = student.encode([target for _, target in pairs])
    scores = encoded @ known.T
    right = np.arange(len(pairs))
    to_known = float((scores.argmax(axis=1) == right).mean())
    from_known = float((scores.argmax(axis=0) == right).mean())
    return BitextRetrievalAccuracy(len(pairs), to_known, from_known)
