import pytest

from dragoman.experiments.engine import experiment
from dragoman.experiments.engine.pooled import compare_pooled, pool
from dragoman.experiments.index_cache import indexed
from dragoman.experiments.lexical import experiment as lexical
from dragoman.ranking.balance import Balance

pytestmark = pytest.mark.usefixtures("encoder")


def test_pairs_and_pool_are_measured_and_reported(data):
    collection = lexical._afriqa(data / "afriqa-sw", "sw")
    with indexed(collection.name, collection.documents, None) as index:
        rows = experiment.compare(index, collection)
    assert [set(row.values) for row in rows] == [set(experiment.SYSTEMS)]
    assert rows[0].values["hybrid"] == 1.0
    asked = pool(data / "xquad-r", 10)
    pooled = compare_pooled(asked)
    assert [(one.contestant.label, one.contestant.balance) for one in pooled][:2] == [
        ("psq", Balance.OFF),
        ("psq", Balance.CALIBRATED),
    ]
    assert {one.mean for one in pooled if one.contestant.system == "hybrid"} == {1.0}
    text = experiment.report(experiment.Results(rows, [(asked, pooled)]), "the command")
    assert "| afriqa-sw | sw (1) | en |" in text
    assert "| hybrid | calibrated | **1.000** | 1.000 | 1.000 |" in text
    assert "the command" in text
    assert "Hybrid is above both parts in 0 of 1 rows." in text  # all of them are perfect here
