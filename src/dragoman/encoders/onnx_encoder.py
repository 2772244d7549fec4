"""A sentence-transformers model exported to ONNX, from a local folder.

    FOLDER/model.onnx or FOLDER/onnx/model.onnx    token ids -> token vectors or a sentence vector
    FOLDER/tokenizer.json                          the tokenizer, as the export writes it
    FOLDER/1_Pooling/config.json                   mean or first-token pooling (mean where missing)
    FOLDER/sentence_bert_config.json               max_seq_length (512 where missing)
    FOLDER/encoder.json                            ours, optional: {"languages": ["en", "de"]}

Only the ONNX graph is executed; no code and no pickle of the folder is loaded.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from dragoman.encoders.onnx_session import encode_each, open_session
from dragoman.encoders.sentence_encoder import SentenceEncoder, normalized
from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.storage.digests import file_sha256
from dragoman.text.languages import canonical
from dragoman.types import FloatArray

LONGEST = 100_000  # characters that are tokenized, before the model's limit of tokens
SUPPORTED_LAYERS = ("Transformer", "Pooling", "Normalize")


class OnnxEncoder(SentenceEncoder):
    """The encoder in a folder; its vectors are comparable with its own only."""

    def __init__(self, folder: Path) -> None:
        _check_layers(folder)
        model = _model(folder)
        self.name = folder.name
        self.languages = frozenset(canonical(code) for code in _languages(folder))
        self._pooling = _pooling(folder)
        self._tokenizer = _tokenizer(folder)
        self._session = open_session(model)
        self._inputs = [each.name for each in self._session.get_inputs()]
        self._output = _output(model, [each.name for each in self._session.get_outputs()])
        self.space = self.signature = f"{self.name}:{_digest(model, folder / 'tokenizer.json')}"
        self.dimension = len(self._encode_text("dimension"))

    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One row per text, truncated at the model's limit of tokens."""
        return normalized(encode_each(self._encode_text, texts, self.dimension, LONGEST, advance))

    def _encode_text(self, text: str) -> FloatArray:
        encoding = self._tokenizer.encode(text)
        columns = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        inputs = {name: np.array([columns[name]], dtype=np.int64) for name in self._inputs}
        output: FloatArray = self._session.run([self._output], inputs)[0][0]
        if output.ndim == 1:
            return output
        vector: FloatArray = output[0] if self._pooling == "cls" else output.mean(axis=0)
        return vector


def _model(folder: Path) -> Path:
    for path in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if path.is_file():
            return path
    raise InputError(folder, None, found="no model.onnx", expected="model.onnx or onnx/model.onnx")


def _tokenizer(folder: Path) -> Tokenizer:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InputError(folder, None, found="no tokenizer.json", expected="the export's tokenizer")
    tokenizer = Tokenizer.from_file(str(path))
    limit = _read(folder / "sentence_bert_config.json").get("max_seq_length") or 512
    tokenizer.enable_truncation(int(limit))
    tokenizer.no_padding()
    return tokenizer


def _pooling(folder: Path) -> str:
    config = _read(folder / "1_Pooling" / "config.json")
    chosen = [key for key, on in config.items() if key.startswith("pooling_mode_") and on is True]
    names = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    if len(chosen) > 1 or any(key not in names for key in chosen):
        raise InputError(
            folder / "1_Pooling",
            None,
            found=", ".join(chosen),
            expected="mean or first-token pooling",
        )
    return names[chosen[0]] if chosen else "mean"


def _output(model: Path, names: Sequence[str]) -> str:
    for wanted in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
        if wanted in names:
            return wanted
    if len(names) == 1:
        return names[0]
    raise InputError(model, None, found=f"the outputs {', '.join(names)}", expected="one output")


def _check_layers(folder: Path) -> None:
    """Raise ``InputError`` for a layer outside the ONNX graph: the vectors would be wrong."""
    path = folder / "modules.json"
    if not path.is_file():
        return
    for module in json.loads(path.read_text(encoding="utf-8")):
        kind = str(module["type"]).rpartition(".")[2]
        if kind not in SUPPORTED_LAYERS:
            raise InputError(
                path,
                None,
                found=f"a layer {kind!r}",
                expected=f"only {', '.join(SUPPORTED_LAYERS)}",
            )


def _languages(folder: Path) -> Sequence[str]:
    languages: Sequence[str] = _read(folder / "encoder.json").get("languages", ())
    return languages


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        settings: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path, None, found=f"broken JSON ({error})", expected="JSON") from error
    return settings


def _digest(*paths: Path) -> str:
    digests = b"".join(bytes.fromhex(file_sha256(path)) for path in paths)
    return sha256(digests).hexdigest()[:12]
