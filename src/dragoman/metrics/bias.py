"""Outcomes whose documents have languages -> measures of language bias.

PEER tests whether documents of one grade rank equally high in every language; LanguageTau compares
the order of the ranking with the order within each language. Neither measures effectiveness: report
them together with nDCG or AP.

Yang, Jänich, Mayfield and Lawrie 2024, Language Fairness in Multilingual Information Retrieval;
Kruskal and Wallis 1952, Use of ranks in one-criterion variance analysis.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc
from scipy.stats import rankdata

from dragoman.errors import ConfigError
from dragoman.metrics.outcomes import Outcome, RunMeasure, check_cutoff
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class EqualExpectedRank:
    """PEER: the p-value of the hypothesis that no language is preferred, averaged over grades."""

    name: str
    rel: int
    cutoff: int | None
    pooled: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; undefined where no grade could show a preference.

        An empty ranking of a query for which it is defined scores 0, not the 1 that its ties
        would give: a run gains nothing by leaving a query out.
        """
        return np.array([self._value(outcome) for outcome in outcomes], dtype=np.float64)

    def _value(self, outcome: Outcome) -> float:
        ranks, grades, languages = _judged_ranks(outcome, self.cutoff)
        levels = []
        for grade in np.unique(grades[grades >= self.rel]):
            here = grades == grade
            if _can_differ(languages[here]):
                levels.append(kruskal_wallis(ranks[here], languages[here]))
        if not levels:
            return float("nan")
        return float(np.mean(levels)) if len(outcome.grades) else 0.0


@dataclass(frozen=True, slots=True)
class MonolingualCorrelation:
    """LanguageTau: rank correlation of the ranking with the ranks within each language."""

    name: str
    rel: int
    cutoff: int | None
    pooled: bool = False
    bounds: tuple[float, float] = (-1.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; undefined without a relevant document and another language."""
        return np.array([self._value(outcome) for outcome in outcomes], dtype=np.float64)

    def _value(self, outcome: Outcome) -> float:
        if not len(outcome.grades):
            return 0.0 if outcome.relevant(self.rel) else float("nan")
        depth = slice(self.cutoff)
        languages = _numbered(_languages(outcome)[: len(outcome.grades)])[depth]
        ranks = within_language_ranks(languages)
        relevant = outcome.grades[depth] >= self.rel
        agreeing = opposed = 0
        for row in np.flatnonzero(relevant):
            # a pair of two relevant documents is counted at the first of them
            partners = (languages != languages[row]) & ~relevant
            partners[row:] |= (languages != languages[row])[row:]
            order = np.sign(ranks - ranks[row])
            order[:row] *= -1
            agreeing += int((order[partners] > 0).sum())
            opposed += int((order[partners] < 0).sum())
        decided = agreeing + opposed
        return (agreeing - opposed) / decided if decided else float("nan")


def peer(name: str, *, rel: int = 1, cutoff: int | None = None) -> EqualExpectedRank:
    """Probability of Equal Expected Rank: 1 where no language is preferred; needs --corpus."""
    return EqualExpectedRank(name, rel, None if cutoff is None else check_cutoff(cutoff))


def language_tau(name: str, *, rel: int = 1, cutoff: int | None = None) -> MonolingualCorrelation:
    """Rank correlation with the ranks within each language, from -1 to 1; needs --corpus."""
    return MonolingualCorrelation(name, rel, None if cutoff is None else check_cutoff(cutoff))


def expect_languages(measures: Sequence[RunMeasure], *, known: bool) -> bool:
    """Whether a measure needs the documents' languages; refused where these are unknown."""
    needing = [m for m in measures if isinstance(m, EqualExpectedRank | MonolingualCorrelation)]
    if needing and not known:
        raise ConfigError(
            f"{needing[0].name} needs the languages of the documents: pass document_languages"
            " (--corpus)."
        )
    return bool(needing)


def kruskal_wallis(values: FloatArray, groups: IntArray) -> float:
    """The p-value of the Kruskal-Wallis test; 1 where all values are equal.

    Shapes: values (n,), groups (n,) with a number for each group. Corrected for ties, with the
    chi-squared approximation: the value of ``scipy.stats.kruskal``, which takes 4.5 times as long
    on the few documents of a query.
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


def within_language_ranks(languages: IntArray) -> IntArray:
    """The rank of each hit among the hits of its language, from 1; hits are in order."""
    ranks = np.empty(len(languages), dtype=np.int64)
    for language in np.unique(languages):
        here = languages == language
        ranks[here] = np.arange(1, int(here.sum()) + 1)
    return ranks


def _judged_ranks(outcome: Outcome, cutoff: int | None) -> tuple[FloatArray, IntArray, IntArray]:
    """Rank, grade and language of every hit and of every judged document that was not retrieved.

    Documents that were not retrieved, or only below the cutoff, are tied after the last rank.
    """
    retrieved = len(outcome.grades)
    last = retrieved if cutoff is None else min(retrieved, cutoff)
    ranks = np.concatenate([np.arange(retrieved), np.full(len(outcome.unretrieved), retrieved)])
    grades = np.concatenate([outcome.grades, outcome.unretrieved])
    return np.minimum(ranks, last).astype(np.float64), grades, _numbered(_languages(outcome))


def _languages(outcome: Outcome) -> tuple[str, ...]:
    assert outcome.languages is not None, "expect_languages refuses a run without them"
    return outcome.languages


def _numbered(languages: Sequence[str]) -> IntArray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(code, len(numbers)) for code in languages], dtype=np.int64)


def _can_differ(languages: IntArray) -> bool:
    """Whether there are two languages, one of them with more than one document.

    With one document in each language, the statistic is the same for every order.
    """
    different = len(np.unique(languages))
    return 2 <= different < len(languages)
