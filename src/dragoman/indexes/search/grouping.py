"""Ranked hits -> groups: a document, its near-copies and its translations, under the best of them.

Near-copies are known by their letters (``copies``), translations by sentence vectors and numbers
(``translations``), where the system has such vectors. Links are followed from the likeliest on; two
documents of one language that are not copies never end in one group.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dragoman.indexes.arguments import MOST_HITS
from dragoman.indexes.search.answer import Group, GroupMember, Relation
from dragoman.indexes.search.copies import copies
from dragoman.indexes.search.translations import mean_rows, translations
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import ComparesSentences, System
from dragoman.types import Document, Hit, IntArray, Ranking

WINDOW = 50  # hits that are grouped at least
WIDEST_WINDOW = 100  # hits that are grouped at most; those below stay alone


def best_groups(
    snapshot: Snapshot, system: System, rank: Callable[[int], Ranking], k: int
) -> tuple[list[Group], tuple[str, ...]]:
    """The ``k`` best groups, and the warnings of the ranking that they are from.

    ``rank(how many)`` is searched deeper until there are as many groups.
    """
    depth = max(k, WINDOW)
    while True:
        ranking = rank(depth)
        groups = group_hits(snapshot, system, ranking.hits)
        if len(groups) >= k or len(ranking.hits) < depth or depth >= MOST_HITS:
            return groups[:k], ranking.warnings
        missing = k - len(groups) if depth >= WIDEST_WINDOW else depth
        depth = min(depth + missing, MOST_HITS)


def single_hits(
    snapshot: Snapshot, system: System, rank: Callable[[int], Ranking], k: int
) -> tuple[list[Group], tuple[str, ...]]:
    """The ``k`` best hits, each a group of its own, and the warnings of their ranking."""
    del snapshot, system
    ranking = rank(k)
    return [*map(Group, ranking.hits)], ranking.warnings


def group_hits(
    snapshot: Snapshot, system: System, hits: Sequence[Hit], most: int = WIDEST_WINDOW
) -> list[Group]:
    """The hits in groups, in the order of the best hit of each; those below ``most`` stay alone."""
    if not hits:
        return []
    window, below = hits[:most], hits[most:]
    return [*_group_window(snapshot, system, window), *map(Group, below)]


def _group_window(snapshot: Snapshot, system: System, hits: Sequence[Hit]) -> list[Group]:
    numbers = snapshot.numbers_of([hit.doc_id for hit in hits])
    documents = snapshot.documents(numbers)
    same_text = _joined(len(hits), copies(documents))
    links: list[tuple[int, int]] = []
    if isinstance(system, ComparesSentences):
        firsts = np.unique(same_text)  # copies would be their own nearest
        vectors = mean_rows(snapshot, system.sentence_space, numbers[firsts])
        links = [
            (int(firsts[one]), int(firsts[other]))
            for one, other in translations([documents[row] for row in firsts.tolist()], vectors)
        ]
    same_meaning = joined_apart(same_text, [one.language for one in documents], links)
    rows: dict[int, list[int]] = {}
    for row, first in enumerate(same_meaning.tolist()):
        rows.setdefault(first, []).append(row)
    return [_group(mine, same_text, hits, documents) for mine in rows.values()]


def _joined(count: int, pairs: Sequence[tuple[int, int]]) -> IntArray:
    """For each of ``count`` rows the first one that pairs join it with, through others or not."""
    firsts = np.arange(count)
    for pair in pairs:
        one, other = sorted(firsts[[*pair]].tolist())
        firsts[firsts == other] = one
    return firsts


def joined_apart(
    firsts: IntArray, languages: Sequence[str], links: Sequence[tuple[int, int]]
) -> IntArray:
    """``firsts`` further joined by links, in their order, where no language would come twice."""
    joined, codes = firsts.copy(), np.array(languages)
    for link in links:
        one, other = sorted(joined[[*link]].tolist())
        if not {*codes[joined == one]} & {*codes[joined == other]}:
            joined[joined == other] = one
    return joined


def _group(
    rows: Sequence[int], same_text: IntArray, hits: Sequence[Hit], documents: Sequence[Document]
) -> Group:
    first, *others = rows
    members = [
        GroupMember(
            hits[row].doc_id,
            hits[row].score,
            documents[row].language,
            documents[row].title,
            Relation.COPY if same_text[row] == same_text[first] else Relation.TRANSLATION,
        )
        for row in others
    ]
    return Group(hits[first], tuple(members))
