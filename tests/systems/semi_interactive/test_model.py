"""Scores against transformers' own states, whatever the batch; saved, loaded, refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError, InputError, UnknownName
from dragoman.settings import parse_settings
from dragoman.systems.semi_interactive.config import (
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.model import load_model
from dragoman.systems.semi_interactive.training import initial_model
from dragoman.types import Document, Query, Text
from toy_relevance import WORDS, save_encoder, toy_examples

EXAMPLES = toy_examples(12, seed=3)
QUICK = SemiInteractiveConfig(max_length=32, layers=2)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("encoder"), WORDS, layers=3)


def model_of(encoder, architecture, **changed):
    config = replace(QUICK, architecture=architecture, **changed)
    return initial_model(encoder, config).eval()


@pytest.fixture(params=list(RelevanceArchitecture))
def model(request, encoder):
    return model_of(encoder, request.param)


def mean_state(model, name, text, segments=()):
    """What transformers makes of a text in which special tokens are written out."""
    tokenizer = model.input_builder.tokenizer
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")["input_ids"]
    kinds = torch.tensor([[*segments, *[0] * (ids.shape[1] - len(segments))]])
    with torch.no_grad():
        states = model.encoder(name)(input_ids=ids, token_type_ids=kinds).last_hidden_state
    return states[0].mean(dim=0).double().numpy()


def cosine(left, right):
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


def test_an_interactive_score_is_the_sigmoid_of_the_mean_state(encoder):
    model = model_of(encoder, "interactive")
    for one, score in zip(EXAMPLES, model.score_pairs(EXAMPLES), strict=True):
        text = f"[CLS] {one.query.text} [SEP] {one.document.text} [SEP]"
        mean = mean_state(model, "pairs", text, [0] * 4 + [1] * 4)
        weight, bias = (p.detach().double().numpy() for p in model.head.parameters())
        assert score == pytest.approx(1 / (1 + np.exp(-(mean @ weight[0] + bias[0]))), abs=2e-6)


def test_a_non_interactive_score_is_the_cosine_of_two_encoders(encoder):
    model = model_of(encoder, "non-interactive")
    with torch.no_grad():  # so that the two differ
        model.encoder("queries").get_input_embeddings().weight.mul_(1.5)
    for one, score in zip(EXAMPLES, model.score_pairs(EXAMPLES), strict=True):
        left = mean_state(model, "queries", f"[CLS] {one.query.text} [SEP]")
        right = mean_state(model, "documents", f"[CLS] {one.document.text} [SEP]")
        assert score == pytest.approx(cosine(left, right), abs=2e-6)


def test_a_semi_interactive_document_is_read_with_its_relevant_queries(encoder):
    model = model_of(encoder, "semi-interactive")
    beside = (Query("a", "chose1", "fr"), Query("b", "noise2 thing3", "de"))
    one = replace(EXAMPLES[0], relevant_queries=beside)
    left = mean_state(model, "queries", f"[CLS] {one.query.text} [SEP]")
    text = f"[CLS] {one.document.text} [SEP] chose1 [SEP] noise2 thing3 [SEP]"
    right = mean_state(model, "documents", text, [0] * 5 + [1] * 5)
    assert model.score_pairs([one])[0] == pytest.approx(cosine(left, right), abs=2e-6)


def test_only_the_semi_interactive_model_looks_at_relevant_queries(model):
    bare = [replace(one, relevant_queries=()) for one in EXAMPLES]
    same = np.array_equal(model.score_pairs(bare), model.score_pairs(EXAMPLES))
    assert same == (model.config.architecture is not RelevanceArchitecture.SEMI_INTERACTIVE)


def test_no_more_relevant_queries_are_read_than_the_model_takes(encoder):
    model = model_of(encoder, "semi-interactive", relevant_queries=1)
    more = [
        replace(one, relevant_queries=(*one.relevant_queries, Query("x", "noise1")))
        for one in EXAMPLES
    ]
    assert np.array_equal(model.score_pairs(more), model.score_pairs(EXAMPLES))


def test_scores_do_not_depend_on_the_batch(model):
    alone = [model.score_pairs([one])[0] for one in EXAMPLES]
    for batch in (1, 5, 64):
        assert model.score_pairs(EXAMPLES, batch=batch) == pytest.approx(alone, abs=2e-6)
    assert model.score_pairs([]).shape == (0,)


def test_vectors_have_length_one_and_their_products_are_the_scores(encoder):
    model = model_of(encoder, "semi-interactive")
    queries = model.encode_queries([one.query for one in EXAMPLES])
    beside = [one.relevant_queries for one in EXAMPLES]
    documents = model.encode_documents([one.document for one in EXAMPLES], beside)
    assert np.linalg.norm(queries, axis=1) == pytest.approx(1)
    products = (queries * documents).sum(axis=1)
    assert products == pytest.approx(model.score_pairs(EXAMPLES), abs=2e-6)
    longer = model.encode_queries([EXAMPLES[0].query], unit=False)[0]
    assert longer / np.linalg.norm(longer) == pytest.approx(queries[0], abs=1e-6)


def test_a_text_without_a_letter_is_the_zero_vector(model):
    assert not model.encode_queries([Query("q", "?!"), Text("")]).any()
    assert not model.encode_documents([Document("d", "...")]).any()
    titled = model.encode_documents([Document("d", "...")], [[Query("r", "chose1")]])
    assert titled.any() == (model.config.architecture is RelevanceArchitecture.SEMI_INTERACTIVE)


def test_layers_and_dropout_are_those_of_the_settings(encoder):
    model = model_of(encoder, "non-interactive", layers=1, dropout=0.3)
    assert model.encoder("queries").config.num_hidden_layers == 1
    assert model.encoder("queries") is not model.encoder("documents")
    dropped = {m.p for m in model.modules() if isinstance(m, torch.nn.Dropout)}
    assert dropped == {0.3}
    assert model_of(encoder, "interactive", layers=9).encoder("pairs").config.num_hidden_layers == 3


def test_encoders_can_be_shared(encoder, tmp_path):
    model = model_of(encoder, "semi-interactive", shared=True)
    assert model.encoder("queries") is model.encoder("documents")
    model.save(tmp_path / "model")
    assert np.array_equal(
        load_model(tmp_path / "model").score_pairs(EXAMPLES), model.score_pairs(EXAMPLES)
    )


def test_saved_and_loaded_it_scores_alike(model, tmp_path):
    model.facts["collection"] = "toy"
    model.save(tmp_path / "model")
    again = load_model(tmp_path / "model")
    assert again.signature == model.signature
    assert again.config == model.config
    assert again.facts == {"collection": "toy"}
    assert np.array_equal(again.score_pairs(EXAMPLES), model.score_pairs(EXAMPLES))


def test_a_changed_model_is_refused(model, tmp_path):
    model.save(tmp_path / "model")
    facts = tmp_path / "model" / "model.json"
    written = json.loads(facts.read_text())
    facts.write_text(json.dumps({**written, "signature": "interactive|000000000000"}))
    with pytest.raises(
        InputError, match=r"found a model whose signature is .* here; expected interactive\|0000"
    ):
        load_model(tmp_path / "model")
    facts.write_text(json.dumps({**written, "version": 99}))
    with pytest.raises(InputError, match="version 99"):
        load_model(tmp_path / "model")


def test_no_file_of_a_model_is_a_pickle(model, tmp_path):
    model.save(tmp_path / "model")
    endings = {path.suffix for path in (tmp_path / "model").rglob("*") if path.is_file()}
    assert endings <= {".json", ".safetensors", ".txt", ".jinja"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alpha": 1.5}, "alpha must be from 0 to 1"),
        ({"layers": 0}, "layers must be 1 or more"),
        ({"max_length": 8}, "max_length must be 32 or more"),
        ({"dropout": 1.0}, "dropout must be from 0 to below 1"),
        ({"relevant_queries": 20}, "20 relevant queries need 63 tokens"),
        ({"warm_up": -1}, "warm_up must be 0 or more"),
        ({"batch": 0}, "size, bucket and together of batches must be 1 or more"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        replace(QUICK, **wrong)


def test_names_that_nobody_knows_are_refused():
    with pytest.raises(UnknownName, match="Did you mean 'semi-interactive'"):
        replace(QUICK, architecture="semi_interactive")
    with pytest.raises(UnknownName, match="Unknown distillation 'half'"):
        replace(QUICK, distillation="half")
    with pytest.raises(UnknownName, match="Unknown setting 'depth'"):
        parse_settings(SemiInteractiveConfig, {"depth": 3})


def test_an_encoder_too_short_for_the_relevant_queries_is_refused(tmp_path):
    short = save_encoder(tmp_path / "short", WORDS, longest=10)
    with pytest.raises(ConfigError, match="3 relevant queries need 12 tokens"):
        initial_model(short, QUICK)


@pytest.mark.parametrize("kind", ["xlm-roberta", "distilbert"])
def test_other_encoders_than_bert_serve_too(tmp_path, kind):
    folder = save_encoder(tmp_path / "encoder", WORDS, kind=kind)
    model = model_of(folder, "semi-interactive")
    long = " ".join(["cosa1"] * 60)
    examples = [*EXAMPLES, replace(EXAMPLES[0], document=Document("d", long))]
    alone = [model.score_pairs([one])[0] for one in examples]
    assert model.score_pairs(examples) == pytest.approx(alone, abs=2e-6)
    model.save(tmp_path / "model")
    assert np.array_equal(
        load_model(tmp_path / "model").score_pairs(examples), model.score_pairs(examples)
    )
