"""Rankings with judgments, for the properties of measures."""

from hypothesis import strategies as st

from dragoman.types import Hit, Ranking

DOCUMENTS = [f"d{number:02d}" for number in range(12)]
SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0])  # few, so that many are equal


def rank(query_id, scores):
    """A ranking as every part of the house orders it."""
    best_first = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return Ranking(query_id, tuple(Hit(doc_id, score) for doc_id, score in best_first))


def rankings(query_id="q", min_size=0):
    scores = st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, min_size=min_size, max_size=12)
    return scores.map(lambda found: rank(query_id, found))


def judged(min_size=0):
    grades = st.integers(0, 3)
    return st.dictionaries(st.sampled_from(DOCUMENTS), grades, min_size=min_size, max_size=10)


def cases(min_size=1, max_size=6):
    """Several queries, each with a ranking and judgments."""
    return st.lists(st.tuples(rankings(), judged()), min_size=min_size, max_size=max_size)
