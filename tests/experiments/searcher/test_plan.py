"""The trainings of a scale: rows, depths, widths."""

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError
from dragoman.experiments.searcher.plan import (
    SCALES,
    SearcherRow,
    resized_configs,
    searcher_configs,
)
from dragoman.systems.searcher.config import SearcherConfig

SCALE = replace(SCALES["tiny"], width=12)


def test_six_searchers_are_compared():
    rows = searcher_configs(SCALE)
    endings = ("", "-pretrained", "-aligned")
    assert list(rows) == [f"searcher-{p}{ending}" for p in ("softmax", "max") for ending in endings]
    assert rows["searcher-max"].pretrain is None
    assert [str(one.first) for one in rows.values()] == ["drawn", "drawn", "aligned"] * 2


def test_depths_are_compared_from_random_and_aligned_vectors():
    rows = resized_configs(replace(SCALE, width=0))
    assert {name: one.model.blocks for name, one in rows.items()} == {
        "searcher-softmax-0-blocks": 0,
        "searcher-softmax-aligned-0-blocks": 0,
    }
    assert [str(one.first) for one in rows.values()] == ["drawn", "aligned"]


def test_depths_belong_to_their_row():
    rows = replace(SCALE, rows=(SearcherRow.SOFTMAX, SearcherRow.MAX, SearcherRow.DEPTHS))
    assert list(resized_configs(rows)) == ["searcher-softmax-0-blocks"]
    assert not resized_configs(replace(SCALE, rows=(SearcherRow.SOFTMAX,)))
    for row in (SearcherRow.DEPTHS, SearcherRow.WIDTH):
        with pytest.raises(ConfigError, match="no rows of SEARCHER"):
            replace(SCALE, rows=(row,))


def test_the_larger_model_differs_in_size_alone():
    rows = (SearcherRow.SOFTMAX_ALIGNED, SearcherRow.WIDTH)
    (larger,) = resized_configs(replace(SCALE, rows=rows)).items()
    name, config = larger
    assert name == "searcher-softmax-aligned-size-12"
    assert config == replace(
        searcher_configs(SCALE)["searcher-softmax-aligned"],
        model=replace(SCALE.config.model, size=12),
    )
    assert not resized_configs(replace(SCALE, rows=(SearcherRow.SOFTMAX, SearcherRow.WIDTH)))


def test_the_scale_of_the_paper_has_its_encoder():
    rows, paper = searcher_configs(SCALES["paper"]), SearcherConfig.paper()
    assert rows["searcher-softmax-pretrained"] == paper
    assert rows["searcher-softmax-aligned"].model == paper.model
