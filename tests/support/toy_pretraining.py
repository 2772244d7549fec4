"""A toy pre-training: two small groups of pairs, plain texts, and a model of a few numbers."""

from functools import cache

import numpy as np

from dragoman.training.pretraining.config import pretrain_config
from dragoman.training.pretraining.corpora import Bitext, hold_out
from dragoman.training.pretraining.model import random_model
from dragoman.training.pretraining.training_data import (
    PretrainingData,
    learn_tokenizer,
    tokenize_chunks,
    tokenize_pairs,
)
from toy_bitext import sentences

SHAPE = {"pieces": 150, "size": 16, "layers": 2, "heads": 2, "inner": 32, "longest": 128}
CONFIG = pretrain_config(
    epochs=2, steps=6, batch=8, bag_epochs=1, bag_steps=3, encoder=SHAPE, objective={"drawn": 40}
)
BODIES = ["water river rain sea " * 30, "fire smoke ash", "Bread, salt: milk!"]


def toy_bitext(count=120):
    swahili = sentences(count)
    # a third language whose words are the Swahili ones, turned round
    others = [(one, " ".join(word[::-1] for word in two.split())) for one, two in sentences(40, 1)]
    pairs = [*swahili, *others]
    groups = np.repeat([0, 1], [len(swahili), len(others)])
    firsts, seconds = zip(*pairs, strict=True)
    return Bitext(("en-sw", "en-xx"), firsts, seconds, groups)


@cache
def toy_tokenizer():
    bitext = toy_bitext()
    rng = np.random.default_rng(0)
    return learn_tokenizer(bitext, np.arange(len(bitext)), BODIES, CONFIG, rng)


@cache
def toy_data():
    bitext, tokenizer = toy_bitext(), toy_tokenizer()
    split = hold_out(bitext, 10, np.random.default_rng(0))
    return PretrainingData(
        training=tokenize_pairs(bitext, split.training, tokenizer, CONFIG),
        held_out=tokenize_pairs(bitext, split.held_out, tokenizer, CONFIG),
        plain=tokenize_chunks(BODIES, tokenizer, CONFIG),
        vocabulary=tokenizer.get_vocab_size(),
    )


def toy_vectors():
    return toy_model().vectors.detach().numpy()


def toy_model(seed=0, taught=0):
    return random_model(CONFIG.encoder, toy_data().counts, seed, taught)
