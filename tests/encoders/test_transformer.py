"""Encoder directories: what is loaded, what is refused, and what the message says."""

import json

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    PreTrainedTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaModel,
)

from dragoman.encoders.transformer import load_transformer, mean_states
from dragoman.errors import ConfigError, DragomanError, InputError

SPECIAL = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "water", "clean", "wasser"]


def write_tokenizer(folder):
    inner = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, model_max_length=40, **SPECIAL)
    tokenizer.save_pretrained(folder)


def bert_config(**changed):
    sizes = {"vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 3}
    rest = {"num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 64}
    return BertConfig(**{**sizes, **rest, **changed})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A masked-language model as one is saved: with a head, without a pooler."""
    made = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    BertForMaskedLM(bert_config()).save_pretrained(made)
    write_tokenizer(made)
    return made


def copied(folder, target):
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())


def states(model, *numbers):
    with torch.no_grad():
        return model(torch.tensor([numbers])).last_hidden_state


def test_the_states_are_those_of_transformers_own_loading(folder):
    ours = load_transformer(folder)
    theirs = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    assert torch.equal(states(ours.model, 2, 5, 3), states(theirs, 2, 5, 3))
    assert (ours.layers, ours.dimension, ours.longest) == (3, 16, 40)


def test_the_names_of_parameters_in_the_first_berts_are_known(folder, tmp_path):
    """Multilingual BERT's file still has gamma and beta, and places as a parameter."""
    copied(folder, tmp_path)
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("Norm.bias", "Norm.beta"): one
        for name, one in load_file(folder / "model.safetensors").items()
    }
    assert "bert.embeddings.LayerNorm.gamma" in renamed
    renamed["bert.embeddings.position_ids"] = torch.arange(64)[None]
    save_file(renamed, tmp_path / "model.safetensors", metadata={"format": "pt"})
    old, new = load_transformer(tmp_path), load_transformer(folder)
    assert torch.equal(states(old.model, 2, 5, 3), states(new.model, 2, 5, 3))


def test_the_first_layers_are_kept(folder):
    whole = load_transformer(folder)
    with torch.no_grad():
        every = whole.model(torch.tensor([[2, 5, 7, 3]]), output_hidden_states=True).hidden_states
    for layers in (1, 2, 3):
        kept = load_transformer(folder, layers=layers)
        assert kept.layers == layers
        assert torch.equal(states(kept.model, 2, 5, 7, 3), every[layers])


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        (DistilBertModel, DistilBertConfig(vocab_size=8, dim=16, n_layers=2, n_heads=2)),
        (
            XLMRobertaModel,
            XLMRobertaConfig(
                vocab_size=8,
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                max_position_embeddings=34,
                pad_token_id=1,
            ),
        ),
    ],
)
def test_other_encoders_load_and_read_as_much_as_they_say(kind, config, tmp_path):
    kind(config).save_pretrained(tmp_path)
    write_tokenizer(tmp_path)
    loaded = load_transformer(str(tmp_path), layers=1)
    assert loaded.layers == 1
    most = states(loaded.model, *[5] * loaded.longest)
    assert most.shape == (1, loaded.longest, 16)


def test_loading_moves_no_random_number_and_says_nothing(folder, capfd):
    before = torch.random.get_rng_state()
    load_transformer(folder, layers=1)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert capfd.readouterr() == ("", "")


def test_texts_are_framed_by_the_tokenizer(folder):
    assert load_transformer(folder).tokenizer("clean water")["input_ids"] == [2, 6, 5, 3]


@pytest.mark.parametrize("layers", [0, 4])
def test_layers_that_are_not_there_are_refused(folder, layers):
    with pytest.raises(
        ConfigError, match=f"has 3 layers; layers must be from 1 to that, got {layers}"
    ):
        load_transformer(folder, layers=layers)


def test_a_missing_folder_says_what_belongs_into_it(tmp_path):
    with pytest.raises(InputError, match=r"no such folder; expected a folder with config\.json"):
        load_transformer(tmp_path / "nowhere")


def test_a_file_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(InputError, match=r"a file; expected a folder with config\.json"):
        load_transformer(tmp_path / "notes.txt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"a file; expected a folder with config\.json"):
        load_transformer("notes.txt")


def test_without_the_hub_the_message_says_where_files_go(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(DragomanError, match=r"is no folder, .*put its config\.json, model\.saf.*"):
        load_transformer("somebody/an-encoder-that-nobody-has")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(folder, tmp_path, name):
    for path in folder.iterdir():
        if path.name != name:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match=f"found no {name}; expected config.json"):
        load_transformer(tmp_path)


def test_a_pickle_is_not_read(folder, tmp_path):
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"cos\nsystem\n")
    with pytest.raises(InputError, match=r"pytorch_model\.bin is a pickle"):
        load_transformer(tmp_path)


def test_parameters_of_another_shape_are_refused(folder, tmp_path):
    copied(folder, tmp_path)
    bert_config(hidden_size=32).save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"no parameters that fit config\.json"):
        load_transformer(tmp_path)


def test_parameters_that_are_missing_are_not_drawn_by_chance(folder, tmp_path):
    copied(folder, tmp_path)
    bert_config(num_hidden_layers=4).save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"no parameters 'encoder\.layer\.3.*\(16 are missing\)"):
        load_transformer(tmp_path)


def test_a_broken_file_of_parameters_is_refused(folder, tmp_path):
    copied(folder, tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"no parameters that fit config\.json"):
        load_transformer(tmp_path)


def test_a_broken_tokenizer_is_refused(folder, tmp_path):
    copied(folder, tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="no tokenizer"):
        load_transformer(tmp_path)


def test_a_decoder_is_refused(folder, tmp_path):
    copied(folder, tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    with pytest.raises(InputError, match="a model of the kind 't5'; expected an encoder"):
        load_transformer(tmp_path)


def test_an_unknown_kind_is_refused(folder, tmp_path):
    copied(folder, tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no-such-kind"}))
    with pytest.raises(InputError, match="no settings that transformers supports"):
        load_transformer(tmp_path)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 100))
def test_means_are_those_of_the_states_that_count(lengths, seed):
    vectors = np.random.default_rng(seed).normal(size=(len(lengths), 6, 3))
    mask = torch.tensor([[int(place < length) for place in range(6)] for length in lengths])
    found = mean_states(torch.from_numpy(vectors), mask).numpy()
    for row, length in enumerate(lengths):
        expected = vectors[row, :length].mean(axis=0) if length else np.zeros(3)
        assert found[row] == pytest.approx(expected)
