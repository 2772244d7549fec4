"""Measured rankings are those of an index that is built with the same weights."""

import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measures
from dragoman.tuning.judged_queries import judged_queries
from dragoman.tuning.trials import DEPTH, Trials, depth_of, parse_ranked_measure
from dragoman.types import Ranking
from small_tuning import QUERIES, RIGHT, tunable_index

GRID = {"keyword_weight": (0.3, 0.5, 0.7)}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with tunable_index(tmp_path_factory.mktemp("trials") / "index") as made:
        yield made


@pytest.mark.parametrize("measure", ["nDCG@10", "RR", "P@5"])
def test_values_are_those_of_an_index_built_with_the_weights(index, tmp_path, measure):
    judged, _ = judged_queries(index, QUERIES, RIGHT)
    with index.snapshot() as snapshot:
        trials = Trials(index.system, snapshot, index.scope(), parse_ranked_measure(measure))
        for one in judged:
            trials.try_grid(one, GRID)
    for weight in GRID["keyword_weight"]:
        with tunable_index(tmp_path / f"{weight}" / "index", keyword_weight=weight) as built:
            rankings = built.rank_all(QUERIES, depth_of(parse_ranked_measure(measure)))
            run = measure_run("run", rankings, RIGHT, parse_measures(measure)).overall
        assert run.query_ids == [one.query.query_id for one in judged]
        measured = trials.values(judged, {"keyword_weight": weight})
        assert measured.tolist() == run.values[measure].tolist()
    assert np.array_equal(trials.values(judged, {}), trials.values(judged, {"keyword_weight": 0.3}))


class WithShared:
    """The system of an index, with one more weight that does not depend on languages."""

    def __init__(self, system):
        self.system = system

    def weights(self):
        return {**self.system.weights(), "shared_weight": 0.5}

    def weight_name(self, query, language):
        return self.system.weight_name(query, language)

    def ranker(self, snapshot, query, k, scope):
        ranker = self.system.ranker(snapshot, query, k, scope)

        def ranking(weights):
            own = {name: value for name, value in weights.items() if name != "shared_weight"}
            hits = ranker(own).hits
            turned = weights.get("shared_weight", 0.5) == 0.0
            return Ranking(query.query_id, hits[::-1] if turned else hits)

        return ranking


def test_a_weight_that_no_language_names_is_used_where_it_changes_the_ranking(index):
    judged, _ = judged_queries(index, QUERIES[:1], RIGHT)
    with index.snapshot() as snapshot:
        measure = parse_ranked_measure("nDCG@10")
        for system, names in [
            (index.system, {"keyword_weight"}),
            (WithShared(index.system), {"keyword_weight", "shared_weight"}),
        ]:
            trials = Trials(system, snapshot, index.scope(), measure)
            trials.try_grid(judged[0], {**GRID, "shared_weight": (0.0, 0.5)})
            assert trials.used(judged[0]).judged == trials.used(judged[0]).every == names


def test_weights_that_a_query_does_not_use_are_not_tried_again(index):
    judged, _ = judged_queries(index, QUERIES[:1], RIGHT)
    with index.snapshot() as snapshot:
        trials = Trials(index.system, snapshot, index.scope(), parse_ranked_measure("RR"))
        trials.try_grid(judged[0], GRID)
        known = dict(trials._values)
        trials.try_weights(judged[0], [{"question_weight": 0.9, "keyword_weight": 0.7}])
        assert trials._values == known
        trials.try_weights(judged[0], [{"keyword_weight": 0.8}])
        assert len(trials._values) == len(known) + 1


@pytest.mark.parametrize("text", ["AQWV(beta=40)", "nDCG@10 RR", "AUC"])
def test_a_measure_that_queries_do_not_have_by_themselves_is_refused(text):
    with pytest.raises(ConfigError, match="one measure that every query has"):
        parse_ranked_measure(text)


def test_a_ranking_is_as_deep_as_its_measure_reads():
    assert depth_of(parse_ranked_measure("P(rel=2)@5")) == 5
    assert depth_of(parse_ranked_measure("AP")) == DEPTH
