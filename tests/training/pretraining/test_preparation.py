"""What is read and kept before the first step."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.protocols import no_progress, no_stages
from dragoman.tokens.bpe import train_bpe
from dragoman.training.pretraining.corpora import hold_out
from dragoman.training.pretraining.preparation import (
    HELD_OUT,
    PretrainTexts,
    prepare_inputs,
    purpose_rng,
)
from toy_pretraining import BODIES, CONFIG, toy_bitext

TEXTS = PretrainTexts(toy_bitext(), BODIES)


class Letters(SentenceEncoder):
    """A teacher that counts letters, and remembers what it was asked."""

    name, dimension, languages = "letters", 2, frozenset()
    signature = space = "letters:1"

    def __init__(self):
        self.seen = []

    def encode(self, texts, advance=no_progress):
        self.seen += texts
        return np.array([[1, len(text)] for text in texts], dtype=np.float32)


def test_a_tokenizer_that_is_there_is_not_learnt_again(tmp_path):
    train_bpe(["water fire " * 9], 60).save(str(tmp_path / "tokenizer.json"))
    found = prepare_inputs(TEXTS, CONFIG, None, tmp_path, no_stages)
    assert found.data.vocabulary == found.tokenizer.get_vocab_size() < 60
    assert found.teacher is None


def test_every_pair_is_learnt_from_or_held_out(tmp_path):
    found = prepare_inputs(TEXTS, CONFIG, None, tmp_path, no_stages).data
    split = hold_out(TEXTS.bitext, CONFIG.held_out, purpose_rng(CONFIG, HELD_OUT))
    assert len(found.training) == len(split.training)
    assert len(found.held_out) == len(split.held_out) == 16
    assert found.training.groups.tolist() == TEXTS.bitext.groups[split.training].tolist()


def test_the_teacher_is_asked_for_training_texts_only(tmp_path):
    teacher = Letters()
    objective = replace(CONFIG.objective, taught=30)
    config = replace(CONFIG, objective=objective)
    found = prepare_inputs(TEXTS, config, teacher, tmp_path, no_stages)
    split = hold_out(TEXTS.bitext, CONFIG.held_out, purpose_rng(CONFIG, HELD_OUT))
    held = {TEXTS.bitext.firsts[row].lower() for row in split.held_out}
    assert 15 < len(teacher.seen) <= 30
    assert not held & {text.lower() for text in teacher.seen}
    known, vectors = found.teacher.of_pairs(np.arange(len(found.data.training)))
    for place, vector in zip(known, vectors, strict=True):
        assert vector.tolist() == [1, len(TEXTS.bitext.firsts[split.training[place]])]


def test_other_purposes_draw_other_numbers():
    drawn = [purpose_rng(CONFIG, purpose).random() for purpose in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]
