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
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.material import (
    Material,
    learn_tokenizer,
    numbered_pairs,
    numbered_pieces,
)
from dragoman.training.pretraining.teacher import Taught, asked
from dragoman.training.pretraining.texts import (
    Bitext,
    Split,
    at_most,
    hold_out,
    read_bodies,
    read_groups,
    sample,
)
from dragoman.training.sharing import is_main_process, wait_for_everyone

TOKENIZER, TEACHER = "tokenizer.json", "teacher"
# what random numbers are drawn for
HELD_OUT, PIECES, TAUGHT, PLAIN, READ = 1, 2, 3, 5, 6


@dataclass(frozen=True, slots=True)
class Texts:
    """What was read: pairs, and the bodies of documents."""

    bitext: Bitext
    bodies: Sequence[str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the steps read, and the tokenizer that cut it."""

    tokenizer: Tokenizer
    material: Material
    taught: Taught | None


def purpose_rng(config: PretrainConfig, purpose: int) -> np.random.Generator:
    """Random numbers of their own for each thing that is drawn."""
    return np.random.default_rng((config.train.seed, purpose))


def read_texts(
    sources: Sequence[Path],
    collections: Sequence[str],
    config: PretrainConfig,
    faults: Faults,
    stage: Stage,
) -> Texts:
    """As many pairs of each group and as many plain texts as the settings say."""
    bitext = read_groups(sources, faults, stage("reading bitext", None))
    bitext = at_most(bitext, config.pairs, purpose_rng(config, READ))
    bodies = list(read_bodies(collections, faults, stage("reading texts", None)))
    chosen = purpose_rng(config, PLAIN).permutation(len(bodies))[: config.plain_texts]
    return Texts(bitext, [bodies[place] for place in np.sort(chosen)])


def prepared(
    texts: Texts,
    config: PretrainConfig,
    teacher: SentenceEncoder | None,
    work: Path,
    stage: Stage,
) -> Prepared:
    """The texts as tokens; tokenizer and teacher's vectors come from ``work`` where they are."""
    split = hold_out(texts.bitext, config.held_out, purpose_rng(config, HELD_OUT))
    tokenizer = _tokenizer(texts, split, config, work, stage)
    bitext, bodies = texts.bitext, texts.bodies
    total = 2 * (len(split.training) + len(split.held_out)) + len(bodies)
    advance = stage("cutting into tokens", total)
    material = Material(
        training=numbered_pairs(bitext, split.training, tokenizer, config, advance),
        held_out=numbered_pairs(bitext, split.held_out, tokenizer, config, advance),
        plain=numbered_pieces(bodies, tokenizer, config, advance),
        vocabulary=tokenizer.get_vocab_size(),
    )
    taught = None
    if teacher is not None:
        taught = _taught(teacher, bitext, split, material, config, work, stage)
    return Prepared(tokenizer, material, taught)


def _tokenizer(
    texts: Texts, split: Split, config: PretrainConfig, work: Path, stage: Stage
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


def _taught(
    teacher: SentenceEncoder,
    bitext: Bitext,
    split: Split,
    material: Material,
    config: PretrainConfig,
    work: Path,
    stage: Stage,
) -> Taught:
    rng = purpose_rng(config, TAUGHT)
    chosen = sample(bitext, split.training, config.objective.taught, config.smoothing, rng)
    rows = np.searchsorted(split.training, chosen)
    texts = [bitext.firsts[row] for row in split.training]
    identities = material.training.first_texts
    if is_main_process():
        advance = stage("asking the teacher", len(np.unique(identities[rows])))
        asked(teacher, texts, identities, rows, work / TEACHER, advance)
    wait_for_everyone()
    return asked(teacher, texts, identities, rows, work / TEACHER)
