import pytest

from dragoman.experiments.engine.experiment import EngineReproduction
from dragoman.experiments.engine.language_pairs import compare
from dragoman.experiments.engine.report import report
from dragoman.experiments.engine.sentence_pool import compare_pooled, read_pool
from dragoman.experiments.index_cache import SYSTEMS, cached_index
from dragoman.experiments.tasks import read_afriqa
from dragoman.ranking.balance import Balance

pytestmark = pytest.mark.usefixtures("encoder")


def test_pairs_and_pool_are_measured_and_reported(data):
    collection = read_afriqa(data / "afriqa-sw", "sw")
    with cached_index(collection.name, collection.documents, None) as index:
        rows = compare(index, collection)
    assert [set(row.values) for row in rows] == [set(SYSTEMS)]
    assert rows[0].values["hybrid"] == 1.0
    pool = read_pool(data / "xquad-r", 10)
    pooled = compare_pooled(pool)
    assert [(one.system.label, one.system.balance) for one in pooled][:2] == [
        ("psq", Balance.OFF),
        ("psq", Balance.CALIBRATED),
    ]
    assert {one.mean for one in pooled if one.system.system == "hybrid"} == {1.0}
    text = report(EngineReproduction(rows, [(pool, pooled)]), "the command")
    assert "| afriqa-sw | sw (1) | en |" in text
    assert "| hybrid | calibrated | **1.000** | 1.000 | 1.000 |" in text
    assert "the command" in text
    assert "Hybrid is above both parts in 0 of 1 rows." in text  # all of them are perfect here
