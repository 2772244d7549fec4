"""A sentence-transformers model exported to ONNX, from a local folder.

    FOLDER/model.onnx or FOLDER/onnx/model.onnx    token ids -> token vectors or a sentence vector
    FOLDER/tokenizer.json                          the tokenizer, as the export writes it
    FOLDER/1_Pooling/config.json                   mean or first-token pooling (mean where missing)
    FOLDER/sentence_bert_config.json               max_seq_length (512 where missing)
    FOLDER/encoder.json                            ours, optional: {"languages": ["en", "de"]}

Nothing in the folder is run but the ONNX graph; no code and no pickle of it is loaded.
"""

import json
from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from dragoman.encoders.onnx_session import encode_each, open_session
from dragoman.encoders.sentence_encoder import SentenceEncoder, normalized
from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.text.languages import canonical
from dragoman.types import FloatArray

LONGEST = 100_000  # characters that are tokenized at all; the model's own limit comes after
SERVED = ("Transformer", "Pooling", "Normalize")


class OnnxEncoder(SentenceEncoder):
    """The encoder in a folder; its vectors are compared with its own only."""

    def __init__(self, folder: Path) -> None:
        _refuse_modules(folder)
        model = _model(folder)
        self.name = folder.name
        self.languages = frozenset(canonical(code) for code in _languages(folder))
        self._pooling = _pooling(folder)
        self._tokenizer = _tokenizer(folder)
        self._session = open_session(model)
        self._inputs = [each.name for each in self._session.get_inputs()]
        self._output = _output(model, [each.name for each in self._session.get_outputs()])
        self.space = self.signature = f"{self.name}:{_digest(model, folder / 'tokenizer.json')}"
        self.dimension = len(self._one("dimension"))

    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One row per text; what the model's own limit of tokens leaves out is left out."""
        return normalized(encode_each(self._one, texts, self.dimension, LONGEST, advance))

    def _one(self, text: str) -> FloatArray:
        encoding = self._tokenizer.encode(text)
        columns = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        fed = {name: np.array([columns[name]], dtype=np.int64) for name in self._inputs}
        found: FloatArray = self._session.run([self._output], fed)[0][0]
        if found.ndim == 1:
            return found
        vector: FloatArray = found[0] if self._pooling == "cls" else found.mean(axis=0)
        return vector


def _model(folder: Path) -> Path:
    for place in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if place.is_file():
            return place
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


def _refuse_modules(folder: Path) -> None:
    """A model with a layer that the graph does not hold would give other vectors than it should."""
    path = folder / "modules.json"
    if not path.is_file():
        return
    for module in json.loads(path.read_text(encoding="utf-8")):
        kind = str(module["type"]).rpartition(".")[2]
        if kind not in SERVED:
            raise InputError(
                path, None, found=f"a layer {kind!r}", expected=f"only {', '.join(SERVED)}"
            )


def _languages(folder: Path) -> Sequence[str]:
    found: Sequence[str] = _read(folder / "encoder.json").get("languages", ())
    return found


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path, None, found=f"broken JSON ({error})", expected="JSON") from error
    return found


def _digest(*paths: Path) -> str:
    whole = sha256()
    for path in paths:
        with path.open("rb") as stream:
            whole.update(file_digest(stream, "sha256").digest())
    return whole.hexdigest()[:12]
