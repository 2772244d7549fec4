"""Indexes by the names of their folders."""

import pytest

from dragoman.errors import ConfigError
from dragoman.service.catalog import Catalog
from dragoman.text import language_detection
from small_index import small_index
from small_service import several_indexes


def test_two_folders_of_one_name_are_refused(tmp_path):
    first, second = (small_index(tmp_path / one / "letters") for one in "ab")
    with pytest.raises(ConfigError, match="two indexes named 'letters'"):
        Catalog([first, second])


def test_with_several_indexes_a_request_must_name_one(tmp_path):
    with several_indexes(tmp_path, "letters", "books") as client:
        assert [one["name"] for one in client.get("/v1/indexes").json()] == ["letters", "books"]
        short = client.get("/v1/search", params={"query": "moon"})
        assert (short.status_code, short.json()["code"]) == (400, "index_needed")
        long = client.get("/v1/indexes/books/search", params={"query": "moon", "language": "en"})
        assert long.json()["hits"][0]["id"] == "tide"


def test_systems_that_rerank_are_loaded_before_the_first_search(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    loaded = []
    catalog = Catalog([small_index(tmp_path / "letters")])
    monkeypatch.setattr(catalog.only, "second_stage", lambda rerank: loaded.append(rerank.system))
    catalog.warm_up(["idf"])
    assert catalog.is_warm
    assert loaded == ["idf"]
    catalog.close()


def test_a_whole_search_is_done_before_the_first_one(tmp_path):
    language_detection._model.cache_clear()
    catalog = Catalog([small_index(tmp_path / "letters")])
    catalog.warm_up()
    assert language_detection._model.cache_info().currsize == 1
    catalog.close()
