"""Training: it learns, stops, goes on bit for bit, and takes a teacher's knowledge in two parts."""

import json
import os
import signal
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from sklearn.metrics import roc_auc_score

from dragoman.errors import ConfigError, InputError
from dragoman.systems.semi_interactive import (
    RelevanceExample,
    SemiInteractiveConfig,
    load_model,
    load_teacher,
    pooled_auc,
    teacher_scores,
    train,
)
from dragoman.systems.semi_interactive.training import auc_within_queries, initial_model
from dragoman.systems.semi_interactive.transfer import SentenceTeacher, reuse_embeddings
from dragoman.training.parameters import write_parameters
from dragoman.training.pretraining.model import COMPARES
from dragoman.training.trainer import Interrupted
from dragoman.types import Document, Query
from toy_relevance import WORDS, save_encoder, toy_examples
from toys import toy_encoder

TRAINED, JUDGED = toy_examples(160, seed=0), toy_examples(60, seed=1)
QUICK = SemiInteractiveConfig(
    max_length=32, layers=1, batch=16, epochs=6, warm_up=5, learning_rate=5e-3, patience=0
)
SHORT = replace(QUICK, epochs=2)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("encoder"), WORDS, layers=1)


@pytest.fixture(scope="module")
def teacher(encoder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("teacher") / "model"
    train(TRAINED, JUDGED, encoder, replace(SHORT, architecture="interactive"), folder)
    return folder


def tensors(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def same(left, right):
    return all(torch.equal(left[name], right[name]) for name in left)


@pytest.mark.parametrize("probability", ["extended", "clamped", "shifted"])
def test_it_learns_which_documents_belong_to_a_query(encoder, tmp_path, probability):
    config = replace(QUICK, probability=probability)
    trained = train(TRAINED, JUDGED, encoder, config, tmp_path / "model")
    assert trained.validation > 0.9
    assert trained.epochs[-1].loss < trained.epochs[0].loss
    scores = load_model(tmp_path / "model").score_pairs(JUDGED)
    labels = np.array([one.label for one in JUDGED])
    assert pooled_auc(scores, labels) == pytest.approx(trained.validation)
    assert pooled_auc(scores, labels) == pytest.approx(roc_auc_score(labels, scores))


def test_the_folder_says_how_the_model_was_made(encoder, tmp_path):
    trained = train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "m", facts={"collection": "toy"})
    facts = json.loads((tmp_path / "m" / "model.json").read_text())
    assert facts["collection"] == "toy"
    assert facts["languages"] == {"queries": ["en"], "documents": ["it"]}
    assert facts["validation"]["AUC"] == trained.validation
    assert len((tmp_path / "m" / "log.jsonl").read_text().splitlines()) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_no_epochs_give_the_encoder_as_it_is(encoder, tmp_path):
    trained = train(TRAINED, JUDGED, encoder, replace(QUICK, epochs=0), tmp_path / "model")
    assert same(tensors(trained.model), tensors(initial_model(encoder, replace(QUICK, epochs=0))))
    facts = json.loads((tmp_path / "model" / "model.json").read_text())
    assert facts["validation"] == {}


def test_an_encoder_that_learnt_to_compare_brings_the_head_that_told(tmp_path):
    folder = save_encoder(tmp_path / "encoder", WORDS, layers=2)
    joint = replace(QUICK, architecture="interactive", layers=2)
    drawn = initial_model(folder, joint).head
    told = torch.nn.Linear(drawn.in_features, 1)
    write_parameters(folder / COMPARES, told)
    assert torch.equal(initial_model(folder, joint).head.weight, told.weight)
    assert not torch.equal(drawn.weight, told.weight)
    fewer = initial_model(folder, replace(joint, layers=1)).head  # it read the last layer's states
    assert torch.equal(fewer.weight, drawn.weight)
    assert initial_model(folder, QUICK).head is None


def test_the_epoch_with_the_best_auc_is_kept_and_training_stops_after_it(encoder, tmp_path):
    config = replace(QUICK, epochs=40, patience=2)
    trained = train(TRAINED, JUDGED, encoder, config, tmp_path / "model")
    areas = [epoch.validation["AUC"] for epoch in trained.epochs]
    assert trained.best_epoch == int(np.argmax(areas)) + 1
    assert len(areas) == trained.best_epoch + 2 < 40


def test_an_epoch_may_be_validated_several_times(encoder, tmp_path):
    config = replace(QUICK, epochs=40, patience=2)
    whole = train(TRAINED, JUDGED, encoder, replace(config, epochs=1), tmp_path / "whole")
    parts = train(TRAINED, JUDGED, encoder, config, tmp_path / "parts", validations=2)
    assert parts.epochs[0].steps == whole.epochs[0].steps // 2
    assert len(parts.epochs) == parts.best_epoch + 4 < 80


def test_areas_within_queries_do_not_compare_scores_of_two_queries():
    scores = np.array([0.9, 0.8, 0.2, 0.1, 0.7])
    labels, queries = np.array([1.0, 0.0, 1.0, 0.0, 1.0]), np.array([0, 0, 1, 1, 2])
    assert auc_within_queries(scores, labels, queries) == 1
    assert pooled_auc(scores, labels) == pytest.approx(4 / 6)
    assert auc_within_queries(scores, np.ones(5), queries) == 0.5


class Stopping:
    """Asks to stop, as Ctrl-C does, at a step."""

    def __init__(self, step):
        self.left = step

    def __call__(self, steps=1):
        self.left -= steps
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_it_goes_on_as_if_nothing_had_happened(encoder, tmp_path):
    whole = train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "whole")
    with pytest.raises(Interrupted):
        train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "cut", advance=Stopping(13))
    assert not (tmp_path / "cut").exists()
    with pytest.raises(ConfigError, match="the training began with alpha"):
        train(TRAINED, JUDGED, encoder, replace(SHORT, alpha=0.2), tmp_path / "cut")
    with pytest.raises(ConfigError, match="the training began with examples"):
        train(TRAINED[:-1], JUDGED, encoder, SHORT, tmp_path / "cut")
    again = train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "cut")
    assert same(tensors(whole.model), tensors(again.model))
    other = replace(SHORT, seed=1)
    assert not same(
        tensors(whole.model),
        tensors(train(TRAINED, JUDGED, encoder, other, tmp_path / "cut", restart=True).model),
    )


