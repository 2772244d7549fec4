"""Bitext and dictionaries -> a student encoder and a report of how well it was learnt.

The pairs' known side goes through the teacher once; some pairs are held out and never trained on.
The report says how often the student finds a held-out sentence's translation among all held-out
ones, asked from either side, and the same for the rows after rounding to few bits.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import islice

import numpy as np
from anyascii import anyascii

from dragoman.errors import InputError
from dragoman.protocols import Stage, unannounced
from dragoman.types import DictionaryEntry, FloatArray, IntArray, SentencePair
from dragoman.vectors.distillation import COLUMNS, DistillationConfig, distil, features
from dragoman.vectors.quantized import quantize
from dragoman.vectors.sentence import SentenceEncoder
from dragoman.vectors.student import Student
from dragoman.vectors.subwords import Vocabulary, VocabularyConfig, Words

FEWEST_PAIRS = 100
# how much the teacher's own reading counts for a text of which the student never met a word; names
# say more to it where they are spelt as in English
BLEND_LATIN, BLEND_OTHER = 2.0, 1.0
LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class LearningConfig:
    """Everything that decides what a student becomes."""

    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    distillation: DistillationConfig = field(default_factory=DistillationConfig)
    bits: int = 8
    held_out: int = 1000  # at most, and never more than a twentieth of the sentence pairs
    seed: int = 0  # decides which pairs are held out


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often the right one of ``among`` held-out sentences comes first."""

    among: int
    to_known: float  # asked in the student's language
    from_known: float  # asked in the teacher's


@dataclass(frozen=True, slots=True)
class Lesson:
    """Pairs as they are taught: texts of the student's language and their teacher's vectors."""

    texts: tuple[tuple[str, ...], ...]  # as words
    target_of: IntArray
    targets: FloatArray


@dataclass(frozen=True)
class Learnt:
    """The student, and what was measured."""

    student: Student
    accuracy: Accuracy


def learn_student(
    bitext: Iterable[SentencePair],
    dictionary: Iterable[DictionaryEntry],
    language: str,
    teacher: SentenceEncoder,
    config: LearningConfig,
    stage: Stage = unannounced,
) -> Learnt:
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
    lesson = prepare([*kept, *entries], Words(language), teacher, stage)
    vocabulary = Vocabulary.learn(lesson.texts, config.vocabulary)
    found = features(lesson.texts, vocabulary)
    advance = stage("teaching", -(-teacher.dimension // COLUMNS))
    table = distil(found, lesson.targets[lesson.target_of], config.distillation, advance)
    facts = {
        "pairs": len(kept),
        "entries": len(entries),
        "settings": asdict(config),
        "unseen_sentences": sorted(fingerprint(source) for source, _ in held),
    }
    latin = _is_latin(target for _, target in [*kept, *entries])
    student = Student(
        language,
        teacher.space,
        vocabulary,
        quantize(table, config.bits),
        facts,
        blend=BLEND_LATIN if latin else BLEND_OTHER,
        romanized=not latin and _reads_better_romanized(teacher, held),
    )
    accuracy = measure(student, teacher, held)
    student.facts["held_out"] = asdict(accuracy)
    return Learnt(student, accuracy)


def _is_latin(texts: Iterable[str]) -> bool:
    """Whether most letters of the first texts are Latin."""
    letters = [sign for text in islice(texts, 1000) for sign in text if sign.isalpha()]
    return 2 * sum(bool(LATIN.match(sign)) for sign in letters) > len(letters)


def _reads_better_romanized(teacher: SentenceEncoder, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the teacher itself finds more pairs when the unknown side is in Latin letters."""
    spelt = [(source, anyascii(target)) for source, target in pairs]
    return measure(teacher, teacher, spelt).to_known > measure(teacher, teacher, pairs).to_known


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
    pairs: Sequence[tuple[str, str]], words: Words, teacher: SentenceEncoder, stage: Stage
) -> Lesson:
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
    return Lesson(texts, np.array([row for _, row in filled], dtype=np.int64), targets)


def measure(
    student: SentenceEncoder,
    teacher: SentenceEncoder,
    pairs: Sequence[tuple[str, str]],
) -> Accuracy:
    """The accuracy of finding each pair's other side; one for no pairs is 0."""
    if not pairs:
        return Accuracy(0, 0.0, 0.0)
    known = teacher.encode([source for source, _ in pairs])
    learnt = student.encode([target for _, target in pairs])
    scores = learnt @ known.T
    right = np.arange(len(pairs))
    to_known = float((scores.argmax(axis=1) == right).mean())
    from_known = float((scores.argmax(axis=0) == right).mean())
    return Accuracy(len(pairs), to_known, from_known)
