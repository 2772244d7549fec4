"""The list of indexes."""


def test_the_indexes_are_listed_with_their_languages(client):
    (index,) = client.get("/v1/indexes").json()
    assert index["name"] == "letters"
    assert index["documents"] == 4
    assert index["languages"] == {"de": 2, "en": 2}
    assert index["system"] == "bm25"


def test_an_unknown_index_is_not_found(client):
    answer = client.get("/v1/indexes/nothing/search", params={"query": "moon"})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_index")
