from dataclasses import replace

import pytest

from dragoman.experiments.engine.rare_languages import (
    balances_markdown,
    compare_balances,
    rare_language_task,
)
from dragoman.experiments.index_cache import cached_index
from dragoman.experiments.tasks import read_collection
from dragoman.ranking.balance import Balance


def test_rare_languages_stay_next_to_english_and_originals_are_judged_like_translations(packages):
    task = rare_language_task(read_collection(packages), None)
    assert task.sizes == {"en": 30, "sw": 2}
    assert task.foreign["house"] == {"sw:house": 2, "sw:water": 0}
    assert task.judgments["house"] == {
        "en:house": 2,
        "en:water": 0,
        "sw:house": 2,
        "sw:water": 0,
    }


def test_queries_can_be_fewer(packages):
    task = rare_language_task(read_collection(packages), 1)
    assert [query.query_id for query in task.queries] == ["house"]
    assert set(task.judgments) == set(task.foreign) == {"house"}


def test_a_collection_without_a_rare_language_has_no_task(packages):
    collection = read_collection(packages)
    fewer = replace(collection, documents=collection.documents[-6:])
    assert rare_language_task(fewer, None) is None


@pytest.mark.usefixtures("encoder")
def test_every_way_to_balance_is_measured_in_an_index_of_the_collection(packages):
    collection = read_collection(packages)
    task = rare_language_task(collection, None)
    with cached_index(collection.name, collection.documents, None) as index:
        rows = compare_balances(index, task)
    assert [row.balance for row in rows] == list(Balance)
    by_balance = {row.balance: row.values for row in rows}
    assert by_balance[Balance.ROUND_ROBIN]["Success(rel=2)@10"] == 1.0
    text = "\n".join(balances_markdown(task, rows))
    assert "en 30, sw 2 documents, 2 English queries" in text
    assert "| round-robin |" in text
