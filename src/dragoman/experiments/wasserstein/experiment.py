"""Tables 1 and 2 and the lambda sweep of Balikas et al. 2018, on a collection of aligned documents.

Every row of Table 2 is a registered system with settings. Lexicons, topics and, where none are
given, word vectors are learnt from the collection's training part alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.encoders.models import UNIVERSAL
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.sampling import spread
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.metrics.significance import Interval, bootstrap_interval
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, Query

EPSILON = 0.1
LAMBDAS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 10.0, 100.0)
TOPICS, TRANSLATED, SHARED, REPAIRED = (
    "Systems that rely on topic models",
    "Systems that rely on translations",
    "Systems that rely on cross-lingual embeddings",
    "Handling OOV words & cross-lingual embeddings",
)
OOV: Mapping[str, object] = {"misspelt": 1, "collapse": True}
WHOLE_LISTS: Mapping[str, object] = {"stop": "listed"}
PRINTED_IDF: Mapping[str, object] = {"weighting": "bare-idf"}
LOOKS = (1, 10, 40, 160)  # hits; more where the right one is not among them, in the end all
SWEPT_QUERIES = 50  # by which the regularisation is swept, spread evenly


@dataclass(frozen=True, slots=True)
class Contestant:
    """One row of Table 2."""

    section: str
    label: str
    system: str
    settings: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Materials:
    """What was learnt for one pair of languages."""

    vectors: Mapping[str, Path]  # by language, in one space
    topics: Path
    wider: Mapping[str, Path] | None = None  # the same, learnt from the training documents too
    lexicons: tuple[Path, ...] = ()  # none: those that are shipped


@dataclass(frozen=True, slots=True)
class Found:
    """The ranks of the right documents by one contestant in one direction."""

    contestant: Contestant
    asked: str
    searched: str
    ranks: FloatArray  # inf where the right document was not found

    @property
    def reciprocal_rank(self) -> float:
        """The mean reciprocal rank."""
        return float((1 / self.ranks).mean())

    @property
    def first(self) -> float:
        """P@1: the share of queries whose first answer is right."""
        return float((self.ranks == 1).mean())

    @property
    def interval(self) -> Interval:
        """Where the mean reciprocal rank lies, by the bootstrap."""
        return bootstrap_interval(1 / self.ranks, np.random.default_rng(0))


def contestants(materials: Materials, asked: str, searched: str) -> Iterator[Contestant]:
    """The 21 rows, for questions in one language against documents in the other."""
    both = _folders(materials.vectors, asked, searched)
    tables = {"lexicons": [str(path) for path in materials.lexicons]}
    own = {"vectors": [str(materials.vectors[searched])], "translate": True, **tables}
    repaired = {"vectors": both, **OOV}
    yield Contestant(TOPICS, "BiLDA", "bilda", {"model": str(materials.topics)})
    yield Contestant(TRANSLATED, "tf", "tf", tables)
    yield Contestant(TRANSLATED, "idf", "idf", tables)
    yield from _geometric(TRANSLATED, own, "")
    yield from _geometric(SHARED, {"vectors": both}, "")
    yield from _geometric(REPAIRED, repaired, "+")


def _geometric(section: str, settings: Mapping[str, object], mark: str) -> Iterator[Contestant]:
    """nBOW, exact and entropic transport, each by tf and idf."""
    systems: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("nBOW", "nbow", {}),
        ("Wass", "wasserstein", {"epsilon": None}),
        ("Entro_Wass", "wasserstein", {"epsilon": EPSILON}),
    )
    for label, system, own in systems:
        for weighting in ("tf", "idf"):
            chosen = {**settings, **own, "weighting": weighting}
            yield Contestant(section, f"{label} {weighting}{mark}", system, chosen)


def sweep(materials: Materials, asked: str, searched: str) -> Iterator[Contestant]:
    """Entropic transport by idf with the OOV protocol, over the regularisation."""
    both = _folders(materials.vectors, asked, searched)
    for epsilon in LAMBDAS:
        settings = {"vectors": both, **OOV, "weighting": "idf", "epsilon": epsilon}
        yield Contestant("The regularisation", f"{epsilon:g}", "wasserstein", settings)


def variants(materials: Materials, asked: str, searched: str) -> Iterator[Contestant]:
    """What the paper leaves open or we would do otherwise, always by idf."""
    given = {"vectors": _folders(materials.vectors, asked, searched), **OOV}
    entropic: dict[str, object] = {"epsilon": EPSILON}
    rows: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("nBOW idf+ by cosine", "nbow", {**given, "distance": "cosine"}),
        ("Entro_Wass idf+, whole stop lists", "wasserstein", {**given, **entropic, **WHOLE_LISTS}),
        ("Entro_Wass idf+, idf as printed", "wasserstein", {**given, **entropic, **PRINTED_IDF}),
    )
    if UNIVERSAL.installed:
        rows += (("Entro_Wass idf, words by the sentence encoder", "wasserstein", entropic),)
    if materials.wider is not None:
        wider = {"vectors": _folders(materials.wider, asked, searched), **OOV}
        rows += (
            ("nBOW idf+ by cosine, wider vectors", "nbow", {**wider, "distance": "cosine"}),
            ("Entro_Wass idf+, wider vectors", "wasserstein", {**wider, **entropic}),
        )
    for label, system, settings in rows:
        yield Contestant("Variants", label, system, settings)


def _folders(vectors: Mapping[str, Path], asked: str, searched: str) -> list[str]:
    return [str(vectors[code]) for code in (asked, searched)]


def ranked(
    pairs: PairedDocuments,
    contestant: Contestant,
    asked: int,
    most: int | None = None,
    advance: Advance = no_progress,
) -> Found:
    """How one contestant ranks the right documents, for questions of side ``asked``.

    With ``most``, so many questions are asked at most, spread evenly.
    """
    searched = 1 - asked
    # both sides, so that the idf of either language is known; one of them is searched
    documents = [*pairs.documents(0), *pairs.documents(1)]
    scope = Scope(Filter((pairs.languages[searched],)))
    right = {item: next(iter(ids)) for item, ids in pairs.judgments(searched).items()}
    ranks = []
    with temporary_index(documents, contestant.system, contestant.settings) as index:
        for query in spread(pairs.queries(asked), most):
            ranks.append(_rank(index, query, right[query.query_id], scope, len(pairs.test)))
            advance()
    languages = pairs.languages
    return Found(contestant, languages[asked], languages[searched], np.array(ranks))


def _rank(index: Index, query: Query, doc_id: str, scope: Scope, count: int) -> float:
    """The rank of a document among ``count``; inf where it is not ranked."""
    with index.snapshot() as snapshot:
        for k in (*LOOKS, count):
            hits = [hit.doc_id for hit in index.system.search(snapshot, query, k, scope).hits]
            if doc_id in hits:
                return hits.index(doc_id) + 1.0
    return np.inf
