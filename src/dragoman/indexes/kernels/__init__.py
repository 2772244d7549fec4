"""The loops of a search, in two forms with the same names, signatures and scores.

``numpy_forms`` serves a process that searches once, ``compiled`` one that goes on searching
(``compilation``). Compiled ones release Python's lock.
"""

from types import ModuleType

from dragoman import compilation
from dragoman.indexes.kernels import numpy_forms


def active() -> ModuleType:
    """The form that this process uses."""
    if not compilation.is_enabled():
        return numpy_forms
    from dragoman.indexes.kernels import compiled  # noqa: PLC0415 - numba takes half a second

    return compiled
