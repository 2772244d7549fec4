"""Distributed training: processes that average their gradients; the main one writes and reports."""

import atexit
import os
import time
from collections.abc import Sequence
from functools import cache

import torch
from accelerate import Accelerator
from torch import Tensor, nn

SECONDS_TO_LEAVE = 0.5  # for the threads of a process group to end


def create_accelerator() -> Accelerator:
    """The device of this process, in one group with the processes it was launched with.

    Without a GPU, ``accelerate`` forms a group only with ``cpu=True``; otherwise each process would
    train alone and overwrite the model of the others.
    """
    launched = int(os.environ.get("WORLD_SIZE", "1")) > 1
    if launched:
        _leave_at_exit()
    return Accelerator(cpu=launched and not torch.accelerator.is_available())


@cache
def _leave_at_exit() -> None:
    atexit.register(_leave_group)


def _leave_group() -> None:
    """Leave the process group before the interpreter shuts down.

    A thread of the group that frees the last tensor takes the GIL; during interpreter shutdown that
    aborts the process. ``destroy_process_group`` does not wait for these threads.
    """
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
        time.sleep(SECONDS_TO_LEAVE)


def is_main_process() -> bool:
    """Whether this process writes and reports; True for a single process."""
    return bool(create_accelerator().is_main_process)


def process_count() -> int:
    """The number of processes of this training."""
    return int(create_accelerator().num_processes)


def wait_for_everyone() -> None:
    """Block until all processes have called this."""
    create_accelerator().wait_for_everyone()


def average_gradients(parameters: Sequence[nn.Parameter], accelerator: Accelerator) -> None:
    """Replace every gradient by its mean over all processes.

    All processes must have gradients for the same parameters, sparse ones for the same of them.
    """
    if accelerator.num_processes == 1:
        return
    for parameter in parameters:
        if parameter.grad is None:
            continue
        if parameter.grad.is_sparse:
            parameter.grad = _mean_rows(parameter.grad.coalesce(), accelerator)
        else:
            parameter.grad = accelerator.reduce(parameter.grad, "mean")


def _mean_rows(gradient: Tensor, accelerator: Accelerator) -> Tensor:
    """The mean of a sparse gradient, gathered in arrays padded to the longest process's rows."""
    rows, values = gradient.indices()[0], gradient.values()
    sizes = accelerator.gather(torch.tensor([len(rows)], device=values.device))
    longest = int(sizes.max())
    padded_rows = nn.functional.pad(rows, (0, longest - len(rows)))
    padded_values = nn.functional.pad(values, (0, 0, 0, longest - len(rows)))
    all_rows = accelerator.gather(padded_rows[None, :])
    all_values = accelerator.gather(padded_values[None, :, :]) / accelerator.num_processes
    unpadded = [slice(0, int(size)) for size in sizes]
    together = torch.sparse_coo_tensor(
        torch.cat([part[real] for part, real in zip(all_rows, unpadded, strict=True)])[None, :],
        torch.cat([part[real] for part, real in zip(all_values, unpadded, strict=True)]),
        gradient.shape,
        check_invariants=False,
    )
    return together.coalesce()
