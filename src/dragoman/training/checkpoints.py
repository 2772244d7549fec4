"""The state of a training <-> a folder, so that it resumes bit for bit.

    model.safetensors       the parameters
    optimizer.safetensors   the optimizer's state of each parameter
    best.safetensors        the parameters of the best epoch, where one was validated
    state.json              the progress of the training, and its settings

No random state is saved: every step seeds its generator with the seed and its own number.
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
    """How far a training has come."""

    epoch: int = 0  # completed epochs
    step: int = 0  # completed steps of the next epoch
    loss: float = 0.0  # the sum of their losses
    best: float | None = None  # the highest validation value
    best_epoch: int = 0  # the epoch that reached it, from 1


def save_checkpoint(
    folder: Path,
    model: nn.Module,
    optimizer: RowAdam,
    progress: TrainingProgress,
    best: Mapping[str, Tensor],
    settings: Mapping[str, Any],
) -> None:
    """Write a checkpoint; an earlier one stays in place until the new one is complete."""
    state = {"settings": settings, "progress": asdict(progress)}
    with staged_folder(folder) as staged:
        write_parameters(staged / MODEL, model)
        state_tensors = _optimizer_tensors(model, optimizer)
        (staged / OPTIMIZER).write_bytes(tensors_to_bytes(state_tensors))
        if best:
            (staged / BEST).write_bytes(tensors_to_bytes(dict(best)))
        FORMAT.write(staged / STATE, state)


def load_checkpoint(
    folder: Path, model: nn.Module, optimizer: RowAdam, settings: Mapping[str, Any]
) -> tuple[TrainingProgress, dict[str, Tensor]]:
    """Restore ``model`` and ``optimizer``; returns the progress and the best parameters so far.

    Refused if the settings differ from those that the training began with.
    """
    state = FORMAT.read(folder / STATE)
    refuse_changed_settings(folder, state["settings"], settings)
    model.load_state_dict(read_tensors(folder / MODEL))
    _restore_optimizer(model, optimizer, read_tensors(folder / OPTIMIZER))
    progress = TrainingProgress(**state["progress"])
    return progress, read_tensors(folder / BEST) if progress.best is not None else {}


def has_checkpoint(folder: Path) -> bool:
    """Whether ``folder`` holds a checkpoint."""
    return (folder / STATE).is_file()


def _optimizer_tensors(model: nn.Module, optimizer: RowAdam) -> dict[str, Tensor]:
    """The optimizer's state as tensors named ``parameter/key``."""
    tensors: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensor = value.cpu() if isinstance(value, Tensor) else torch.tensor(value)
            tensors[f"{name}/{key}"] = tensor
    return tensors


def _restore_optimizer(model: nn.Module, optimizer: RowAdam, tensors: Mapping[str, Tensor]) -> None:
    parameters = dict(model.named_parameters())
    for key, tensor in tensors.items():
        name, _, state_key = key.rpartition("/")
        parameter = parameters[name]
        value = tensor.to(parameter.device) if tensor.dim() else tensor.item()
        optimizer.state[parameter][state_key] = value


def refuse_changed_settings(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]
) -> None:
    """Refuse to resume the training in ``folder`` if its settings were others ``before``."""
    current = json.loads(json.dumps(now))
    for name in sorted(before.keys() | current.keys()):
        if before.get(name) != current.get(name):
            raise ConfigError(
                f"{folder}: the training began with {name} {before.get(name)!r}; now it is"
                f" {current.get(name)!r}. Resume with the old setting, or start again with"
                " --restart."
            )
