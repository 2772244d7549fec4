"""The hidden folder ``.MODEL.training`` in which a model is trained, next to its target.

It holds checkpoints and intermediate files, from which the same call resumes when a training was
interrupted or killed. The target is replaced when the training has ended.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from dragoman.storage.staging import staged_file, staged_folder
from dragoman.training.distributed import is_main_process, wait_for_everyone
from dragoman.training.trainer import LOG

Write = Callable[[Path], object]


def workspace_of(output: Path) -> Path:
    """The folder in which the model ``output`` is trained."""
    return output.with_name(f".{output.name}.training")


def open_workspace(output: Path, *, restart: bool = False) -> Path:
    """The folder for a training whose target is ``output``, emptied with ``restart``."""
    work = workspace_of(output)
    if is_main_process():
        if restart:
            shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
    wait_for_everyone()
    return work


def write_shared(path: Path, write: Write) -> None:
    """Let the main process write a file of the workspace; all processes then find it complete."""
    if is_main_process():
        with staged_file(path) as staged:
            write(staged)
    wait_for_everyone()


def publish(work: Path, output: Path, write: Write) -> None:
    """Replace ``output`` by what ``write`` puts into a folder and the log; delete the workspace."""
    if is_main_process():
        with staged_folder(output) as staged:
            write(staged)
            shutil.copyfile(work / LOG, staged / LOG)
        shutil.rmtree(work)
    wait_for_everyone()
