"""Hits -> results: their documents, the words that matched, and the passage worth showing."""

from collections.abc import Sequence
from dataclasses import replace

from dragoman.indexes.search.answer import Group, Result
from dragoman.indexes.search.match import match_qualities
from dragoman.indexes.search.snippets import snippet
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import System
from dragoman.types import Document, Hit, Link, Query

LEAST_SHARE = 1 / 20  # of the strongest link's share: what a matched word adds at least


def results_of(
    system: System, snapshot: Snapshot, query: Query, hits: Sequence[Hit], snippet_length: int
) -> list[Result]:
    """The hits with their documents and snippets; a length of 0 leaves the matched words out."""
    numbers = snapshot.numbers_of([hit.doc_id for hit in hits])
    documents = snapshot.documents(numbers)
    matches = match_qualities(system, snapshot, query, numbers)
    results = []
    for hit, document, match in zip(hits, documents, matches, strict=True):
        links = system.explain(snapshot, query, document).links if snippet_length else ()
        words = document_words(links)
        shown = snippet(document.text, words, snippet_length)
        results.append(Result(hit, document, words, shown, links, match=match))
    return results


def grouped_results(
    system: System, snapshot: Snapshot, query: Query, groups: Sequence[Group], snippet_length: int
) -> list[Result]:
    """The best hit of each group with its document, snippet and members."""
    hits = [group.hit for group in groups]
    results = results_of(system, snapshot, query, hits, snippet_length)
    return [
        replace(result, members=group.members)
        for result, group in zip(results, groups, strict=True)
    ]


def matched_words(
    system: System, snapshot: Snapshot, query: Query, document: Document
) -> tuple[str, ...]:
    """The document's words that match the query, the strongest first."""
    return document_words(system.explain(snapshot, query, document).links)


def document_words(links: Sequence[Link]) -> tuple[str, ...]:
    """The document's words that links join to the query, the strongest first.

    A word that adds next to nothing, such as a preposition, is not worth a mark.
    """
    least = LEAST_SHARE * max((link.share for link in links), default=0.0)
    return tuple(dict.fromkeys(link.document_word for link in links if link.share >= least))
