"""``--rerank``: the system that re-ranks the hits of a search, ready to use."""

from typing import TYPE_CHECKING

from dragoman.cli import terminal

if TYPE_CHECKING:
    from dragoman.indexes.search.open_index import OpenIndex
    from dragoman.indexes.search.reranking import Rerank


def prepare_reranking(
    index: "OpenIndex", system: str, weight: float, depth: int, seconds: float
) -> "Rerank | None":
    """The re-ranking that the options describe, built with a progress bar; None without one."""
    if not system:
        return None
    from dragoman.indexes.index import Index
    from dragoman.indexes.search.reranking import Rerank

    rerank = Rerank(system, weight, depth, seconds or None)
    if not isinstance(index, Index):
        return rerank  # of a service, which has it ready
    with terminal.late_progress(f"reading for {rerank.name}", index.count()) as advance:
        index.second_stage(rerank, advance)
    return rerank
