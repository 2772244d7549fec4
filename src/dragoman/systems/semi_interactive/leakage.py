"""Whether an evaluation query is among the relevant queries of a document.

A document that is read together with the very query that asks for it is found by any model. Two
questions are the same where they have the same words, whatever their case, punctuation, width of
letters and language: a name is the same question in every language.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from dragoman.errors import InputError
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.types import Query

WORD = re.compile(r"\w+")


def normalize_query(text: str) -> str:
    """Equal for questions with the same words in the same order."""
    words = WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return " ".join(words) or text.strip()


def normalize_queries(queries: Iterable[Query]) -> frozenset[str]:
    """The different questions among queries."""
    return frozenset(normalize_query(query.text) for query in queries)


def refuse_leaks(examples: Iterable[RelevanceExample], evaluation_queries: Iterable[Query]) -> None:
    """Refuse examples whose documents are read with one of the evaluation queries."""
    asked = normalize_queries(evaluation_queries)
    checked: dict[str, bool] = {}
    for number, example in enumerate(examples, start=1):
        for query in example.relevant_queries:
            if query.text not in checked:
                checked[query.text] = normalize_query(query.text) in asked
            if checked[query.text]:
                raise InputError(
                    "examples",
                    number,
                    found=f"the evaluation query {query.text!r} among the relevant queries of"
                    f" {example.document.doc_id!r}",
                    expected="no evaluation query there: the measures would be worth nothing",
                    advice="Give the evaluation queries as `excluded` when collecting them.",
                )


def exclude_queries(queries: Sequence[Query], excluded: frozenset[str]) -> tuple[Query, ...]:
    """The queries that ask none of the ``excluded`` questions, each question once."""
    kept: dict[str, Query] = {}
    for query in queries:
        question = normalize_query(query.text)
        if question not in excluded:
            kept.setdefault(question, query)
    return tuple(kept.values())
