from dragoman.metrics.pairs import LanguagePairs
from outcome_strategies import rank

DOCUMENTS = {"a-de": "de", "b-de": "de", "a-fr": "fr", "b-fr": "fr", "odd": ""}


def split(ranking, judged, queries=None):
    pairs = LanguagePairs({"q": "en"} if queries is None else queries, DOCUMENTS)
    found = {
        pair: ([hit.doc_id for hit in kept.hits], dict(part))
        for pair, kept, part in pairs.split(ranking, judged)
    }
    return pairs, found


def test_a_query_stands_in_the_pair_of_each_language_with_relevant_documents():
    ranking = rank("q", {"a-de": 4.0, "b-fr": 3.0, "b-de": 2.0, "a-fr": 1.0})
    _, found = split(ranking, {"a-de": 2, "b-de": 0, "a-fr": 1})
    assert found == {
        "en-de": (["a-de", "b-de"], {"a-de": 2, "b-de": 0}),
        "en-fr": (["b-fr", "a-fr"], {"a-fr": 1}),
    }


def test_a_language_with_no_relevant_document_is_no_pair_of_this_query():
    _, found = split(rank("q", {"a-fr": 1.0}), {"a-de": 2, "a-fr": 0})
    assert found == {"en-de": ([], {"a-de": 2})}


def test_where_nothing_is_relevant_the_judged_documents_tell_the_pairs():
    _, found = split(rank("q", {"a-fr": 1.0}), {"a-fr": 0})
    assert found == {"en-fr": (["a-fr"], {"a-fr": 0})}


def test_unknown_languages_are_said_to_be_unknown():
    _, found = split(rank("q", {"odd": 1.0}), {"odd": 1}, queries={})
    assert found == {"und-und": (["odd"], {"odd": 1})}


def test_documents_outside_the_collection_are_remembered():
    pairs, found = split(rank("q", {"stray": 2.0, "a-de": 1.0}), {"a-de": 1, "gone": 1})
    assert found == {"en-de": (["a-de"], {"a-de": 1})}
    assert pairs.unknown_documents == {"stray"}


def test_the_size_of_a_pair_is_that_of_the_language_it_searches():
    pairs, _ = split(rank("q", {}), {"a-de": 1, "odd": 1})
    assert pairs.sizes() == {"en-de": 2, "en-und": 1}