def test_examples_of_one_kind_are_refused(encoder, tmp_path):
    alike = [one for one in TRAINED if one.label]
    with pytest.raises(InputError, match="training examples: found 80 relevant of 80"):
        train(alike, JUDGED, encoder, SHORT, tmp_path / "model")
    with pytest.raises(InputError, match="validation examples: found 0 relevant of 0"):
        train(TRAINED, [], encoder, SHORT, tmp_path / "model")


class Asked:
    """A teacher that counts how often it is asked."""

    signature = "asked"

    def __init__(self):
        self.times = 0

    def score_pairs(self, examples, *, batch=32):
        self.times += 1
        return np.linspace(0, 1, len(examples))


def test_a_teacher_is_asked_once(tmp_path):
    asked = Asked()
    first = teacher_scores(asked, TRAINED, tmp_path)
    assert np.array_equal(teacher_scores(asked, TRAINED, tmp_path), first)
    relabelled = [replace(one, label=0.0, relevant_queries=()) for one in TRAINED]
    assert np.array_equal(teacher_scores(asked, relabelled, tmp_path), first)
    assert asked.times == 1
    teacher_scores(asked, TRAINED[:-1], tmp_path)
    other = Asked()
    other.signature = "another"
    teacher_scores(other, TRAINED, tmp_path)
    assert (asked.times, other.times) == (2, 1)
    assert len(list(tmp_path.iterdir())) == 3


def test_word_embeddings_are_the_teachers(encoder, teacher):
    taught, student = load_teacher(teacher), initial_model(encoder, QUICK)
    given = taught.encoder("pairs").get_input_embeddings().weight
    before = tensors(student)
    reuse_embeddings(student, taught)
    for name in ("queries", "documents"):
        assert torch.equal(student.encoder(name).get_input_embeddings().weight, given)
    changed = [
        name for name, tensor in tensors(student).items() if not torch.equal(tensor, before[name])
    ]
    assert all(name.endswith("word_embeddings.weight") for name in changed)
    assert len(changed) == 2


def test_both_parts_of_knowledge_transfer_can_be_used_alone(encoder, teacher, tmp_path):
    off = {"reuse_embeddings": False, "distillation": "off"}
    settings = {
        "neither": off,
        "initialised": {**off, "reuse_embeddings": True},
        "distilled": {**off, "distillation": "printed"},
        "symmetric": {**off, "distillation": "symmetric"},
        "both": {},
    }
    found = {"alone": train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "alone")}
    for name, changed in settings.items():
        config = replace(SHORT, **changed)
        found[name] = train(TRAINED, JUDGED, encoder, config, tmp_path / name, teacher=teacher)
    models = {name: tensors(one.model) for name, one in found.items()}
    assert same(models["alone"], models["neither"])
    names = ["alone", *list(settings)[1:]]
    assert not any(same(models[a], models[b]) for a in names for b in names if a < b)
    assert len(list((tmp_path / ".teacher-scores").iterdir())) == 1


def test_a_teacher_must_be_interactive_and_cut_texts_alike(encoder, teacher, tmp_path):
    train(TRAINED, JUDGED, encoder, replace(SHORT, epochs=1), tmp_path / "semi")
    with pytest.raises(ConfigError, match="a teacher must be interactive"):
        load_teacher(tmp_path / "semi")
    interactive = replace(SHORT, architecture="interactive")
    with pytest.raises(ConfigError, match="an interactive model has no teacher"):
        train(TRAINED, JUDGED, encoder, interactive, tmp_path / "m", teacher=teacher)
    other = save_encoder(tmp_path / "other", [*WORDS, "more"], layers=1)
    with pytest.raises(ConfigError, match="tokenizes texts differently from the student"):
        train(TRAINED, JUDGED, other, SHORT, tmp_path / "m", teacher=teacher)


def test_a_sentence_encoder_can_be_the_teacher(encoder, tmp_path):
    toy_encoder("en", {"sea": 0, "sun": 1}).save(tmp_path / "sentences")
    loaded = load_teacher(tmp_path / "sentences")
    assert isinstance(loaded, SentenceTeacher)
    pairs = [
        RelevanceExample(Query("q", "sea"), Document("d", text), (), 1.0) for text in ("sea", "sun")
    ]
    assert loaded.score_pairs(pairs) == pytest.approx([1, 0], abs=0.02)
    with pytest.raises(ConfigError, match="a sentence encoder has no word embeddings"):
        train(TRAINED, JUDGED, encoder, SHORT, tmp_path / "m", teacher=tmp_path / "sentences")
    config = replace(SHORT, reuse_embeddings=False)
    trained = train(
        TRAINED, JUDGED, encoder, config, tmp_path / "m", teacher=tmp_path / "sentences"
    )
    assert trained.model.facts["teacher"] == "sentences"
