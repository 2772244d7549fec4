"""A model, batches and an objective -> the trained model: epochs, validation, log, checkpoints.

    FOLDER/log.jsonl     one line per epoch: loss, validation, seconds
    FOLDER/checkpoint/   the state of the training; deleted when it has ended

Every system has its own model, batches and objective; the rest is shared.
"""

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Generic

import torch
from torch import Tensor

from dragoman.errors import DragomanError
from dragoman.protocols import Advance, no_progress
from dragoman.training.checkpoints import (
    TrainingProgress,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from dragoman.training.config import TrainConfig
from dragoman.training.distributed import create_accelerator
from dragoman.training.interrupts import StopRequest, catch_interrupt
from dragoman.training.log import TrainingLog
from dragoman.training.loop import B, Batches, M, Objective, run_epoch, steps_per_epoch
from dragoman.training.optimizer import RowAdam

LOG, CHECKPOINT = "log.jsonl", "checkpoint"
SECONDS_BETWEEN_CHECKPOINTS = 60.0

# measures by name of the model in its current state; the first one decides which epoch is best
Validation = Callable[[], Mapping[str, float]]


class Interrupted(KeyboardInterrupt):
    """A training was stopped by the user, after its checkpoint was saved."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The measurements of one epoch."""

    epoch: int  # from 1
    steps: int
    loss: float  # the mean over its steps
    validation: Mapping[str, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class TrainedModel(Generic[M]):
    """A model, the measurements of every epoch, and the epoch of its parameters."""

    model: M
    epochs: tuple[Epoch, ...]
    best_epoch: int

    @property
    def validation(self) -> float:
        """The best value of the first validation measure; minus infinity before any epoch."""
        values = (next(iter(epoch.validation.values())) for epoch in self.epochs)
        return max(values, default=-inf)


class Trainer(Generic[M, B]):
    """One training, from its first step or from a checkpoint."""

    def __init__(
        self,
        model: M,
        batches: Batches[B],
        objective: Objective[M, B],
        config: TrainConfig,
        *,
        folder: Path | None = None,
        settings: Mapping[str, Any] | None = None,
        validation: Validation | None = None,
        advance: Advance = no_progress,
    ) -> None:
        """``settings``: what else must be equal to resume from a checkpoint."""
        self.accelerator = create_accelerator()
        self.model = model.to(self.accelerator.device)
        self.optimizer = RowAdam(self.model.parameters(), config.learning_rate)
        self.progress = TrainingProgress()
        self._best: dict[str, Tensor] = {}
        self.epochs: list[Epoch] = []
        self._batches, self._objective, self._config = batches, objective, config
        self._settings = {**asdict(config), **(settings or {})}
        self._validation, self._advance = validation, advance
        writes = folder is not None and self.accelerator.is_main_process
        self._folder = folder
        self._log = TrainingLog(folder / LOG if folder and writes else None)
        self._saved = time.monotonic()

    def resume(self) -> bool:
        """Load the checkpoint of an earlier process; False if there is none."""
        if self._folder is None or not has_checkpoint(self._folder / CHECKPOINT):
            return False
        self.progress, self._best = load_checkpoint(
            self._folder / CHECKPOINT, self.model, self.optimizer, self._settings
        )
        self.epochs = [Epoch(**line) for line in self._log.begin(self.progress.epoch)]
        steps = steps_per_epoch(self._batches, self.accelerator)
        self._advance(self.progress.epoch * steps + self.progress.step)
        return True

    def train(self) -> TrainedModel[M]:
        """Resume where an earlier process stopped, train to the end; the model is on the CPU."""
        self.resume()
        self.run()
        model = self.model.cpu().eval()
        return TrainedModel(model, tuple(self.epochs), self.progress.best_epoch)

    def run(self) -> None:
        """Train to the end; the model then has the parameters of its best epoch.

        Without a validation these are those of the last one. SIGINT saves a checkpoint and raises
        ``Interrupted``.
        """
        if not self.progress.epoch:
            self._log.begin(0)
        devices = [self.accelerator.device] if self.accelerator.device.type == "cuda" else []
        with torch.random.fork_rng(devices), catch_interrupt() as stop:
            while self.progress.epoch < self._config.epochs and not self._is_out_of_patience():
                self._run_epoch(stop)
        if self._best:
            self.model.load_state_dict(self._best)
        if self._folder is not None and self.accelerator.is_main_process:
            shutil.rmtree(self._folder / CHECKPOINT, ignore_errors=True)

    def _is_out_of_patience(self) -> bool:
        patience, progress = self._config.patience, self.progress
        if not patience or progress.best is None:
            return False
        return progress.epoch - progress.best_epoch >= patience

    def _run_epoch(self, stop: StopRequest) -> None:
        progress, started = self.progress, time.monotonic()
        for step in run_epoch(
            self.model,
            self._batches,
            self._objective,
            self.optimizer,
            self._config,
            self.accelerator,
            epoch=progress.epoch,
            done=progress.step,
        ):
            if not isfinite(step.loss):
                raise DragomanError(
                    f"The loss is {step.loss} in step {step.number} of epoch {progress.epoch + 1}:"
                    " the training has diverged. Lower the learning rate, or clip the gradients."
                )
            progress.step = step.number
            progress.loss += step.loss
            self._advance()
            if stop.requested:
                self._save()
                raise Interrupted
        self._end_epoch(time.monotonic() - started)

    def _end_epoch(self, seconds: float) -> None:
        progress = self.progress
        mean = progress.loss / max(progress.step, 1)
        values = dict(self._validate())
        epoch = Epoch(progress.epoch + 1, progress.step, mean, values, seconds)
        self.epochs.append(epoch)
        self._log.write(asdict(epoch))
        progress.epoch, progress.step, progress.loss = epoch.epoch, 0, 0.0
        value = next(iter(values.values()), None)
        if value is not None and (progress.best is None or value > progress.best):
            progress.best, progress.best_epoch = value, epoch.epoch
            state = self.model.state_dict()
            self._best = {name: t.detach().cpu().clone() for name, t in state.items()}
        if time.monotonic() - self._saved >= SECONDS_BETWEEN_CHECKPOINTS:
            self._save()

    def _validate(self) -> Mapping[str, float]:
        if self._validation is None:
            return {}
        self.model.eval()
        with torch.no_grad():
            return self._validation()

    def _save(self) -> None:
        if self._folder is not None and self.accelerator.is_main_process:
            save_checkpoint(
                self._folder / CHECKPOINT,
                self.model,
                self.optimizer,
                self.progress,
                self._best,
                self._settings,
            )
        self._saved = time.monotonic()
