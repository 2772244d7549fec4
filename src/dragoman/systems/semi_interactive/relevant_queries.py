"""Documents, or a click log -> the relevant queries of each document (section 3.2).

*Ready-made*: the titles of the same item in other languages. *Mined*: the queries with the highest
click-through rate. A rate of few impressions says little, so it is drawn towards that of its
language: clicks and impressions of a prior are added, a beta distribution fitted to the rates of
all pairs of a query and a document in that language by its moments.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.errors import ConfigError
from dragoman.systems.semi_interactive.leakage import exclude_queries, normalize_queries
from dragoman.types import Click, Document, Query

RelevantQueries = Mapping[str, tuple[Query, ...]]  # by document id

WEAKEST, STRONGEST = 1.0, 1000.0  # impressions that a prior is worth


def item_of(document: Document) -> str:
    """What a document is a version of: its metadata's ``item``, or its id without ``en:``."""
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
    """For each document at most ``most`` titles of its item in other languages, drawn by chance.

    Only titles in ``languages`` are taken, where given, and none that asks an ``excluded`` query.
    Documents without any have no entry.
    """
    versions: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        versions[item(document)].append(document)
    barred = normalize_queries(excluded)
    titles = {
        name: [
            Query(one.doc_id, one.title, one.language)
            for one in sorted(some, key=lambda version: version.doc_id)
            if one.title and (languages is None or one.language in languages)
        ]
        for name, some in versions.items()
    }
    found: dict[str, tuple[Query, ...]] = {}
    for name in sorted(versions):
        for document in versions[name]:
            others = [one for one in titles[name] if one.language != document.language]
            drawn = [others[place] for place in rng.permutation(len(others))]
            if chosen := exclude_queries(drawn, barred)[:most]:
                found[document.doc_id] = chosen
    return found


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a rate before anybody clicked."""

    rate: float
    strength: float  # how many impressions it is worth

    def smoothed(self, clicks: float, impressions: float) -> float:
        """The rate after so many clicks in so many impressions."""
        return (clicks + self.rate * self.strength) / (impressions + self.strength)


def fit_prior(clicks: Sequence[int], impressions: Sequence[int]) -> Prior:
    """The beta distribution of rates, by moments: its mean, and how strongly it draws.

    What the rates differ beyond what chance makes of so few impressions is their own difference;
    the smaller that is, the stronger the prior.
    """
    shown = np.array(impressions, dtype=np.float64)
    counted = shown > 0
    shown, clicked = shown[counted], np.array(clicks, dtype=np.float64)[counted]
    if not len(shown):
        return Prior(0.0, WEAKEST)
    mean = float(clicked.sum() / shown.sum())
    if len(shown) == 1 or not 0 < mean < 1:
        return Prior(mean, STRONGEST if len(shown) > 1 else WEAKEST)
    spread = float(np.mean((clicked / shown - mean) ** 2))
    # E (rate - mean)^2 = own + (m (1 - m) - own) / n, solved for the spread of the rates' own
    by_chance = float(np.mean(1 / shown))
    chance = mean * (1 - mean) * by_chance
    if by_chance >= 1 or spread <= chance:
        return Prior(mean, STRONGEST)
    own = (spread - chance) / (1 - by_chance)
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

    The best query of every language comes before the second of any, so that several languages are
    there where several were asked in. Rows of the same query and document are added up. Queries
    clicked less than ``fewest_clicks`` times are not taken, nor those that ask an ``excluded`` one.
    ``strength`` sets how many impressions a language's mean rate is worth; fitted where None.
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
    barred = normalize_queries(excluded)
    best = {
        doc_id: exclude_queries(_in_turn(some), barred)[:most] for doc_id, some in rated.items()
    }
    return {doc_id: queries for doc_id, queries in sorted(best.items()) if queries}


def _priors(
    counts: Mapping[tuple[str, str, str], Sequence[int]], strength: float | None
) -> dict[str, Prior]:
    rows: dict[str, list[Sequence[int]]] = defaultdict(list)
    for (_, language, _), row in counts.items():
        rows[language].append(row)
    priors = {code: fit_prior(*zip(*some, strict=True)) for code, some in rows.items()}
    if strength is None:
        return priors
    return {code: Prior(prior.rate, strength) for code, prior in priors.items()}


def _in_turn(rated: Sequence[tuple[float, int, Query]]) -> list[Query]:
    """By rate, the best of each language first; equal rates by clicks, then by text."""
    order = sorted(rated, key=lambda one: (-one[0], -one[1], one[2].language, one[2].text))
    seen: dict[str, int] = defaultdict(int)
    placed = []
    for place, (_, _, query) in enumerate(order):
        placed.append((seen[query.language], place, query))
        seen[query.language] += 1
    return [query for _, _, query in sorted(placed, key=lambda one: one[:2])]
