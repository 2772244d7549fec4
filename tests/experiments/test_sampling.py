from dragoman.experiments.sampling import spread
from dragoman.types import Query


def test_questions_are_spread_from_the_first_to_the_last():
    queries = [Query(f"q{n}", "x", "en") for n in range(10)]
    assert [query.query_id for query in spread(queries, 4)] == ["q0", "q2", "q5", "q7"]
    assert spread(queries, 100) == spread(queries, None) == tuple(queries)
