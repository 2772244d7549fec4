"""The default encoder: the multilingual Universal Sentence Encoder v3 (Yang et al. 2020), int8.

A convolutional encoder of 512 dimensions, trained on question-answer, translation and inference
pairs in 16 languages; the ONNX graph contains its SentencePiece tokenizer.
"""

from collections.abc import Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import numpy as np
from onnxruntime import InferenceSession

from dragoman.encoders.models import UNIVERSAL
from dragoman.encoders.onnx_session import encode_each, open_session
from dragoman.encoders.sentence_encoder import SentenceEncoder, normalized
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray

_LOAD_LOCK = Lock()
LONGEST = 4096  # characters of one text, which bound time and memory of a run


def operators() -> str:
    """The library of ONNX operators that the tokenizer needs.

    Its path is found without importing the package, which takes seconds if torch is installed.
    """
    package = find_spec("onnxruntime_extensions")
    assert package is not None
    assert package.submodule_search_locations is not None
    folder = Path(package.submodule_search_locations[0])
    libraries = (path for path in folder.glob("_extensions_pydll*") if path.suffix != ".pyi")
    return str(next(libraries).resolve())


@cache
def _loaded(model: Path) -> InferenceSession:
    return open_session(model, operators())


def _session(model: Path) -> InferenceSession:
    """The session of the model, loaded once per process."""
    with _LOAD_LOCK:
        return _loaded(model)


class UniversalEncoder(SentenceEncoder):
    """The default encoder, from the user's cache."""

    def __init__(self) -> None:
        self.name, self.dimension = UNIVERSAL.name, UNIVERSAL.dimension
        self.languages = UNIVERSAL.languages
        self.space = f"use-multilingual-3:{UNIVERSAL.sha256[:12]}"
        self.signature = f"{self.space}|longest:{LONGEST}"
        self._model = UNIVERSAL.require()  # loaded with the first text

    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One row per text, truncated at 4,096 characters."""
        encode_text = partial(_vector, _session(self._model))
        return normalized(encode_each(encode_text, texts, self.dimension, LONGEST, advance))


def _vector(session: InferenceSession, text: str) -> FloatArray:
    inputs = {"inputs": np.array([text], dtype=object)}
    vector: FloatArray = session.run(["outputs"], inputs)[0][0]
    return vector
