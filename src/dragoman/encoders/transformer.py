"""A Hugging Face folder, or a name on the hub -> a transformer encoder and its tokenizer.

    FOLDER/config.json                 the architecture: BERT, XLM-R, DistilBERT and the like
    FOLDER/model.safetensors           its parameters; or model.safetensors.index.json and the parts
    FOLDER/tokenizer.json              its tokenizer
    FOLDER/tokenizer_config.json       the names of the special tokens, if there are any

``dragoman train encoder`` writes such a folder, and models on the hub have its form. No code and no
pickle of it is loaded.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HFValidationError
from safetensors import SafetensorError
from torch import Tensor
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as their_logging

from dragoman.errors import ConfigError, DragomanError, InputError

CONFIG, TOKENIZER, TOKENIZER_CONFIG = "config.json", "tokenizer.json", "tokenizer_config.json"
MODEL, MODEL_INDEX = "model.safetensors", "model.safetensors.index.json"
WANTED = (CONFIG, MODEL, MODEL_INDEX, "model-*.safetensors", TOKENIZER, TOKENIZER_CONFIG)
NEEDED = f"{CONFIG}, {MODEL} and {TOKENIZER} (and {TOKENIZER_CONFIG} where there is one)"
# architectures whose positions begin after the padding token's id
POSITIONS_AFTER_PADDING = {"camembert", "roberta", "xlm-roberta", "xlm-roberta-xl"}
POOLER = "pooler."  # a layer over the first hidden state, which is not used here


@dataclass(frozen=True, slots=True)
class Transformer:
    """A token encoder and its tokenizer."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    @property
    def layers(self) -> int:
        """The number of layers."""
        return int(self.model.config.num_hidden_layers)

    @property
    def dimension(self) -> int:
        """The dimension of a hidden state."""
        return int(self.model.config.hidden_size)

    @property
    def longest(self) -> int:
        """The largest number of input tokens, special ones included."""
        config = self.model.config
        positions = int(config.max_position_embeddings)
        if config.model_type in POSITIONS_AFTER_PADDING:
            positions -= int(config.pad_token_id) + 1
        return min(positions, int(self.tokenizer.model_max_length))


def load_transformer(name_or_path: str | Path, *, layers: int | None = None) -> Transformer:
    """The encoder in a folder, or the one of that name on the hub, and its tokenizer.

    With ``layers`` only that many are loaded, from the first. The model is in evaluation mode.
    """
    folder = _folder(name_or_path)
    _require_files(folder)
    config = _config(folder, layers)
    return Transformer(_model(folder, config), _tokenizer(folder))


def mean_states(states: Tensor, mask: Tensor) -> Tensor:
    """(n, d): the mean of the hidden states (n, t, d) where ``mask`` (n, t) is 1; 0 without any."""
    weights = mask.to(states.dtype)[:, :, None]
    return (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def _folder(name_or_path: str | Path) -> Path:
    """The folder of the files, downloaded if a name on the hub is given."""
    folder = Path(name_or_path).expanduser()
    if folder.is_dir():
        return folder
    name = str(name_or_path)
    is_path = isinstance(name_or_path, Path) or name.startswith((".", "/", "~"))
    if is_path or name.count("/") > 1 or folder.exists():
        found = "a file" if folder.exists() else "no such folder"
        raise InputError(
            folder, None, found=found, expected=f"a folder with {NEEDED}", advice=_MAKE
        )
    try:
        return Path(snapshot_download(name, allow_patterns=list(WANTED)))
    except (OSError, HFValidationError) as error:
        reason = str(error).partition("\n")[0]
        raise DragomanError(
            f"The encoder {name!r} is no folder, and the hub did not provide it ({reason})."
            f" Without the hub, put its {NEEDED} into a folder and name that folder. {_MAKE}"
        ) from error


_MAKE = "Or make an encoder from bitext: dragoman train encoder BITEXT... -o FOLDER"


def _require_files(folder: Path) -> None:
    missing = [name for name in (CONFIG, TOKENIZER) if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in (MODEL, MODEL_INDEX)):
        missing.append(MODEL)
    if not missing:
        return
    advice = ""
    if MODEL in missing and (folder / "pytorch_model.bin").is_file():
        advice = (
            "pytorch_model.bin is a pickle, which could execute any code, and is not read; save the"
            " model again with transformers: model.save_pretrained(FOLDER)."
        )
    raise InputError(
        folder, None, found=f"no {' and no '.join(missing)}", expected=NEEDED, advice=advice
    )


def _config(folder: Path, layers: int | None) -> PreTrainedConfig:
    try:
        config: PreTrainedConfig = AutoConfig.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        raise InputError(
            folder / CONFIG,
            None,
            found=f"no settings that transformers supports ({_first_line(error)})",
            expected="those of a BERT, XLM-R, DistilBERT or another encoder",
        ) from error
    available = getattr(config, "num_hidden_layers", None)
    if config.is_encoder_decoder or getattr(config, "is_decoder", False) or available is None:
        raise InputError(
            folder / CONFIG,
            None,
            found=f"a model of the kind {config.model_type!r}",
            expected="an encoder with a stack of layers, such as BERT or XLM-R",
        )
    if layers is not None:
        if not 1 <= layers <= available:
            raise ConfigError(
                f"{folder} has {available} layers; layers must be from 1 to that, got {layers}"
            )
        config.num_hidden_layers = layers
    return config


def _model(folder: Path, config: PreTrainedConfig) -> PreTrainedModel:
    # parameters that a file lacks are initialised at random before they are refused or removed
    with torch.random.fork_rng(devices=[]), _quiet():
        try:
            model, info = AutoModel.from_pretrained(
                folder,
                config=config,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                output_loading_info=True,
                dtype=torch.float32,
            )
        except (OSError, RuntimeError, SafetensorError) as error:
            raise InputError(
                folder / MODEL,
                None,
                found=f"no parameters that fit {CONFIG} ({_first_line(error)})",
                expected="the whole file that belongs to it",
            ) from error
    missing = sorted(key for key in info["missing_keys"] if not key.startswith(POOLER))
    if missing:
        raise InputError(
            folder / MODEL,
            None,
            found=f"no parameters {missing[0]!r} ({len(missing)} are missing)",
            expected=f"all parameters of {type(model).__name__}",
        )
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    encoder: PreTrainedModel = model.eval()
    return encoder


def _tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # errors of the Rust library share no other base
        raise InputError(
            folder / TOKENIZER,
            None,
            found=f"no tokenizer ({_first_line(error)})",
            expected="a file of the library tokenizers",
        ) from error
    for token in ("pad_token", "sep_token"):
        if getattr(tokenizer, token) is None:
            raise InputError(
                folder / TOKENIZER_CONFIG,
                None,
                found=f"no {token}",
                expected="the tokens that pad a text and end one",
            )
    loaded: PreTrainedTokenizerBase = tokenizer
    return loaded


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide transformers' report of unused parameters, checked here, and its progress bar."""

    def is_other(record: logging.LogRecord) -> bool:
        return "LOAD REPORT" not in record.getMessage()

    logger = logging.getLogger("transformers.modeling_utils")
    shown = their_logging.is_progress_bar_enabled()
    logger.addFilter(is_other)
    their_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logger.removeFilter(is_other)
        if shown:
            their_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
