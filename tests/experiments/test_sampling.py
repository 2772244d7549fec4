from dragoman.experiments.sampling import evenly_spaced
from dragoman.types import Query


def test_queries_are_spaced_from_the_first_to_the_last():
    queries = [Query(f"q{n}", "x", "en") for n in range(10)]
    assert [query.query_id for query in evenly_spaced(queries, 4)] == ["q0", "q2", "q5", "q7"]
    assert evenly_spaced(queries, 100) == evenly_spaced(queries, None) == tuple(queries)
