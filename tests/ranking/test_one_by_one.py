from dragoman.ranking.one_by_one import OneByOne
from dragoman.types import Hit, Query, Ranking


class Echo(OneByOne):
    def search(self, query, k, languages=None):
        return Ranking(query.query_id, tuple(Hit(code, float(k)) for code in languages or ()))


def test_every_query_is_searched_as_it_would_be_alone():
    queries = [Query("a", "house", "en"), Query("b", "Haus", "de")]
    found = Echo().search_many(queries, 3, ["fr"])
    assert found == [Echo().search(query, 3, ["fr"]) for query in queries]
    assert [ranking.query_id for ranking in found] == ["a", "b"]
    assert Echo().search_many([], 3) == []
