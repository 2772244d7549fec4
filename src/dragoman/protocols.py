"""Protocols shared by all folders; what an index needs from a system is in ``indexes.system``."""

from typing import Protocol


class Advance(Protocol):
    """A progress callback: long work calls it after every step; commands draw a progress bar."""

    def __call__(self, steps: int = 1) -> None:
        """Report that ``steps`` more steps are done."""
        ...


def no_progress(steps: int = 1) -> None:
    """An ``Advance`` that reports nothing."""


class Stage(Protocol):
    """A progress callback for work in stages: called when a stage begins."""

    def __call__(self, name: str, total: int | None, /) -> Advance:
        """The callback for the steps of the stage ``name``; ``total`` is None where unknown."""
        ...


def no_stages(name: str, total: int | None, /) -> Advance:
    """A ``Stage`` that reports nothing."""
    return no_progress


class Tokenizer(Protocol):
    """Splits a text into the terms that a system counts."""

    def __call__(self, text: str, language: str) -> list[str]:
        """The terms of ``text``, in order."""
        ...
