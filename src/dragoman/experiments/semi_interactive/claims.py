"""The measured tables -> what they say of the paper's claims, in words.

A claim compares two models, language by language, on the same questions: paired bootstrap, Holm's
correction over the languages and measures of the claim.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.plan import INTERACT, NON, NON_KT, SEMI, SEMI_KT
from dragoman.experiments.semi_interactive.runs import Result
from dragoman.experiments.semi_interactive.tables import FACTOR, PLACES, SURE
from dragoman.experiments.semi_interactive.task import RelevanceTask
from dragoman.experiments.semi_interactive.values import (
    AUC,
    MEASURES,
    NDCG,
    Difference,
    differences,
    measured,
    weighted,
)
from dragoman.text.collections.splits import Split

ALL = "all languages"


@dataclass(frozen=True, slots=True)
class Claim:
    """One model is above another."""

    said: str
    upper: str
    lower: str


CLAIMS = (
    Claim("The semi-interactive model is above the non-interactive one", SEMI, NON),
    Claim("Knowledge transfer lifts the non-interactive model", NON_KT, NON),
    Claim("Knowledge transfer lifts the semi-interactive model", SEMI_KT, SEMI),
    Claim("Both together are above the non-interactive model", SEMI_KT, NON),
    Claim("The interactive model is above the non-interactive one", INTERACT, NON),
    Claim("The interactive model is above the semi-interactive one", INTERACT, SEMI),
    Claim("The interactive model is above all of it together", INTERACT, SEMI_KT),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim, for each measure: a difference for each language and for all."""

    claim: Claim
    found: Mapping[str, Mapping[str, Difference]]

    @property
    def status(self) -> str:
        """In a few words."""
        every = [one for by_place in self.found.values() for one in by_place.values()]
        means = [by_place[ALL] for by_place in self.found.values()]
        if all(one.gain > 0 and one.above < SURE for one in every):
            return "holds in every language, beyond chance"
        if all(one.gain > 0 for one in every):
            return "holds in every language, not always beyond chance"
        if all(one.gain > 0 and one.above < SURE for one in means):
            return "holds on average, not in every language"
        if all(one.gain < 0 and one.below < SURE for one in means):
            return "does not hold: the opposite is the case"
        if any(one.gain > 0 and one.above < SURE for one in means):
            return "holds for one measure on average"
        return "not shown"


def verdict(claim: Claim, results: Mapping[str, Result], task: RelevanceTask) -> Verdict:
    """A claim on the test."""
    asked = task.asked[Split.TEST]
    upper = measured(asked, results[claim.upper].scores)
    lower = measured(asked, results[claim.lower].scores)
    places = {**{code: (code,) for code in task.languages}, ALL: task.languages}
    pairs = [
        (f"{measure}\t{place}", weighted(upper[measure], codes), weighted(lower[measure], codes))
        for measure in MEASURES
        for place, codes in places.items()
    ]
    tested = {one.where: one for one in differences(pairs)}
    return Verdict(
        claim,
        {measure: {place: tested[f"{measure}\t{place}"] for place in places}
         for measure in MEASURES},
    )  # fmt: skip


def verdicts(results: Mapping[str, Result], task: RelevanceTask) -> list[Verdict]:
    """All claims whose models were trained."""
    return [
        verdict(claim, results, task)
        for claim in CLAIMS
        if claim.upper in results and claim.lower in results
    ]


def told(found: Verdict, task: RelevanceTask) -> str:
    """The verdict as a line of a list."""
    measures = "; ".join(_measure(found, measure, task) for measure in MEASURES)
    return f"- {found.claim.said}: **{found.status}**. {measures}."


def _measure(found: Verdict, measure: str, task: RelevanceTask) -> str:
    places, factor, digits = found.found[measure], FACTOR[measure], PLACES[measure]
    groups = ((task.supervised, "with"), (task.unsupervised, "without"))
    counts = [
        f"above in {_above(places, codes)} of {len(codes)} languages {label} supervision"
        f" ({_above(places, codes, sure=True)} beyond chance)"
        for codes, label in groups
        if codes
    ]
    sure_below = [code for code in task.languages if places[code].below < SURE]
    below = f", below beyond chance in {', '.join(sure_below)}" if sure_below else ""
    printed = _printed(found.claim, measure)
    there = "" if printed is None else f" (paper {printed:+.{digits}f})"
    return (
        f"{measure} {', '.join(counts)}{below}; mean {places[ALL].gain * factor:+.{digits}f}{there}"
    )


def _above(places: Mapping[str, Difference], codes: Sequence[str], *, sure: bool = False) -> int:
    return sum(places[code].gain > 0 and (not sure or places[code].above < SURE) for code in codes)


def _printed(claim: Claim, measure: str) -> float | None:
    if measure == AUC:
        rows = paper.TABLE_2
        return rows[claim.upper][paper.AVERAGE] - rows[claim.lower][paper.AVERAGE]
    assert measure == NDCG, "the paper has two measures"
    upper, lower = (paper.TABLE_3[name].values() for name in (claim.upper, claim.lower))
    return float(np.mean(list(upper)) - np.mean(list(lower)))


def summary(found: Sequence[Verdict]) -> Iterator[str]:
    """One line: how many of the claims hold."""
    holding = [one for one in found if one.status.startswith("holds")]
    everywhere = [one for one in holding if "every language" in one.status and "not in" not in
                  one.status]  # fmt: skip
    yield (
        f"Of {len(found)} claims, {len(everywhere)} hold in every language and"
        f" {len(holding) - len(everywhere)} on average or for one measure;"
        f" not shown or turned round: {len(found) - len(holding)}."
    )
