"""Snippets of hits -> the same word by word in the language of the query."""

from collections.abc import Iterable
from typing import Any

from dragoman.indexes.search.explanation_view import tables_of
from dragoman.indexes.system import System
from dragoman.lexicons.gloss import gloss, gloss_text, missing_table


def add_glosses(hits: Iterable[dict[str, Any]], system: System, language: str) -> None:
    """Add the gloss of its snippet to every hit; None where there is no snippet or no table."""
    tables = tables_of(system)
    for hit in hits:
        hit["gloss"] = None
        if hit["snippet"] is None or missing_table(hit["language"], language, tables):
            continue
        pieces = gloss(hit["snippet"]["text"], hit["language"], language, tables)
        hit["gloss"] = gloss_text(pieces)
