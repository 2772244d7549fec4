import json

import numpy as np
import pytest

from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.errors import InputError

onnx = pytest.importorskip("onnx", reason="makes the small model")
tokenizers = pytest.importorskip("tokenizers", reason="reads tokenizer.json")

UNKNOWN = "[UNK]"
WORDS = {UNKNOWN: 0, "water": 1, "wasser": 2, "fire": 3}
TABLE = np.array([[0, 0, 1], [2, 0, 0], [2, 1, 0], [0, 3, 0]], dtype=np.float32)


@pytest.fixture
def folder(tmp_path):
    """A model that looks up one vector per token."""
    helper, numbers = onnx.helper, onnx.numpy_helper
    ids = helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [None, None])
    mask = helper.make_tensor_value_info("attention_mask", onnx.TensorProto.INT64, [None, None])
    out = helper.make_tensor_value_info(
        "last_hidden_state", onnx.TensorProto.FLOAT, [None, None, 3]
    )
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph(
        [node], "lookup", [ids, mask], [out], [numbers.from_array(TABLE, "table")]
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), tmp_path / "model.onnx")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(WORDS, unk_token=UNKNOWN))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "encoder.json").write_text(json.dumps({"languages": ["en", "deu"]}))
    return tmp_path


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def test_tokens_are_averaged_and_brought_to_length_one(folder):
    encoder = load_encoder(folder)
    assert encoder.dimension == 3
    assert encoder.languages == {"en", "de"}
    # (2, 0, 0) and (0, 3, 0) average to (1, 1.5, 0)
    expected = np.array([1, 1.5, 0]) / np.linalg.norm([1, 1.5, 0])
    assert encoder.encode(["Water fire"])[0] == pytest.approx(expected)


def test_the_first_token_is_taken_where_the_model_says_so(folder):
    write(folder, "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    assert load_encoder(folder).encode(["water fire"])[0] == pytest.approx([1, 0, 0])


def test_the_models_own_limit_of_tokens_holds(folder):
    write(folder, "sentence_bert_config.json", {"max_seq_length": 1})
    assert load_encoder(folder).encode(["water fire"])[0] == pytest.approx([1, 0, 0])


def test_a_vector_does_not_depend_on_its_neighbours(folder):
    encoder = load_encoder(folder)
    texts = ["water", "fire fire water wasser", "", "wasser fire"]
    alone = np.vstack([encoder.encode([text]) for text in texts])
    assert np.array_equal(encoder.encode(texts), alone)
    assert np.array_equal(encoder.encode(texts[::-1]), alone[::-1])


def test_the_signature_changes_with_the_model(folder):
    before = load_encoder(folder).signature
    model = onnx.load(folder / "model.onnx")
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(TABLE * 2, "table"))
    onnx.save(model, folder / "model.onnx")
    assert load_encoder(folder).signature != before


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "a layer 'Dense'"),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "mean or first-token"),
    ],
)
def test_a_model_that_would_be_read_wrongly_is_refused(folder, name, content, said):
    write(folder, name, content)
    with pytest.raises(InputError, match=said):
        load_encoder(folder)


def test_a_missing_tokenizer_is_said(folder):
    (folder / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"no tokenizer.json"):
        load_encoder(folder)
