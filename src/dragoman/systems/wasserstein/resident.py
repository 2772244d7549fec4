"""The Wasserstein system over a store: bags follow every change, every search is exact."""

from collections.abc import Sequence
from typing import Self

from dragoman.indexes.bag_resident import ResidentBags
from dragoman.scores.transport import compile_ahead
from dragoman.systems.wasserstein.system import Wasserstein
from dragoman.types import Document, Explanation, Query
from dragoman.vectors.bag_config import BagConfig


class ResidentWasserstein(ResidentBags[Wasserstein]):
    """Documents that come and go, ranked by transport."""

    kind = Wasserstein

    @classmethod
    def prepare(cls, config: BagConfig) -> Self:
        """The word vectors, and the search's loops, so that no question waits for compiling."""
        compile_ahead()
        return super().prepare(config)

    def plans(
        self, query: Query, document: Document, epsilons: Sequence[float | None]
    ) -> list[Explanation]:
        """The explanation under each regularisation."""
        return self._system.plans(query, document, epsilons)
