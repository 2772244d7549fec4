"""Files -> everything that the steps of a pre-training read; what took long is kept in a folder."""

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
# what random numbers are drawn for
HELD_OUT, PIECES, TAUGHT, PLAIN, READ = 1, 2, 3, 5, 6


@dataclass(frozen=True, slots=True)
class PretrainTexts:
    """What was read: pairs, and the bodies of documents."""

    bitext: Bitext
    bodies: Sequence[str]


@dataclass(frozen=True, slots=True)
class PretrainInputs:
    """What the steps read, and the tokenizer that cut it."""

    tokenizer: Tokenizer
    material: PretrainingData
    taught: TeacherVectors | None


def purpose_rng(config: PretrainConfig, purpose: int) -> np.random.Generator:
    """Random numbers of their own for each thing that is drawn."""
    return np.random.default_rng((config.train.seed, purpose))


def read_texts(
    sources: Sequence[Path],
    collections: Sequence[str],
    config: PretrainConfig,
    faults: Faults,
    stage: Stage,
) -> PretrainTexts:
    """As many pairs of each group and as many plain texts as the settings say."""
    bitext = read_groups(sources, faults, stage("reading bitext", None))
    bitext = limit_groups(bitext, config.pairs, purpose_rng(config, READ))
    bodies = list(read_bodies(collections, faults, stage("reading texts", None)))
    chosen = purpose_rng(config, PLAIN).permutation(len(bodies))[: config.plain_texts]
    return PretrainTexts(bitext, [bodies[place] for place in np.sort(chosen)])


def prepare_inputs(
    texts: PretrainTexts,
    config: PretrainConfig,
    teacher: SentenceEncoder | None,
    work: Path,
    stage: Stage,
) -> PretrainInputs:
    """The texts as tokens; tokenizer and teacher's vectors come from ``work`` where they are."""
    split = hold_out(texts.bitext, config.held_out, purpose_rng(config, HELD_OUT))
    tokenizer = _tokenizer(texts, split, config, work, stage)
    bitext, bodies = texts.bitext, texts.bodies
    total = 2 * (len(split.training) + len(split.held_out)) + len(bodies)
    advance = stage("cutting into tokens", total)
    material = PretrainingData(
        training=tokenize_pairs(bitext, split.training, tokenizer, config, advance),
        held_out=tokenize_pairs(bitext, split.held_out, tokenizer, config, advance),
        plain=tokenize_chunks(bodies, tokenizer, config, advance),
        vocabulary=tokenizer.get_vocab_size(),
    )
    taught = None
    if teacher is not None:
        taught = _teacher_vectors(teacher, bitext, split, material, config, work, stage)
    return PretrainInputs(tokenizer, material, taught)


def _tokenizer(
    texts: PretrainTexts, split: BitextSplit, config: PretrainConfig, work: Path, stage: Stage
) -> Tokenizer:
    path = work / TOKENIZER
    if is_main_process() and not path.is_file():
        advance = stage("learning the tokenizer", 1)
        rng = purpose_rng(config, PIECES)
        learnt = learn_tokenizer(texts.bitext, split.training, texts.bodies, config, rng)
        with staged_file(path) as staged:
            learnt.save(str(staged))
        advance()
    wait_for_everyone()
    return Tokenizer.from_file(str(path))


def _teacher_vectors(
    teacher: SentenceEncoder,
    bitext: Bitext,
    split: BitextSplit,
    material: PretrainingData,
    config: PretrainConfig,
    work: Path,
    stage: Stage,
) -> TeacherVectors:
    rng = purpose_rng(config, TAUGHT)
    chosen = sample_rows(bitext, split.training, config.objective.taught, config.smoothing, rng)
    rows = np.searchsorted(split.training, chosen)
    texts = [bitext.firsts[row] for row in split.training]
    identities = material.training.first_texts
    if is_main_process():
        advance = stage("asking the teacher", len(np.unique(identities[rows])))
        teacher_vectors(teacher, texts, identities, rows, work / TEACHER, advance)
    wait_for_everyone()
    return teacher_vectors(teacher, texts, identities, rows, work / TEACHER)
