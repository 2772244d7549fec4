"""Whether this process runs compiled kernels or their numpy forms, which give the same scores.

Importing numba takes half a second, so a process that searches once does without. A process that
searches repeatedly (``Index.warm_up``, a build, the service) enables compiled kernels.
"""

_enabled: list[bool] = []


def enable() -> None:
    """Use compiled kernels from now on."""
    _enabled[:] = [True]


def disable() -> None:
    """Use numpy forms from now on."""
    _enabled.clear()


def is_enabled() -> bool:
    """Whether compiled kernels are in use."""
    return bool(_enabled)
