"""Batches and a loss -> an updated model: one step of the loop, and an epoch of steps.

Every step seeds its random generator (dropout) with the seed and its own number, so a training that
resumes in the middle of an epoch needs only the parameters, the optimizer's state and its progress.
``accelerate`` provides processes, devices and precision: each of n processes takes every n-th
batch, and gradients are averaged before the update.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn

from dragoman.training.config import Precision, TrainConfig
from dragoman.training.distributed import average_gradients, process_count
from dragoman.training.optimizer import RowAdam, clip_gradients

B_co = TypeVar("B_co", covariant=True)
B = TypeVar("B")
M = TypeVar("M", bound=nn.Module)

# the mean loss of a batch, with a gradient
Objective = Callable[[M, B], Tensor]


class Batches(Protocol[B_co]):
    """The batches of every epoch; the same epoch always has the same batches."""

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        ...

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[B_co]:
        """The batches ``start``, ``start + stride``, ... of the epoch ``number``, from 0."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One update: its number within the epoch, from 1, and the loss before it."""

    number: int
    loss: float
    gradient_norm: float | None = None  # before clipping; None where gradients are not clipped


def steps_per_epoch(batches: Batches[B], accelerator: Accelerator) -> int:
    """Steps of an epoch; batches that do not divide evenly between processes are left out."""
    return len(batches) // int(accelerator.num_processes)


def planned_steps(batches: int, epochs: int) -> int:
    """Steps of a training with so many ``batches`` an epoch that does not stop early."""
    return batches // process_count() * epochs


def run_epoch(
    model: M,
    batches: Batches[B],
    objective: Objective[M, B],
    optimizer: RowAdam,
    config: TrainConfig,
    accelerator: Accelerator,
    *,
    epoch: int,
    done: int = 0,
) -> Iterator[Step]:
    """Yield one ``Step`` per update of ``epoch``, skipping the first ``done``.

    The caller logs, saves and stops.
    """
    processes, index = accelerator.num_processes, accelerator.process_index
    parameters = list(model.parameters())
    mixed = config.precision is Precision.BFLOAT16
    steps = steps_per_epoch(batches, accelerator)
    source = batches.epoch(epoch, done * processes + index, processes)
    model.train()
    for number in range(done + 1, steps + 1):
        batch = next(source)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(config, epoch, epoch * steps + number)
        seed_generators(_seed(config.seed, epoch, number * processes + index), accelerator.device)
        with torch.autocast(accelerator.device.type, torch.bfloat16, enabled=mixed):
            value = objective(model, batch)
        optimizer.zero_grad()
        if value.requires_grad:  # False for texts without a known word
            value.backward()  # type: ignore[no-untyped-call]
        average_gradients(parameters, accelerator)
        norm = None
        if config.max_gradient_norm:
            norm = clip_gradients(parameters, config.max_gradient_norm)
        optimizer.step()
        yield Step(number, value.item(), norm)


def learning_rate(config: TrainConfig, epoch: int, step: int) -> float:
    """The learning rate of a step, numbered from 1 over all epochs."""
    warm_up = min(1.0, step / config.warm_up) if config.warm_up else 1.0
    return config.learning_rate * config.decay**epoch * warm_up


def seed_generators(seed: int, device: torch.device) -> None:
    """Seed the generators of dropout: the CPU's and the device's.

    ``torch.manual_seed`` would also queue a call, with its stack, for every absent device.
    """
    torch.default_generator.manual_seed(seed)
    if device.type == "cuda":
        torch.cuda.manual_seed(seed)


def _seed(seed: int, epoch: int, number: int) -> int:
    """A seed for one step; two steps practically never share one."""
    return int(np.random.SeedSequence((seed, epoch, number)).generate_state(1, np.uint64)[0] >> 1)
