"""Files -> the inputs of a pre-training, cached in the workspace: tokens, a teacher's vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.protocols import Stage
from dragoman.storage.staging import staged_file
from dragoman.text.files import Faults
from dragoman.training.distributed import is_main_process, wait_for_everyone
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.corpora import (
    Bitext,
    BitextSplit,
    hold_out,
    limit_groups,
    read_bodies,
    read_groups,
    sample_rows,
)
from dragoman.training.pretraining.teacher import TeacherVectors, teacher_vectors
from dragoman.training.pretraining.training_data import (
    PretrainingData,
    learn_tokenizer,
    tokenize_chunks,
    tokenize_pairs,
)

TOKENIZER, TEACHER = "tokenizer.json", "teacher"
# parts of random seeds
HELD_OUT, PIECES, TAUGHT, PLAIN, READ = 1, 2, 3, 5, 6


@dataclass(frozen=True, slots=True)
class PretrainTexts:
    """Sentence pairs, and the bodies of documents."""

    bitext: Bitext
    bodies: Sequence[str]


@dataclass(frozen=True, slots=True)
class PretrainInputs:
    """The tokenizer, the tokenized texts and the teacher's vectors."""

    tokenizer: Tokenizer
    data: PretrainingData
    teacher: TeacherVectors | None


def purpose_rng(config: PretrainConfig, purpose: int) -> np.random.Generator:
    """A random generator of its own for each purpose."""
    return np.random.default_rng((config.train.seed, purpose))


def read_texts(
    sources: Sequence[Path],
    collections: Sequence[str],
    config: PretrainConfig,
    faults: Faults,
    stage: Stage,
) -> PretrainTexts:
    """At most as many pairs of each group and plain texts as configured."""
    bitext = read_groups(sources, faults, stage("reading bitext", None))
    bitext = limit_groups(bitext, config.pairs, purpose_rng(config, READ))
    bodies = list(read_bodies(collections, faults, stage("reading texts", None)))
    sampled = purpose_rng(config, PLAIN).permutation(len(bodies))[: config.plain_texts]
    return PretrainTexts(bitext, [bodies[row] for row in np.sort(sampled)])


def prepare_inputs(
    texts: PretrainTexts,
    config: PretrainConfig,
    teacher: SentenceEncoder | None,
    work: Path,
    stage: Stage,
) -> PretrainInputs:
    """The tokenized texts; tokenizer and teacher's vectors come from ``work`` if they are there."""
    split = hold_out(texts.bitext, config.held_out, purpose_rng(config, HELD_OUT))
    tokenizer = _tokenizer(texts, split, config, work, stage)
    bitext, bodies = texts.bitext, texts.bodies
    total = 2 * (len(split.training) + len(split.held_out)) + len(bodies)
    advance = stage("tokenizing", total)
    data = PretrainingData(
        training=tokenize_pairs(bitext, split.training, tokenizer, config, advance),
        held_out=tokenize_pairs(bitext, split.held_out, tokenizer, config, advance),
        plain=tokenize_chunks(bodies, tokenizer, config, advance),
        vocabulary=tokenizer.get_vocab_size(),
    )
    vectors = None
    if teacher is not None:
        vectors = _teacher_vectors(teacher, bitext, split, data, config, work, stage)
    return PretrainInputs(tokenizer, data, vectors)


def _tokenizer(
    texts: PretrainTexts, split: BitextSplit, config: PretrainConfig, work: Path, stage: Stage
) -> Tokenizer:
    path = work / TOKENIZER
    if is_main_process() and not path.is_file():
        advance = stage("learning the tokenizer", 1)
        rng = purpose_rng(config, PIECES)
        tokenizer = learn_tokenizer(texts.bitext, split.training, texts.bodies, config, rng)
        with staged_file(path) as staged:
            tokenizer.save(str(staged))
        advance()
    wait_for_everyone()
    return Tokenizer.from_file(str(path))


def _teacher_vectors(
    teacher: SentenceEncoder,
    bitext: Bitext,
    split: BitextSplit,
    data: PretrainingData,
    config: PretrainConfig,
    work: Path,
    stage: Stage,
) -> TeacherVectors:
    rng = purpose_rng(config, TAUGHT)
    sampled = sample_rows(bitext, split.training, config.objective.taught, config.smoothing, rng)
    rows = np.searchsorted(split.training, sampled)
    texts = [bitext.firsts[row] for row in split.training]
    text_ids = data.training.first_texts
    if is_main_process():
        advance = stage("teacher vectors", len(np.unique(text_ids[rows])))
        teacher_vectors(teacher, texts, text_ids, rows, work / TEACHER, advance)
    wait_for_everyone()
    return teacher_vectors(teacher, texts, text_ids, rows, work / TEACHER)
