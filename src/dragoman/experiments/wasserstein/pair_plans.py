"""A query and its right document -> the plan between their words under several regularisations.

Figure 1 of Balikas et al. 2018, by the row Entro_Wass idf. The pair is the one with the fewest
words among those with at least six known words on both sides, so that its plans can be read.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.resources import PairResources
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.systems.bags.weighting import MIN_WORDS
from dragoman.types import Explanation, Query

FIGURE_LAMBDAS: Mapping[str, float | None] = {
    "exact": None,
    "lambda 0.01": 0.01,
    "lambda 0.1": 0.1,
    "lambda 1": 1.0,
}


@dataclass(frozen=True, slots=True)
class PairPlans:
    """Where the weight of a query's words moves, by regularisation."""

    query: Query
    document_id: str
    plans: Mapping[str, Explanation]  # by the names of FIGURE_LAMBDAS


def pair_plans(pairs: PairedDocuments, resources: PairResources) -> PairPlans | None:
    """The plans of the shortest pair, the first language asking; None if all are shorter."""
    documents = [*pairs.documents(0), *pairs.documents(1)]
    settings = {"vectors": [str(folder) for folder in resources.vectors.values()]}
    with (
        temporary_index(documents, WassersteinSystem.name, settings) as index,
        index.snapshot() as snapshot,
    ):
        system = index.system
        assert isinstance(system, WassersteinSystem)
        sizes = {
            item: [len(system.reader(document.content).keys) for document in pair]
            for item, pair in pairs.test.items()
        }
        legible = [item for item, both in sizes.items() if min(both) >= MIN_WORDS]
        if not legible:
            return None
        chosen = min(legible, key=lambda item: (sum(sizes[item]), item))
        asking, document = pairs.test[chosen]
        query = Query(chosen, asking.content.body, asking.language)
        found = system.plans(snapshot, query, document, list(FIGURE_LAMBDAS.values()))
    return PairPlans(query, document.doc_id, dict(zip(FIGURE_LAMBDAS, found, strict=True)))
