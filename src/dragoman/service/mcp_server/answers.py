"""JSON of the service -> answers of tools, each below a number of letters."""

import json
from collections.abc import Mapping
from typing import Any

from dragoman.text.languages import name

Fields = Mapping[str, Any]

REASONS = 5  # matched words of a hit
LONGEST_TITLE = 200  # letters
LONGEST_METADATA = 1_000  # letters; more is left out
BY_VECTORS = "by meaning: no word of the query matches"


def compact(fields: Fields) -> str:
    """The fields as JSON without blanks, in the letters of their languages."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def search_answer(fields: Fields, size: int) -> tuple[dict[str, Any], int]:
    """The answer to a search, with as many hits as fit ``size`` letters, and their number.

    One hit is always there, so that a cursor gets further.
    """
    language = fields["language"]
    answer: dict[str, Any] = {
        "query_language": f"{language['name']} ({language['code']}), {language['reason']}",
        "hits": [hit_answer(hit) for hit in fields["hits"]],
        "ranked": fields["window"]["hits"],
        "next": fields["next"],
    }
    if fields["warnings"]:
        answer["warnings"] = fields["warnings"]
    if fields.get("verdict"):
        answer["verdict"] = fields["verdict"]
    hits = answer["hits"]
    while len(hits) > 1 and len(compact(answer)) > size:
        hits.pop()
    return answer, len(hits)


def hit_answer(hit: Fields) -> dict[str, Any]:
    """A hit: its id, language and snippet, and why it was found."""
    snippet = hit["snippet"]
    answer = {
        "rank": hit["rank"],
        "id": hit["id"],
        "language": f"{hit['language_name']} ({hit['language']})",
        "title": hit["title"][:LONGEST_TITLE],
        "score": round(hit["score"], 3),
        "match": hit["match"],
        "snippet": snippet["text"],
        "gloss": hit["gloss"],
        "start": snippet["start"],
        "why": reasons(hit),
        "file": hit["file"],
        "page": hit["page"],
    }
    return {key: value for key, value in answer.items() if value not in (None, "")}


def reasons(hit: Fields) -> list[str]:
    """The strongest matches, word of the query -> word of the document."""
    pairs = dict.fromkeys(f"{one['query_word']} -> {one['document_word']}" for one in hit["links"])
    return [*pairs][:REASONS] or [BY_VECTORS]


def passage_answer(fields: Fields, size: int) -> dict[str, Any]:
    """A document or a passage of it; ``next`` is where the text goes on."""
    answer: dict[str, Any] = {
        "id": fields["id"],
        "language": f"{fields['language_name']} ({fields['language']})",
        "title": fields["title"][:LONGEST_TITLE],
        "letters": fields["letters"],
        "start": fields["start"],
        "end": fields["end"],
        "next": None,
        "text": fields["text"],
    }
    metadata = fields["metadata"]
    if metadata and len(compact(metadata)) <= LONGEST_METADATA:
        answer["metadata"] = metadata
    while (over := len(compact(answer)) - size) > 0 and answer["text"]:
        answer["text"] = answer["text"][:-over]
    answer["end"] = answer["start"] + len(answer["text"])
    if answer["end"] < answer["letters"]:
        answer["next"] = answer["end"]
    return answer


def languages_answer(stats: Fields) -> dict[str, Any]:
    """The languages of an index, those with most documents first."""
    counts = sorted(stats["languages"].items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        "documents": stats["documents"],
        "languages": [
            {"code": code, "name": name(code), "documents": count} for code, count in counts
        ],
        "glossed": stats["tables"],
    }
