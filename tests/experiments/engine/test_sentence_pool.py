from dragoman.experiments.engine.sentence_pool import read_pool, without_translations


def test_queries_are_chosen_by_language_and_judged(data):
    pool = read_pool(data / "xquad-r", 1)
    assert {code: [q.query_id for q in queries] for code, queries in pool.queries.items()} == {
        "en": ["q"],
        "sw": ["r"],
    }


def test_without_translations_each_article_is_there_in_one_language(data):
    pool = without_translations(read_pool(data / "xquad-r", None))
    assert [document.doc_id for document in pool.documents] == ["en-0-house", "sw-1-water"]
    assert pool.judgments == {"q": {"en-0-house": 1}, "r": {"en-0-house": 1}}
