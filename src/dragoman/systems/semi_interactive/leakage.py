"""Data leakage: evaluation queries among the relevant queries of a document.

Any model finds a document that is encoded with the evaluation query itself. Two queries are the
same if they have the same words, whatever their case, punctuation, character width and language: a
name is the same query in every language.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from dragoman.errors import InputError
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.types import Query

WORD = re.compile(r"\w+")


def normalize_query(text: str) -> str:
    """The words of a query in normal form; equal for queries that are the same."""
    words = WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return " ".join(words) or text.strip()


def normalize_queries(queries: Iterable[Query]) -> frozenset[str]:
    """The distinct normal forms of queries."""
    return frozenset(normalize_query(query.text) for query in queries)


def refuse_leaks(examples: Iterable[RelevanceExample], evaluation_queries: Iterable[Query]) -> None:
    """Refuse examples whose documents have an evaluation query among their relevant queries."""
    forbidden = normalize_queries(evaluation_queries)
    leaks: dict[str, bool] = {}
    for number, example in enumerate(examples, start=1):
        for query in example.relevant_queries:
            if query.text not in leaks:
                leaks[query.text] = normalize_query(query.text) in forbidden
            if leaks[query.text]:
                raise InputError(
                    "examples",
                    number,
                    found=f"the evaluation query {query.text!r} among the relevant queries of"
                    f" {example.document.doc_id!r}",
                    expected="no evaluation query there: the measures would be worth nothing",
                    advice="Give the evaluation queries as `excluded` when collecting them.",
                )


def exclude_queries(queries: Sequence[Query], excluded: frozenset[str]) -> tuple[Query, ...]:
    """The queries that are not ``excluded``, in normal form, each once."""
    remaining: dict[str, Query] = {}
    for query in queries:
        normalized = normalize_query(query.text)
        if normalized not in excluded:
            remaining.setdefault(normalized, query)
    return tuple(remaining.values())
