"""Published CLIR data with English documents -> items: an English page and queries for it.

The data of Xu et al. 2021: foreign queries, English documents. A query belongs to the English
document that is the same article. Its text stands where collections that are built here have the
title of a page: it is the query, or a ready-made relevant query of the document. The title of an
article is the query where the files have it (Sasaki et al.'s), otherwise the query itself
(CLIRMatrix's queries are titles).
"""

from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.semi_interactive.task import TranslatedItem
from dragoman.text.collections.catalogue import PIVOT
from dragoman.text.collections.published import (
    RELATED,
    SAME,
    PublishedPair,
    drawn_split,
    find_pairs,
)
from dragoman.text.collections.splits import Split
from dragoman.text.files import Faults
from dragoman.types import Document, Query

MOST_HELD_OUT = (Split.TEST, Split.VALIDATION, Split.TRAIN)


def read_published_items(folder: Path) -> dict[str, TranslatedItem]:
    """Item name -> item, of all pairs with English documents; empty for any other folder."""
    found = find_pairs(folder)
    pairs = [pair for pair in found if pair.document_language == PIVOT]
    if found and not pairs:
        raise InputError(
            folder,
            None,
            found="no pair with English documents",
            expected="XX2en.rel and wiki_en.documents, or XX.en.train.jl and en.tsv",
        )
    pages: dict[str, dict[str, Document]] = {}
    splits: dict[str, set[Split]] = {}
    related: dict[str, set[str]] = {}
    for pair in pairs:
        _add_queries(pair, pages, splits, related)
    if pairs:
        for document in pairs[0].documents(Faults()):
            if document.doc_id in pages:
                pages[document.doc_id][PIVOT] = _english_page(document)
    return {
        name: TranslatedItem(name, _split(splits[name]), of_item, frozenset(related[name]))
        for name, of_item in pages.items()
        if PIVOT in of_item
    }


def _add_queries(
    pair: PublishedPair,
    pages: dict[str, dict[str, Document]],
    splits: dict[str, set[Split]],
    related: dict[str, set[str]],
) -> None:
    """The queries of a pair under the item that they ask for; those for no one item are left out.

    Where files have no splits, an item's depends on its name, so that its queries in all languages
    are in one.
    """
    faults, language = Faults(), pair.query_language
    judgments = pair.judgments(faults)
    for query in pair.queries(faults):
        grades = judgments.get(query.query_id, {})
        same = [doc_id for doc_id, grade in grades.items() if grade == SAME]
        if language == PIVOT or len(same) != 1:
            continue
        (name,) = same
        text = str(query.metadata.get("title") or query.text)
        title = Document(f"{language}:{name}", "", text, language)
        pages.setdefault(name, {}).setdefault(language, title)
        splits.setdefault(name, set()).add(_own_split(pair, query, name))
        near = {doc_id for doc_id, grade in grades.items() if grade == RELATED}
        related.setdefault(name, set()).update(near)


def _own_split(pair: PublishedPair, query: Query, name: str) -> Split:
    return drawn_split(name) if pair.judgment_file else Split(str(query.metadata["split"]))


def _english_page(document: Document) -> Document:
    return Document(f"{PIVOT}:{document.doc_id}", document.text, document.title, PIVOT)


def _split(found: set[Split]) -> Split:
    """The most held-out split that any query of an item is in."""
    return next(split for split in MOST_HELD_OUT if split in found)
