"""What is learnt from bitext: terms, senses, synonyms; and that a training can be interrupted."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError, UnknownName
from dragoman.systems.searcher import pipeline
from dragoman.systems.searcher.config import (
    Pooling,
    SearcherConfig,
    SearcherModelConfig,
    TranslationConfig,
    searcher_config,
)
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.initialization import LENGTH, _word_vectors
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.objective import cross_entropy
from dragoman.systems.searcher.pretraining import initial_translation_model, pretrain
from dragoman.systems.searcher.training import average_precision, initial_model, train
from dragoman.text.formats.bitext import write_tsv
from dragoman.training.config import TrainConfig
from dragoman.training.trainer import Interrupted
from dragoman.types import SentencePair, Text
from searcher_examples import learnt, small_config, toy_data, toy_pairs

FIRST = TranslationConfig(train=TrainConfig(epochs=4, learning_rate=0.02), words=40, blocks=1)


def logit(model: SearcherModel, term: str, sentence: str) -> float:
    terms, unknown = model.terms.split(Text(term, "en"))
    assert not unknown
    assert len(terms) == 1
    words = sentence.split()
    vectors = model.term_vectors(terms)
    dots = vectors[:, :-1] @ model.positions([words]).T
    return float(pool_array(dots, np.array([0, len(words)]), model.config.pooling)[0, 0]
                 + vectors[0, -1])  # fmt: skip


@pytest.mark.parametrize("pooling", list(Pooling))
def test_a_model_learns_which_word_stands_for_which(pooling):
    trained = learnt(toy_pairs(), small_config(model=SearcherModelConfig(
        size=16, blocks=1, dropout=0.0, pooling=pooling)))  # fmt: skip
    values = trained.epochs[trained.best_epoch - 1].validation
    assert values["AP"] > 0.95
    assert trained.epochs[-1].loss < trained.epochs[0].loss / 2
    model = trained.model
    assert logit(model, "river", "maji mto") > 0 > logit(model, "river", "maji mvua")


def test_the_transformer_learns_too():
    config = small_config(
        model=SearcherModelConfig(size=16, blocks=1, encoder="transformer", dropout=0.0)
    )
    trained = learnt(toy_pairs(), config)
    assert trained.epochs[trained.best_epoch - 1].validation["AP"] > 0.9


def senses(count=240, seed=0):
    """Made sentences: *nyanya* is a grandmother among people and tomatoes in the kitchen."""
    rng = np.random.default_rng(seed)
    people = [("child", "mtoto"), ("home", "nyumbani"), ("story", "hadithi"), ("old", "mzee")]
    food = [("soup", "supu"), ("salt", "chumvi"), ("onion", "kitunguu"), ("market", "soko")]
    pairs = []
    for _ in range(count):
        sense, around = [("grandmother", people), ("tomatoes", food)][rng.integers(2)]
        chosen = [around[row] for row in rng.choice(4, 2, replace=False)]
        present = rng.random() < 0.6
        english = [word for word, _ in chosen] + [sense] * present
        swahili = [chosen[0][1], *(["nyanya"] * present), chosen[1][1]]
        pairs.append(SentencePair(" ".join(english), " ".join(swahili)))
    return pairs


def test_context_tells_the_senses_of_one_word_apart():
    contextual = learnt(senses(), small_config(train=TrainConfig(epochs=12, learning_rate=0.03)))
    model = contextual.model
    people, kitchen = "mtoto nyanya nyumbani", "supu nyanya kitunguu"
    assert logit(model, "grandmother", people) > 0 > logit(model, "grandmother", kitchen)
    assert logit(model, "tomatoes", kitchen) > 0 > logit(model, "tomatoes", people)
    # the position of the word itself has moved, not only its neighbours' words
    here, there = (model.positions([text.split()])[1] for text in (people, kitchen))
    assert np.linalg.norm(here - there) > 0.3 * np.linalg.norm(here)


def test_without_context_one_word_has_one_place():
    blind = learnt(
        senses(), small_config(model=SearcherModelConfig(size=16, blocks=0, dropout=0.0))
    )
    here, there = (
        blind.model.positions([text.split()])[1] for text in ("mtoto nyanya", "supu nyanya")
    )
    assert here.tolist() == there.tolist()


def test_synonyms_find_the_same_sentence():
    rng = np.random.default_rng(1)
    pairs = []
    for _ in range(240):
        word = ["car", "vehicle"][rng.integers(2)]
        other, its = [("road", "barabara"), ("man", "mtu"), ("bread", "mkate")][rng.integers(3)]
        has = rng.random() < 0.5
        pairs.append(SentencePair(f"{other} {word}" if has else f"{other} here",
                                  f"{its} gari" if has else f"{its} hapa"))  # fmt: skip
    model = learnt(pairs, small_config()).model
    for word in ("car", "vehicle"):
        assert logit(model, word, "mtu gari") > logit(model, word, "mtu hapa") + 2
    vectors = model.term_vectors([model.terms.split(Text(w, "en"))[0][0] for w in (
        "car", "vehicle", "bread")])[:, :-1]  # fmt: skip
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = units @ units.T
    assert near[0, 1] > near[0, 2]


def test_an_unseen_form_is_read_by_its_stem():
    pairs = [SentencePair(p.source.replace("river", "rivers"), p.target) for p in toy_pairs()]
    model = learnt(pairs, small_config()).model
    terms, _ = model.terms.split(Text("river", "en"))
    assert terms[0].by_stem
    assert logit(model, "river", "mto maji") > logit(model, "river", "moshi joto")


def test_an_unseen_word_of_a_document_is_read_by_its_letters():
    texts = [["nyumba"], ["nyumbani"], ["nyumbayo"], ["moto"]]
    with_letters = DocumentWords.learn(texts, frozenset({"sw"}), 100)
    without = DocumentWords.learn(texts, frozenset({"sw"}), 100, subwords=False)
    assert np.diff(with_letters.bags(["nyumbangu", "moto", "xyz"]).starts).tolist() == [12, 1, 0]
    assert np.diff(without.bags(["nyumbangu", "moto", "xyz"]).starts).tolist() == [0, 1, 0]


def test_pre_training_lowers_the_loss_and_its_encoder_is_transferred():
    config = small_config(pretrain=FIRST, train=TrainConfig(epochs=0))
    data = toy_data(toy_pairs(), config)
    found = pretrain(data, config)
    assert found.epochs[-1].loss < 0.8 * found.epochs[0].loss
    before = initial_model(data, config).sentences.state_dict()
    moved = [name for name, value in before.items() if not value.equal(found.encoder[name])]
    assert set(moved) == set(before)
    model = train(data, config, encoder=found.encoder).model
    for name, value in model.sentences.state_dict().items():
        assert value.equal(found.encoder[name])


def test_the_decoder_never_sees_the_word_that_it_has_to_say():
    config = small_config(pretrain=FIRST)
    model = initial_translation_model(toy_data(toy_pairs(60), config), config).eval()
    seen, starts = torch.randn(5, 16), np.array([0, 2, 5])
    words, said = torch.tensor([1, 4, 5, 1, 6]), np.array([0, 3, 5])
    changed = words.clone()
    changed[2] = 9
    one, other = (model.decoder(given, said, seen, starts) for given in (words, changed))
    assert torch.equal(one[:2], other[:2])
    assert not torch.allclose(one[2], other[2])
    assert torch.allclose(one[3:], other[3:], atol=1e-6)  # another sentence


def test_the_loss_by_hand():
    logits, labels = torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0, 0.0]])
    assert float(cross_entropy(logits, labels)) == pytest.approx(2 * np.log(2))


def test_average_precision_by_hand():
    scores, labels = np.array([[3.0, 2.0, 1.0]]), np.array([[0.0, 1.0, 1.0]])
    assert average_precision(scores, labels) == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.fixture
def bitext(tmp_path):
    write_tsv(tmp_path / "toy.tsv", toy_pairs(120))
    return tmp_path / "toy.tsv"


def quick(**changes: object) -> SearcherConfig:
    return small_config(train=TrainConfig(epochs=2, learning_rate=0.02), **changes)


def test_an_interrupted_training_goes_on_to_the_same_model(bitext, tmp_path, monkeypatch):
    config = quick(pretrain=replace(FIRST, train=TrainConfig(epochs=1)))
    languages = ("en", "sw")
    report = pipeline.run_pipeline([bitext], languages, config, tmp_path / "whole")

    def stage(name, total):
        done = []

        def advance(steps=1):
            done.append(steps)
            if name == "training" and len(done) == 9:
                raise KeyboardInterrupt

        return advance

    from dragoman.training import trainer

    monkeypatch.setattr(trainer, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        pipeline.run_pipeline([bitext], languages, config, tmp_path / "cut", stage=stage)
    assert (tmp_path / ".cut.training" / pipeline.ENCODER).is_file()
    again = pipeline.run_pipeline([bitext], languages, config, tmp_path / "cut")
    assert not (tmp_path / ".cut.training").exists()
    assert again["held_out"] == report["held_out"]
    one, other = (SearcherModel.load(tmp_path / name) for name in ("whole", "cut"))
    assert one.signature == other.signature
    assert (tmp_path / "cut" / "pretraining.jsonl").is_file()


def test_the_report_says_how_far_probabilities_can_be_believed(bitext, tmp_path):
    report = pipeline.run_pipeline([bitext], ("en", "sw"), quick(), tmp_path / "model")
    error = report["expected_calibration_error"]
    assert 0 <= error["after"] <= error["before"] + 0.01
    assert report["pairs"]["held out"] == 12
    assert SearcherModel.load(tmp_path / "model").facts["calibration"] == report["calibration"]


def test_settings_of_the_command():
    config = searcher_config(pooling="max", size=32, pretrain=True, pretrain_epochs=2, seed=3)
    assert (config.model.pooling, config.model.size) == (Pooling.MAXIMUM, 32)
    assert config.pretrain is not None
    assert (config.pretrain.train.epochs, config.pretrain.batch.seed) == (2, 3)
    assert (config.train.seed, config.batch.seed, config.pretrain.train.seed) == (3, 3, 3)
    assert searcher_config().pretrain is None
    assert searcher_config(paper=True) == SearcherConfig.paper()
    assert searcher_config(paper=True, blocks=3).model.blocks == 3
    assert [str(searcher_config(pretrain=one).first) for one in (False, True)] == [
        "aligned",
        "drawn",
    ]
    with pytest.raises(ConfigError, match="expected 'drawn'"):
        searcher_config(pretrain=True, first="aligned")
    with pytest.raises(UnknownName, match="Unknown first vectors 'random'"):
        searcher_config(first="random")
    assert issubclass(Interrupted, KeyboardInterrupt)


def test_a_training_begins_with_the_vectors_of_aligned_words():
    config = small_config(train=TrainConfig(epochs=0), first="aligned")
    data = toy_data(toy_pairs(), config)
    model = initial_model(data, config)
    for word, other, wrong in (("river", "mto", "mkate"), ("bread", "mkate", "mto")):
        terms, _ = model.terms.split(Text(word, "en"))
        vector = model.term_vectors(terms)[0, :-1]
        near, far = (model.words.bags([one]) for one in (other, wrong))
        rows = [model.sentences.table.sums(bag, np.arange(1)).detach()[0] for bag in (near, far)]
        assert vector @ rows[0].numpy() > vector @ rows[1].numpy() + 2
    drawn = initial_model(data, replace(config, first="drawn"))
    assert data.initial is not None
    assert drawn.queries.weight.shape == model.queries.weight.shape


def test_words_keep_their_vectors_when_these_are_shared_with_n_grams():
    texts = [["nyumba"], ["nyumbani"], ["nyumbayo"], ["moto"]]
    words = [text[0] for text in texts]
    found = DocumentWords.learn(texts, frozenset({"sw"}), 100)
    matrix = np.eye(4, dtype=np.float32)
    table = _word_vectors(WordVectors("sw", tuple(words), matrix), words, found, 6)
    bags = found.bags([*words, "nyumbangu"])
    rows = [bags.weights[a:b] @ table[bags.words[a:b]] for a, b in pairwise(bags.starts.tolist())]
    expected = np.pad(LENGTH * matrix, ((0, 0), (0, 2)))
    assert np.array(rows[:4]) == pytest.approx(expected, abs=1e-5)
    assert rows[4][:3].min() > 0.2  # a form without a vector has some of its relatives'
    assert rows[4][3] == pytest.approx(0, abs=1e-6)
