"""The paper's Table 2 beside the rows that are measured."""

from pathlib import Path

import numpy as np

from dragoman.experiments.wasserstein.published import PUBLISHED, PUBLISHED_DIRECTIONS, published
from dragoman.experiments.wasserstein.resources import PairResources
from dragoman.experiments.wasserstein.runs import REPAIRED, RankRun, TableSystem, table_systems


def test_every_row_and_direction_has_a_value():
    resources = PairResources({"en": Path("en"), "fr": Path("fr")}, Path("table"), Path("topics"))
    rows = [(system.section, system.label) for system in table_systems(resources, "en", "fr")]
    assert rows == list(PUBLISHED)
    assert len(rows) == 21
    assert {len(values) for values in PUBLISHED.values()} == {len(PUBLISHED_DIRECTIONS)}


def value(label, queries, documents):
    return published(RankRun(TableSystem(REPAIRED, label, "", {}), queries, documents, np.ones(1)))


def test_the_papers_arrow_goes_from_the_documents_to_the_queries():
    assert value("Entro_Wass idf+", "fr", "en") == 0.875  # printed as En -> Fr
    assert value("Entro_Wass idf+", "en", "fr") == 0.887


def test_other_languages_and_rows_have_none():
    assert value("Entro_Wass idf+", "en", "it") is None
    assert value("our own", "en", "fr") is None
