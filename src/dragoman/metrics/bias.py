"""Outcomes whose documents have languages -> does a run treat the languages alike?

PEER asks whether documents of one grade stand equally high in every language; LanguageTau asks
whether the list puts documents in the order that each language's own list gives them. Neither says
that a run is good: read them beside nDCG or AP.

Yang, Jänich, Mayfield and Lawrie 2024, Language Fairness in Multilingual Information Retrieval;
Kruskal and Wallis 1952, Use of ranks in one-criterion variance analysis.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc
from scipy.stats import rankdata

from dragoman.errors import ConfigError
from dragoman.metrics.outcomes import Outcome, RunMeasure
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class EqualExpectedRank:
    """PEER: the p-value of 'no language is preferred', the mean over the grades."""

    name: str
    rel: int
    cutoff: int | None
    pooled: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; undefined where no grade could show a preference.

        An empty ranking of a query for which it is defined is worth 0, not the 1 that its ties
        would give: a run gains nothing by leaving a query out.
        """
        return np.array([self._value(outcome) for outcome in outcomes], dtype=np.float64)

    def _value(self, outcome: Outcome) -> float:
        places, grades, languages = _judged_places(outcome, self.cutoff)
        levels = []
        for grade in np.unique(grades[grades >= self.rel]):
            here = grades == grade
            if _can_differ(languages[here]):
                levels.append(kruskal_wallis(places[here], languages[here]))
        if not levels:
            return float("nan")
        return float(np.mean(levels)) if len(outcome.grades) else 0.0


@dataclass(frozen=True, slots=True)
class MonolingualCorrelation:
    """LanguageTau: the list's order against the orders within its languages."""

    name: str
    rel: int
    cutoff: int | None
    pooled: bool = False
    bounds: tuple[float, float] = (-1.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; undefined where no relevant document meets another language."""
        return np.array([self._value(outcome) for outcome in outcomes], dtype=np.float64)

    def _value(self, outcome: Outcome) -> float:
        if not len(outcome.grades):
            return 0.0 if outcome.relevant(self.rel) else float("nan")
        depth = slice(self.cutoff)
        languages = _numbered(_languages(outcome)[: len(outcome.grades)])[depth]
        own = own_places(languages)
        relevant = outcome.grades[depth] >= self.rel
        agreeing = opposed = 0
        for place in np.flatnonzero(relevant):
            # a pair of two relevant documents is met at the first of them
            partners = (languages != languages[place]) & ~relevant
            partners[place:] |= (languages != languages[place])[place:]
            order = np.sign(own - own[place])
            order[:place] *= -1
            agreeing += int((order[partners] > 0).sum())
            opposed += int((order[partners] < 0).sum())
        decided = agreeing + opposed
        return (agreeing - opposed) / decided if decided else float("nan")


def peer(name: str, *, rel: int = 1, cutoff: int | None = None) -> EqualExpectedRank:
    """Probability of Equal Expected Rank: 1 where no language is preferred; needs --corpus."""
    return EqualExpectedRank(name, rel, _at_least_one(cutoff))


def language_tau(name: str, *, rel: int = 1, cutoff: int | None = None) -> MonolingualCorrelation:
    """Rank correlation with each language's own list: -1 where it is buried; needs --corpus."""
    return MonolingualCorrelation(name, rel, _at_least_one(cutoff))


def expect_languages(measures: Sequence[RunMeasure], *, known: bool) -> bool:
    """Whether a measure asks for the documents' languages; refused where these are unknown."""
    asking = [m for m in measures if isinstance(m, EqualExpectedRank | MonolingualCorrelation)]
    if asking and not known:
        raise ConfigError(
            f"{asking[0].name} needs the languages of the documents: pass document_languages"
            " (--corpus)."
        )
    return bool(asking)


def kruskal_wallis(values: FloatArray, groups: IntArray) -> float:
    """The probability of groups this different where all are drawn alike; 1 where all are equal.

    Shapes: values (n,), groups (n,) with a number for each group. Corrected for ties; the
    chi-squared approximation, as in ``scipy.stats.kruskal``.
    """
    _, members, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    ranks = rankdata(values)
    mean = (len(ranks) + 1) / 2
    spread = float(np.square(ranks - mean).sum())
    if not spread:
        return 1.0
    means = np.bincount(members, ranks) / sizes
    h = (len(ranks) - 1) * float(sizes @ np.square(means - mean)) / spread
    return float(chdtrc(len(sizes) - 1, h))


def own_places(languages: IntArray) -> IntArray:
    """For each hit, best first, which hit of its language it is, from 1."""
    own = np.empty(len(languages), dtype=np.int64)
    for language in np.unique(languages):
        here = languages == language
        own[here] = np.arange(1, int(here.sum()) + 1)
    return own


def _judged_places(outcome: Outcome, cutoff: int | None) -> tuple[FloatArray, IntArray, IntArray]:
    """Place, grade and language of every hit and of every judged document that was not found.

    What was not found, or only below the cutoff, stands together after the last place.
    """
    found = len(outcome.grades)
    last = found if cutoff is None else min(found, cutoff)
    places = np.concatenate([np.arange(found), np.full(len(outcome.unretrieved), found)])
    grades = np.concatenate([outcome.grades, outcome.unretrieved])
    return np.minimum(places, last).astype(np.float64), grades, _numbered(_languages(outcome))


def _languages(outcome: Outcome) -> tuple[str, ...]:
    assert outcome.languages is not None, "expect_languages refuses a run without them"
    return outcome.languages


def _numbered(languages: Sequence[str]) -> IntArray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(code, len(numbers)) for code in languages], dtype=np.int64)


def _can_differ(languages: IntArray) -> bool:
    """Two languages at least, and more than one document in one of them.

    With one document in each, the statistic is the same for every order.
    """
    different = len(np.unique(languages))
    return 2 <= different < len(languages)


def _at_least_one(cutoff: int | None) -> int | None:
    if cutoff is not None and cutoff < 1:
        raise ConfigError(f"The number after @ must be 1 or more, got {cutoff}")
    return cutoff
