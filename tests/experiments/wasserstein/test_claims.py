"""The paper's claims on ranks that are made up here."""

import numpy as np
import pytest

from dragoman.experiments.claims import Verdict
from dragoman.experiments.wasserstein.claims import wasserstein_claims
from dragoman.experiments.wasserstein.runs import (
    REPAIRED,
    SHARED,
    TOPICS,
    TRANSLATED,
    RankRun,
    TableSystem,
)

MANY = 40


def rows(direction, ranks):
    languages = direction.split("-")
    return [
        RankRun(TableSystem(*row, "", {}), *languages, np.array(column, dtype=float))
        for row, column in ranks.items()
    ]


def test_rows_are_compared_with_those_that_differ_in_one_choice():
    ranks = {
        (SHARED, "nBOW tf"): [4] * MANY,
        (SHARED, "nBOW idf"): [4] * MANY,
        (SHARED, "Wass tf"): [2] * MANY,
        (SHARED, "Wass idf"): [1] * MANY,
        (SHARED, "Entro_Wass idf"): [1] * (MANY - 1) + [2],
        (REPAIRED, "Wass idf+"): [1] * MANY,
    }
    claims = wasserstein_claims([rows("en-fi", ranks)])
    assert {claim.text: (claim.difference, claim.verdict) for claim in claims} == {
        "Transport is above averages of word vectors": (0.5, Verdict.HOLDS),
        "Entropic transport is above exact transport": (pytest.approx(-0.0125), Verdict.NOT_SHOWN),
        "idf is above tf, for transport": (0.5, Verdict.HOLDS),
        "The OOV protocol helps transport": (0.0, Verdict.NOT_SHOWN),
    }


def test_directions_are_groups():
    ranks = {(SHARED, "nBOW tf"): [4] * MANY, (SHARED, "Wass tf"): [2] * MANY}
    worse = {(SHARED, "nBOW tf"): [1] * MANY, (SHARED, "Wass tf"): [4] * MANY}
    overall, *groups = wasserstein_claims([rows("en-fi", ranks), rows("fi-en", worse)])
    assert overall.difference == pytest.approx(-0.25)
    assert {one.group: one.verdict for one in groups} == {
        "en-fi": Verdict.HOLDS,
        "fi-en": Verdict.OPPOSITE,
    }


def test_the_papers_difference_is_that_of_the_same_rows_and_directions():
    ranks = {(SHARED, "nBOW tf"): [4] * MANY, (SHARED, "Wass tf"): [2] * MANY}
    overall, *_ = wasserstein_claims([rows("en-fi", ranks), rows("en-it", ranks)])
    assert overall.paper == pytest.approx(0.434 - 0.217)  # Fi -> En in Table 2; it has no Italian


def test_rows_without_some_words_are_not_compared_with_baselines_that_read_all():
    ranks = {
        (REPAIRED, "Entro_Wass idf+"): [1] * MANY,
        (TOPICS, "BiLDA"): [2] * MANY,
        (TRANSLATED, "idf"): [2] * MANY,
        (SHARED, "Entro_Wass idf"): [2] * MANY,
    }
    directions = [rows("en-fi", ranks)]
    every = {claim.text for claim in wasserstein_claims(directions)}
    equal = {claim.text for claim in wasserstein_claims(directions, known_words=False)}
    assert equal == {"The OOV protocol helps transport"}
    assert every - equal == {
        "Entro_Wass idf+ is above BiLDA",
        "Entro_Wass idf+ is above the translated idf baseline",
    }
