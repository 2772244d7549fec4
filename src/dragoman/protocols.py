"""What parts promise each other; what an index asks of a system is in ``indexes.system``."""

from typing import Protocol


class Advance(Protocol):
    """Told of every step that long work has done; commands draw a progress bar with it."""

    def __call__(self, steps: int = 1) -> None:
        """``steps`` more are done."""
        ...


def silent(steps: int = 1) -> None:
    """An ``Advance`` that tells nobody."""


class Stage(Protocol):
    """Told what begins and how many steps it has, where that is known."""

    def __call__(self, name: str, total: int | None, /) -> Advance:
        """What to call with every step done."""
        ...


def unannounced(name: str, total: int | None, /) -> Advance:
    """A ``Stage`` that tells nobody."""
    return silent


class Tokenizer(Protocol):
    """Splits a text into the words that a system counts."""

    def __call__(self, text: str, language: str) -> list[str]:
        """The words of ``text``, in order."""
        ...
