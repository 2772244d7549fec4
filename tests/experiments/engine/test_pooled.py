from dragoman.experiments.engine.pooled import pool, without_translations


def test_questions_are_spread_by_language_and_judged(data):
    asked = pool(data / "xquad-r", 1)
    assert {code: [q.query_id for q in queries] for code, queries in asked.queries.items()} == {
        "en": ["q"],
        "sw": ["r"],
    }


def test_without_translations_each_article_is_there_in_one_language(data):
    asked = without_translations(pool(data / "xquad-r", None))
    assert [document.doc_id for document in asked.documents] == ["en-0-house", "sw-1-water"]
    assert asked.judgments == {"q": {"en-0-house": 1}, "r": {"en-0-house": 1}}
