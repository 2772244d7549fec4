"""The loops of a search, compiled: a third of numpy's time or less, after a second to import them.

A process that asks once must not pay for numba, so these are imported when a process says that it
goes on asking (``Index.warm_up``). Numba keeps what it has compiled until that very file changes:
whoever edits one removes what is kept of those that call it.
"""
