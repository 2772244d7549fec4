"""A folder of Hugging Face, or a name on its hub -> a transformer encoder and its tokenizer.

    FOLDER/config.json                 what the encoder is: BERT, XLM-R, DistilBERT and their like
    FOLDER/model.safetensors           its parameters; or model.safetensors.index.json and the parts
    FOLDER/tokenizer.json              its tokenizer
    FOLDER/tokenizer_config.json       the names of the special tokens, where there are any

``dragoman train encoder`` writes such a folder, and so do the models on the hub. No code and no
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
# kinds of encoders whose first token has the place behind the padding's number
COUNTED_FROM_PADDING = {"camembert", "roberta", "xlm-roberta", "xlm-roberta-xl"}
POOLER = "pooler."  # what some encoders make of their first state; nothing here reads it


@dataclass(frozen=True, slots=True)
class Transformer:
    """An encoder of tokens and what cuts texts into them."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    @property
    def layers(self) -> int:
        """How many layers the encoder has."""
        return int(self.model.config.num_hidden_layers)

    @property
    def dimension(self) -> int:
        """The length of a hidden state."""
        return int(self.model.config.hidden_size)

    @property
    def longest(self) -> int:
        """How many tokens the encoder reads at most, special ones included."""
        config = self.model.config
        places = int(config.max_position_embeddings)
        if config.model_type in COUNTED_FROM_PADDING:
            places -= int(config.pad_token_id) + 1
        return min(places, int(self.tokenizer.model_max_length))


def load_transformer(name_or_path: str | Path, *, layers: int | None = None) -> Transformer:
    """The encoder in a folder, or the one of that name on the hub, and its tokenizer.

    With ``layers`` only so many are kept, from the first. The model is in evaluation mode.
    """
    folder = _folder(name_or_path)
    _require_files(folder)
    config = _config(folder, layers)
    return Transformer(_model(folder, config), _tokenizer(folder))


def mean_states(states: Tensor, mask: Tensor) -> Tensor:
    """(n, d): the mean of the hidden states (n, t, d) where ``mask`` (n, t) is 1; 0 without any."""
    kept = mask.to(states.dtype)[:, :, None]
    return (states * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1)


def _folder(name_or_path: str | Path) -> Path:
    """Where the files are, after fetching them where a name of the hub is asked for."""
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
            f"The encoder {name!r} is no folder here, and the hub did not give it ({reason})."
            f" Without the hub, put {NEEDED} of it into a folder and name that folder. {_MAKE}"
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
            "pytorch_model.bin is a pickle, which could run any code, and is not read; save the"
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
            found=f"no settings that transformers knows ({_first_line(error)})",
            expected="those of a BERT, XLM-R, DistilBERT or another encoder",
        ) from error
    found = getattr(config, "num_hidden_layers", None)
    if config.is_encoder_decoder or getattr(config, "is_decoder", False) or found is None:
        raise InputError(
            folder / CONFIG,
            None,
            found=f"a model of the kind {config.model_type!r}",
            expected="an encoder whose layers stand one upon the other, such as BERT or XLM-R",
        )
    if layers is not None:
        if not 1 <= layers <= found:
            raise ConfigError(
                f"{folder} has {found} layers; layers must be 1 to that, got {layers}"
            )
        config.num_hidden_layers = layers
    return config


def _model(folder: Path, config: PreTrainedConfig) -> PreTrainedModel:
    # what a file does not hold is drawn by chance before it is refused or taken off
    with torch.random.fork_rng(devices=[]), _without_report():
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
    except Exception as error:  # of the Rust side, which has no other base
        raise InputError(
            folder / TOKENIZER,
            None,
            found=f"no tokenizer ({_first_line(error)})",
            expected="what the library tokenizers writes",
        ) from error
    for token in ("pad_token", "sep_token"):
        if getattr(tokenizer, token) is None:
            raise InputError(
                folder / TOKENIZER_CONFIG,
                None,
                found=f"no {token}",
                expected="the tokens that pad a text and end one",
            )
    found: PreTrainedTokenizerBase = tokenizer
    return found


@contextmanager
def _without_report() -> Iterator[None]:
    """Hold back the table of unused parameters: layers are left out on purpose, and it is checked.

    So is the bar of a load that takes no time.
    """

    def keep(record: logging.LogRecord) -> bool:
        return "LOAD REPORT" not in record.getMessage()

    logger = logging.getLogger("transformers.modeling_utils")
    shown = their_logging.is_progress_bar_enabled()
    logger.addFilter(keep)
    their_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logger.removeFilter(keep)
        if shown:
            their_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
