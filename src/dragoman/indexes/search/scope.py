"""Where a search looks, and how the languages there are balanced."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from dragoman.indexes.filters import Filter
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.ranking.balance import BEST, Balance, LanguageScales, interleave, pad_scores
from dragoman.types import Hit


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that are searched, and how languages are balanced in the ranking."""

    allowed: Filter = field(default_factory=Filter)
    balance: Balance = Balance.OFF

    def groups(self, snapshot: Snapshot) -> Mapping[str, DocumentSet]:
        """What is searched one by one: each language where they are balanced, else all as ''."""
        if self.balance is Balance.OFF or len(self.allowed.languages or snapshot.languages) < 2:
            return {"": snapshot.select(self.allowed)}
        return snapshot.by_language(self.allowed)

    def rank(
        self,
        snapshot: Snapshot,
        search: Callable[[int, DocumentSet], ScoredDocuments],
        k: int,
        *,
        zeros: bool = False,
    ) -> tuple[Hit, ...]:
        """The ``k`` best documents of ``search(how many, selection)``, balanced by ``balance``.

        ``zeros`` says that documents which the search leaves out have a score of 0.
        """
        groups = self.groups(snapshot)
        if len(groups) == 1:
            return tuple(snapshot.hits(search(k, *groups.values())))
        lists = [search(max(k, BEST), mine) for mine in groups.values()]
        if self.balance is Balance.ROUND_ROBIN:
            named = zip(groups, map(snapshot.hits, lists), strict=True)
            return tuple(interleave(dict(named))[:k])
        sizes = [
            mine.size if zeros else len(scored.scores)
            for mine, scored in zip(groups.values(), lists, strict=True)
        ]
        scales = LanguageScales.estimate(
            [pad_scores(scored.scores, size) for scored, size in zip(lists, sizes, strict=True)]
        )
        numbers, scores = map(np.concatenate, zip(*lists, strict=True))
        groups_of = np.arange(len(lists)).repeat([len(scored.scores) for scored in lists])
        return tuple(
            snapshot.hits(
                snapshot.sort_top_k(
                    ScoredDocuments(numbers, scales.standardize(scores, groups_of)), k
                )
            )
        )
