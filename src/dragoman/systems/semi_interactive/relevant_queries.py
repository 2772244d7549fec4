"""Documents, or a click log -> the relevant queries of each document (section 3.2).

*Ready-made*: the titles of the same item in other languages. *Mined*: the queries with the highest
click-through rate. A rate of few impressions is unreliable, so it is smoothed by the prior of its
language: a beta distribution, fitted by moments to the rates of all pairs of a query and a document
in that language.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.systems.semi_interactive.leakage import exclude_queries, normalize_queries
from dragoman.types import Click, Document, Query

RelevantQueries = Mapping[str, tuple[Query, ...]]  # by document id

WEAKEST, STRONGEST = 1.0, 1000.0  # bounds of a prior's strength


def item_of(document: Document) -> str:
    """The item of a document: its metadata's ``item``, or its id without the prefix ``en:``."""
    item = document.metadata.get("item")
    return str(item) if item else document.doc_id.removeprefix(f"{document.language}:")


def ready_made_queries(
    documents: Iterable[Document],
    *,
    most: int = 3,
    languages: Collection[str] | None = None,
    excluded: Iterable[Query] = (),
    rng: np.random.Generator,
    item: Callable[[Document], str] = item_of,
) -> dict[str, tuple[Query, ...]]:
    """For each document at most ``most`` random titles of its item in other languages.

    Only titles in ``languages``, if given, and none that is the same as an ``excluded`` query.
    Documents without any have no entry.
    """
    versions: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        versions[item(document)].append(document)
    forbidden = normalize_queries(excluded)
    titles = {
        name: [
            Query(version.doc_id, version.title, version.language)
            for version in sorted(documents_of_item, key=lambda version: version.doc_id)
            if version.title and (languages is None or version.language in languages)
        ]
        for name, documents_of_item in versions.items()
    }
    relevant: dict[str, tuple[Query, ...]] = {}
    for name in sorted(versions):
        for document in versions[name]:
            others = [title for title in titles[name] if title.language != document.language]
            shuffled = [others[index] for index in rng.permutation(len(others))]
            if chosen := exclude_queries(shuffled, forbidden)[:most]:
                relevant[document.doc_id] = chosen
    return relevant


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of a click-through rate."""

    rate: float
    strength: float  # in impressions

    def smoothed(self, clicks: float, impressions: float) -> float:
        """The posterior mean of the rate after ``clicks`` in ``impressions``."""
        return (clicks + self.rate * self.strength) / (impressions + self.strength)


def fit_prior(clicks: Sequence[int], impressions: Sequence[int]) -> Prior:
    """The beta distribution of rates by moments: its mean and its strength.

    The smaller the variance of the rates beyond their sampling variance, the stronger the prior.
    """
    shown = np.array(impressions, dtype=np.float64)
    nonzero = shown > 0
    shown, clicked = shown[nonzero], np.array(clicks, dtype=np.float64)[nonzero]
    if not len(shown):
        return Prior(0.0, WEAKEST)
    mean = float(clicked.sum() / shown.sum())
    if len(shown) == 1 or not 0 < mean < 1:
        return Prior(mean, STRONGEST if len(shown) > 1 else WEAKEST)
    variance = float(np.mean((clicked / shown - mean) ** 2))
    # E (rate - mean)^2 = own + (m (1 - m) - own) / n, solved for the variance of the rates' own
    inverse = float(np.mean(1 / shown))
    sampling = mean * (1 - mean) * inverse
    if inverse >= 1 or variance <= sampling:
        return Prior(mean, STRONGEST)
    own = (variance - sampling) / (1 - inverse)
    return Prior(mean, float(np.clip(mean * (1 - mean) / own - 1, WEAKEST, STRONGEST)))


def mined_queries(
    clicks: Iterable[Click],
    *,
    most: int = 3,
    languages: Collection[str] | None = None,
    excluded: Iterable[Query] = (),
    strength: float | None = None,
    fewest_clicks: int = 1,
) -> dict[str, tuple[Query, ...]]:
    """For each document at most ``most`` queries with the highest smoothed click-through rates.

    The best query of every language comes before the second of any, so that all query languages are
    represented. Rows of the same query and document are summed. Queries with less than
    ``fewest_clicks`` clicks and ``excluded`` ones are left out. ``strength`` is that of the prior,
    in impressions; None fits it.
    """
    if most < 1 or fewest_clicks < 1:
        raise ConfigError(f"most and fewest_clicks must be 1 or more, got {most}, {fewest_clicks}")
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for click in clicks:
        if languages is None or click.language in languages:
            row = counts[click.doc_id, click.language, click.query]
            row[0] += click.clicks
            row[1] += click.impressions
    priors = _priors(counts, strength)
    rated: dict[str, list[tuple[float, int, Query]]] = defaultdict(list)
    for (doc_id, language, text), (clicked, shown) in counts.items():
        if clicked >= fewest_clicks:
            rate = priors[language].smoothed(clicked, shown)
            rated[doc_id].append((rate, clicked, Query(text, text, language)))
    forbidden = normalize_queries(excluded)
    best = {
        doc_id: exclude_queries(_interleave(queries), forbidden)[:most]
        for doc_id, queries in rated.items()
    }
    return {doc_id: queries for doc_id, queries in sorted(best.items()) if queries}


def _priors(
    counts: Mapping[tuple[str, str, str], Sequence[int]], strength: float | None
) -> dict[str, Prior]:
    rows: dict[str, list[Sequence[int]]] = defaultdict(list)
    for (_, language, _), row in counts.items():
        rows[language].append(row)
    priors = {code: fit_prior(*zip(*counted, strict=True)) for code, counted in rows.items()}
    if strength is None:
        return priors
    return {code: Prior(prior.rate, strength) for code, prior in priors.items()}


def _interleave(rated: Sequence[tuple[float, int, Query]]) -> list[Query]:
    """By rate, with the best of each language first; equal rates by clicks, then by text."""
    order = sorted(rated, key=lambda one: (-one[0], -one[1], one[2].language, one[2].text))
    seen: dict[str, int] = defaultdict(int)
    keyed = []
    for position, (_, _, query) in enumerate(order):
        keyed.append((seen[query.language], position, query))
        seen[query.language] += 1
    return [query for _, _, query in sorted(keyed, key=lambda item: item[:2])]
