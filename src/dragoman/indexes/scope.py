"""Where a search looks, and how the languages there are balanced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dragoman.indexes.filters import Filter
from dragoman.ranking.balance import BEST, Balance, calibrated, interleaved
from dragoman.types import Hit


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that may be found: a filter over an index with ``languages``."""

    languages: Mapping[str, int] = field(default_factory=dict)  # of the index, with their counts
    allowed: Filter = field(default_factory=Filter)
    balance: Balance = Balance.OFF

    @property
    def groups(self) -> dict[str, Filter]:
        """The filters to search with one by one: by language where they are balanced, else one."""
        chosen = self.allowed.languages or tuple(sorted(self.languages))
        if self.balance is Balance.OFF or len(chosen) < 2:
            return {"": self.allowed}
        return {code: replace(self.allowed, languages=(code,)) for code in chosen}

    def size(self, group: str) -> int:
        """How many documents a group has, conditions on metadata aside."""
        chosen = (group,) if group else self.allowed.languages or self.languages
        return sum(self.languages.get(code, 0) for code in chosen)

    def hits(
        self, search: Callable[[int, Filter], Sequence[Hit]], k: int, *, zeros: bool = False
    ) -> list[Hit]:
        """The ``k`` best hits of ``search(how many, filter)``, balanced as asked.

        ``zeros`` says that documents which the search leaves out have a score of 0.
        """
        groups = self.groups
        if len(groups) == 1:
            return list(search(k, *groups.values()))[:k]
        lists = {code: search(max(k, BEST), mine) for code, mine in groups.items()}
        if self.balance is Balance.ROUND_ROBIN:
            return interleaved(lists)[:k]
        others = {code: zeros * (self.size(code) - len(mine)) for code, mine in lists.items()}
        return calibrated(lists, others)[:k]
