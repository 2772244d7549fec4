"""A training as it stands -> a folder, and back, so that it goes on bit for bit.

    model.safetensors       the parameters
    optimizer.safetensors   what the optimizer remembers of each
    best.safetensors        the parameters of the best epoch, where one was validated
    state.json              where the training is, and the settings it began with

Nothing random is kept: every step draws from the seed and its own number.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn

from dragoman.errors import ConfigError
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder
from dragoman.training.optimizer import RowAdam
from dragoman.training.parameters import read_tensors, write_parameters

FORMAT = Format("dragoman-checkpoint", 1, "a training")
MODEL, OPTIMIZER, BEST, STATE = (
    "model.safetensors",
    "optimizer.safetensors",
    "best.safetensors",
    "state.json",
)


@dataclass(slots=True)
class TrainingProgress:
    """Where a training is."""

    epoch: int = 0  # epochs that are done
    step: int = 0  # steps of the next one that are done
    loss: float = 0.0  # the sum of their losses
    best: float | None = None  # the highest value of the validation
    best_epoch: int = 0  # the epoch it was measured after, from 1


def save_checkpoint(
    folder: Path,
    model: nn.Module,
    optimizer: RowAdam,
    progress: TrainingProgress,
    best: Mapping[str, Tensor],
    settings: Mapping[str, Any],
) -> None:
    """Write everything; an earlier checkpoint stays whole until the new one is."""
    state = {"settings": settings, "progress": asdict(progress)}
    with staged_folder(folder) as staged:
        write_parameters(staged / MODEL, model)
        remembered = _optimizer_tensors(model, optimizer)
        (staged / OPTIMIZER).write_bytes(tensors_to_bytes(remembered))
        if best:
            (staged / BEST).write_bytes(tensors_to_bytes(dict(best)))
        FORMAT.write(staged / STATE, state)


def load_checkpoint(
    folder: Path, model: nn.Module, optimizer: RowAdam, settings: Mapping[str, Any]
) -> tuple[TrainingProgress, dict[str, Tensor]]:
    """Put a saved training into ``model`` and ``optimizer``; where it was, and its best parameters.

    Settings that would let it go on differently are refused.
    """
    written = FORMAT.read(folder / STATE)
    _refuse_changed_settings(folder, written["settings"], settings)
    model.load_state_dict(read_tensors(folder / MODEL))
    _restore_optimizer(model, optimizer, read_tensors(folder / OPTIMIZER))
    progress = TrainingProgress(**written["progress"])
    return progress, read_tensors(folder / BEST) if progress.best is not None else {}


def has_checkpoint(folder: Path) -> bool:
    """Whether a training was saved in ``folder``."""
    return (folder / STATE).is_file()


def _optimizer_tensors(model: nn.Module, optimizer: RowAdam) -> dict[str, Tensor]:
    """The optimizer's tensors by the name of their parameter."""
    found: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensor = value.cpu() if isinstance(value, Tensor) else torch.tensor(value)
            found[f"{name}/{key}"] = tensor
    return found


def _restore_optimizer(model: nn.Module, optimizer: RowAdam, tensors: Mapping[str, Tensor]) -> None:
    parameters = dict(model.named_parameters())
    for key, tensor in tensors.items():
        name, _, what = key.rpartition("/")
        parameter = parameters[name]
        value = tensor.to(parameter.device) if tensor.dim() else tensor.item()
        optimizer.state[parameter][what] = value


def _refuse_changed_settings(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]
) -> None:
    today = json.loads(json.dumps(now))
    for name in sorted(before.keys() | today.keys()):
        if before.get(name) != today.get(name):
            raise ConfigError(
                f"{folder}: the training began with {name} {before.get(name)!r}; now it is"
                f" {today.get(name)!r}. Go on with the old setting, or start again."
            )
