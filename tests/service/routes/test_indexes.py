"""The list of indexes."""

import pytest

from dragoman.service.routes.indexes import encoder_name
from dragoman.service.schemas.indexes import StatsAnswer


def test_the_indexes_are_listed_with_their_languages(client):
    (index,) = client.get("/v1/indexes").json()
    assert index["name"] == "letters"
    assert index["documents"] == 4
    assert index["languages"] == {"de": 2, "en": 2}
    assert index["system"] == "bm25"


def test_an_unknown_index_is_not_found(client):
    answer = client.get("/v1/indexes/nothing/search", params={"query": "moon"})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_index")


def test_stats_tell_no_path_of_the_machine(client):
    answer = client.get("/v1/stats")
    StatsAnswer.model_validate(answer.json())
    assert str(client.app.state.service.catalog.only.folder.parent) not in answer.text
    assert answer.json()["fields"] == ["salty", "tags", "year"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"dense": {"encoder": "use-multilingual-3:b8b0|longest:4096"}}, "use-multilingual-3"),
        ({"encoder": "/home/anna/models/mine"}, "mine"),
        ({"k1": 1.2}, None),
    ],
)
def test_the_encoder_is_named_without_its_path(settings, expected):
    assert encoder_name(settings) == expected
