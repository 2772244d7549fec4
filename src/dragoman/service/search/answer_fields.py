"""Results of an index -> the fields of an answer."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from dragoman.indexes.search.answer import GroupMember, Result, shown_metadata
from dragoman.indexes.search.snippets import Snippet
from dragoman.service.config import LONGEST_PIECE
from dragoman.text.language_detection import Detection
from dragoman.text.languages import name
from dragoman.types import Document, Query


def language_fields(query: Query, detection: Detection | None) -> dict[str, Any]:
    """The language of a query, and how it was found out."""
    return {
        "code": query.language,
        "name": name(query.language),
        "detected": detection is not None,
        "reason": detection.reason if detection is not None else "as declared",
        "certain": detection is None or detection.certain,
        "probability": detection.probability if detection is not None else 1.0,
    }


def hits_fields(
    results: Sequence[Result],
    first: int,
    *,
    snippets: bool,
    parts: bool = False,
    links: bool = False,
    texts: bool = False,
) -> list[dict[str, Any]]:
    """The hits of a page whose first has the rank ``first``."""
    room = LONGEST_PIECE if texts else 0
    fields = [hit_fields(rank, one) for rank, one in enumerate(results, start=first)]
    for mine, result in zip(fields, results, strict=True):
        if snippets:
            mine["snippet"] = snippet_fields(result.snippet)
        if parts:
            mine["parts"] = [part._asdict() for part in result.hit.parts]
        if links:
            mine["links"] = [asdict(link) for link in result.links]
        if texts:
            fits = len(text := result.document.text) <= room
            mine["text"] = text if fits else None
            room -= len(text) if fits else 0
    return fields


def member_fields(member: GroupMember) -> dict[str, Any]:
    """A copy or translation of a hit."""
    return {
        "id": member.doc_id,
        "score": member.score,
        "language": member.language,
        "title": member.title,
        "relation": str(member.relation),
    }


def snippet_fields(snippet: Snippet) -> dict[str, Any]:
    """A snippet; ``asdict`` would copy every mark."""
    return {
        "text": snippet.text,
        "marks": snippet.marks,
        "start": snippet.start,
        "end": snippet.end,
        "met": snippet.met,
    }


def hit_fields(rank: int, result: Result) -> dict[str, Any]:
    """One hit without its snippet."""
    document, section = result.document, result.section
    return {
        "rank": rank,
        "id": document.doc_id,
        "score": result.hit.score,
        "match": result.match and str(result.match),
        "language": document.language,
        "language_name": name(document.language),
        "title": document.title,
        "snippet": None,
        "file": document.metadata.get("path"),
        "page": section.page or None,
        "heading": section.heading or None,
        "modified": document.metadata.get("modified"),
        "metadata": shown_metadata(document),
        "members": [member_fields(member) for member in result.members],
    }


def listed_fields(document: Document) -> dict[str, Any]:
    """A document as lists show it: without its text."""
    return {
        "id": document.doc_id,
        "language": document.language,
        "language_name": name(document.language),
        "title": document.title,
        "letters": len(document.text),
        "metadata": shown_metadata(document),
    }
