"""A task of forty queries in three languages, and scores of their candidates."""

from types import SimpleNamespace

from dragoman.experiments.semi_interactive.task import QueryCandidates
from dragoman.text.collections.splits import Split
from dragoman.types import Query

COUNT = 40


def task():
    queries = tuple(
        QueryCandidates(
            Query(f"{code}:{n}", "q", code), ("a", "b", "c", "d"), (2, 0, 0, 0), frozenset("b")
        )
        for code in ("de", "fr", "es")
        for n in range(COUNT)
    )
    return SimpleNamespace(
        supervised=("de", "fr"),
        unsupervised=("es",),
        languages=("de", "fr", "es"),
        queries={Split.TEST: queries},
    )


def scores(first, rng, *, swapped=()):
    """Of every candidate by chance, of the right one higher by ``first`` (lower if swapped)."""
    found = rng.random((3, COUNT, 4))
    for row, code in enumerate(("de", "fr", "es")):
        found[row, :, 0] += -first if code in swapped else first
    return found.ravel()
