"""Several processes that train one model: the mean of their gradients, and who writes."""

import atexit
import os
import time
from collections.abc import Sequence
from functools import cache

import torch
from accelerate import Accelerator
from torch import Tensor, nn

SECONDS_TO_LEAVE = 0.5


def create_accelerator() -> Accelerator:
    """What this process computes on, joined with the others that it was launched with.

    ``accelerate`` joins processes on a machine without a GPU only where it is told of that; left to
    itself, each of them would train alone and write over the others' model.
    """
    launched = int(os.environ.get("WORLD_SIZE", "1")) > 1
    if launched:
        _leave_at_exit()
    return Accelerator(cpu=launched and not torch.accelerator.is_available())


@cache
def _leave_at_exit() -> None:
    atexit.register(_leave_group)


def _leave_group() -> None:
    """Leave the group while Python still runs.

    A thread of the group that lets go of the last tensor asks for Python's lock; once the
    interpreter has begun to end, that aborts the process. ``destroy_process_group`` does not wait
    for these threads.
    """
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
        time.sleep(SECONDS_TO_LEAVE)


def is_main_process() -> bool:
    """Whether this process is the one that writes and reports; the only one is."""
    return bool(create_accelerator().is_main_process)


def process_count() -> int:
    """How many processes train together."""
    return int(create_accelerator().num_processes)


def wait_for_everyone() -> None:
    """Go on when all processes are here."""
    create_accelerator().wait_for_everyone()


def average_gradients(parameters: Sequence[nn.Parameter], accelerator: Accelerator) -> None:
    """Replace every gradient by the mean over all processes; nothing to do where there is one.

    Which parameters have a gradient, and which of these are rows, must not differ between them.
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
    """The rows of all processes; padded to the longest list while they travel."""
    rows, values = gradient.indices()[0], gradient.values()
    sizes = accelerator.gather(torch.tensor([len(rows)], device=values.device))
    longest = int(sizes.max())
    padded_rows = nn.functional.pad(rows, (0, longest - len(rows)))
    padded_values = nn.functional.pad(values, (0, 0, 0, longest - len(rows)))
    all_rows = accelerator.gather(padded_rows[None, :])
    all_values = accelerator.gather(padded_values[None, :, :]) / accelerator.num_processes
    kept = [slice(0, int(size)) for size in sizes]
    together = torch.sparse_coo_tensor(
        torch.cat([part[keep] for part, keep in zip(all_rows, kept, strict=True)])[None, :],
        torch.cat([part[keep] for part, keep in zip(all_values, kept, strict=True)]),
        gradient.shape,
        check_invariants=False,
    )
    return together.coalesce()
