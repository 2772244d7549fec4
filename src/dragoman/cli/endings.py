"""How a command ends that does not succeed: one line on standard error and an exit code.

Exit codes: 2 where the input, the output or the disk has to be changed by the user, 130 after
Ctrl-C, 1 for anything else. Notes of an exception (``add_note``) name what a command leaves behind.
"""

import errno
import signal
from types import FrameType
from typing import Any, Self

from typer.core import TyperGroup

from dragoman.cli import terminal
from dragoman.errors import UserError
from dragoman.registry import missing_extra
from dragoman.storage.database import StorageError

FAILED, WRONG, INTERRUPTED = 1, 2, 130
# errors of the system that a user can remedy
REMEDIABLE = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
        *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOENT, errno.ENAMETOOLONG),
    }
)


class InterruptWatch:
    """Whether Ctrl-C was pressed: a library may turn the interrupt into an error of its own."""

    def __init__(self) -> None:
        self.pressed = False
        self._watches = signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> Self:
        if self._watches:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *error: object) -> None:
        if self._watches:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        signal.default_int_handler(number, frame)


def ending_of(error: BaseException, *, interrupted: bool = False) -> tuple[str, int]:
    """The message and the exit code of a command that ended with ``error``, after Ctrl-C or not."""
    if interrupted or isinstance(error, KeyboardInterrupt):
        notes = getattr(error, "__notes__", None) or ["Nothing is left behind."]
        return f"interrupted. {' '.join(notes)}", INTERRUPTED
    match error:
        case UserError() | StorageError():
            return _with_notes(str(error), error), WRONG
        case ModuleNotFoundError():
            return str(missing_extra(error)), FAILED
        case OSError(filename=name, strerror=reason):
            message = f"{name}: {reason}" if name else f"the system refused: {reason or error}"
            return _with_notes(message, error), WRONG if error.errno in REMEDIABLE else FAILED
    return _with_notes(str(error), error), FAILED


def _with_notes(message: str, error: BaseException) -> str:
    return " ".join([message, *getattr(error, "__notes__", ())])


class CommandGroup(TyperGroup):
    """The commands; Ctrl-C in one of them ends with a message, where typer prints none."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own types are private
        """Run the command that the arguments name."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            terminal.fail(*ending_of(error))
