"""Glosses of snippets."""

from dragoman.service.search.glosses import add_glosses


def test_hits_without_snippets_or_tables_have_no_gloss():
    hits = [
        {"snippet": None, "language": "de", "gloss": None},
        {"snippet": {"text": "Brot"}, "language": "rw", "gloss": None},
        {"snippet": {"text": "Brot"}, "language": "de", "gloss": None},
    ]
    add_glosses(hits, system=None, language="en")  # the shipped tables
    assert [hit["gloss"] for hit in hits[:2]] == [None, None]
    assert hits[2]["gloss"] == "bread"
