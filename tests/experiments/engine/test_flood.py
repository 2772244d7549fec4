from dataclasses import replace

import pytest

from dragoman.experiments.engine.flood import compare_flood, flooded, report_flood
from dragoman.experiments.index_cache import indexed
from dragoman.experiments.tasks import opened
from dragoman.ranking.balance import Balance


def test_rare_languages_stay_beside_english_and_originals_are_judged_like_translations(packages):
    flood = flooded(opened(packages), None)
    assert flood.sizes == {"en": 30, "sw": 2}
    assert flood.foreign["house"] == {"sw:house": 2, "sw:water": 0}
    assert flood.judgments["house"] == {
        "en:house": 2,
        "en:water": 0,
        "sw:house": 2,
        "sw:water": 0,
    }


def test_questions_can_be_fewer(packages):
    flood = flooded(opened(packages), 1)
    assert [query.query_id for query in flood.queries] == ["house"]
    assert set(flood.judgments) == set(flood.foreign) == {"house"}


def test_a_collection_without_a_rare_language_has_no_flood(packages):
    collection = opened(packages)
    fewer = replace(collection, documents=collection.documents[-6:])
    assert flooded(fewer, None) is None


@pytest.mark.usefixtures("encoder")
def test_every_way_to_balance_is_measured_in_an_index_of_the_collection(packages):
    collection = opened(packages)
    flood = flooded(collection, None)
    with indexed(collection.name, collection.documents, None) as index:
        rows = compare_flood(index, flood)
    assert [row.balance for row in rows] == list(Balance)
    by_balance = {row.balance: row.values for row in rows}
    assert by_balance[Balance.ROUND_ROBIN]["Success(rel=2)@10"] == 1.0
    text = "\n".join(report_flood(flood, rows))
    assert "en 30, sw 2 documents, 2 English questions" in text
    assert "| round-robin |" in text
