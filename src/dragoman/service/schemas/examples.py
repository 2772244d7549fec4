"""Answers of the service on the sample collection, for the OpenAPI document."""

from typing import Any

_SNIPPET: dict[str, Any] = {
    "text": "…дрожжи выделяют газ, и тесто поднимается вдвое.…",
    "marks": [[30, 41]],
    "start": 149,
    "end": 197,
}
_HIT: dict[str, Any] = {
    "rank": 1,
    "id": "bread-ru",
    "score": 5.763,
    "match": None,
    "language": "ru",
    "language_name": "Russian",
    "title": "Домашний хлеб",
    "snippet": _SNIPPET,
    "file": None,
    "page": None,
    "heading": None,
    "modified": None,
    "metadata": {"topic": "bread", "group": "food"},
    "members": [],
}
EXAMPLES: dict[str, Any] = {  # by the name of the model
    "SearchAnswer": {
        "query": "why does bread rise",
        "language": {
            "code": "en",
            "name": "English",
            "detected": True,
            "reason": "by its letters",
        },
        "hits": [_HIT],
        "window": {"hits": 345, "limit": 500},
        "facets": {"language": [{"value": "ar", "count": 30}, {"value": "de", "count": 29}]},
        "next": "0nqGdCUMW4zrnI0zGd0T_wFpGw0hAAAAAAAAAAAAAAAB",
        "warnings": [],
        "verdict": None,
        "snapshot": "c06d2b4c8f72-1",
    },
    "SimilarAnswer": {"id": "bread-en", "hits": [_HIT], "warnings": []},
    "DocumentAnswer": {
        "id": "bread-ru",
        "language": "ru",
        "language_name": "Russian",
        "title": "Домашний хлеб",
        "text": "Смешайте муку, воду, соль",
        "letters": 386,
        "start": 0,
        "end": 25,
        "marks": [],
        "metadata": {"topic": "bread", "group": "food"},
    },
    "ExplanationAnswer": {
        "query": "bread",
        "language": "en",
        "language_name": "English",
        "document": {
            "id": "bread-ru",
            "language": "ru",
            "language_name": "Russian",
            "title": "Домашний хлеб",
        },
        "score": 5.763,
        "parts": [{"system": "psq", "score": 9.1, "added": 3.2}],
        "by_vectors": False,
        "links": [{"query_word": "bread", "document_word": "хлеб", "weight": 2.71, "share": 0.64}],
        "passage": "Готовый хлеб",
        "marks": [[8, 12]],
        "gloss": "finished bread",
        "words": [
            {"surface": "Готовый", "gloss": "finished", "kind": "word", "word": "Готовый"},
            {"surface": " ", "gloss": None, "kind": "between", "word": ""},
            {"surface": "хлеб", "gloss": "bread", "kind": "word", "word": "хлеб"},
        ],
        "warning": None,
        "matches": [],
    },
}
