"""What can be done with an index, as the calls of a service that do it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from dragoman.errors import ServiceError, UserError
from dragoman.indexes.arguments import check_query
from dragoman.indexes.filters import condition_text
from dragoman.indexes.search.answer import Answer, shown_metadata
from dragoman.indexes.search.explanation_view import ExplanationView
from dragoman.indexes.search.listing import DocumentEntry
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.service.clients.calls import Call, Operation, document_path
from dragoman.service.clients.replies import (
    Fields,
    answer_of,
    document_of,
    entry_of,
    ranking_of,
    view_of,
)
from dragoman.service.config import LONGEST_PIECE, MOST_PER_PAGE
from dragoman.types import Document, Query, Ranking

UNKNOWN_DOCUMENT = "unknown_document"
READINGS = 3  # of a document that changes between its pieces
ENTRIES = 200  # of a list in one answer
FEW, FEW_LETTERS = 10, 100_000  # documents that are quicker written one by one than as a task
PORTION, PORTION_LETTERS = 2_000, 1_000_000  # of a batch, which may have 16 MB
POLLING = 0.5  # seconds between questions whether a task is done


def search(
    text: str,
    k: int,
    *,
    language: str,
    scope: Scope,
    rerank: Rerank | str | None,
    group: bool,
    snippet_length: int,
    texts: bool,
) -> Operation[Answer]:
    """The ``k`` best documents for a query."""
    check_query(text, k)
    body = {
        **search_body(Query("query", text, language), scope, rerank),
        "group": group,
        "snippet_length": snippet_length,
        "links": True,
        "texts": texts,
    }
    (pages,) = yield from ranked_pages([body], k, has_filter=bool(scope.allowed))
    known: dict[str, str] = {}
    for hit in [hit for page in pages for hit in page["hits"]] if texts else ():
        text_of_hit = hit["text"]
        if text_of_hit is None:  # no room in the answer
            text_of_hit = (yield from get(hit["id"])).text
        known[hit["id"]] = text_of_hit
    return answer_of(pages, known)


def rank(
    queries: Sequence[Query], k: int, *, scope: Scope, rerank: Rerank | str | None
) -> Operation[list[Ranking]]:
    """A ranking for each of a few queries."""
    bodies = [{**search_body(one, scope, rerank), "snippet_length": 0} for one in queries]
    lists = yield from ranked_pages(bodies, k, has_filter=bool(scope.allowed))
    return [ranking_of(one.query_id, pages) for one, pages in zip(queries, lists, strict=True)]


def search_body(query: Query, scope: Scope, rerank: Rerank | str | None) -> dict[str, Any]:
    """A search as ``search:batch`` takes it."""
    return {
        "query": query.text,
        "language": query.language,
        "languages": ",".join(scope.allowed.languages),
        "where": [*map(condition_text, scope.allowed.conditions)],
        "balance": str(scope.balance),
        "rerank": rerank_name(rerank),
        "group": False,
        "parts": True,
    }


def rerank_name(rerank: Rerank | str | None) -> str:
    """The system that re-ranks; a service does it with settings of its own."""
    if rerank is None or isinstance(rerank, str):
        return rerank or ""
    if rerank != Rerank(rerank.system):
        raise UserError(
            "A service re-ranks with its own settings; leave out the weight, the depth and the"
            " seconds of the re-ranking, or search the folder of the index."
        )
    return rerank.system


def ranked_pages(
    bodies: Sequence[dict[str, Any]], k: int, *, has_filter: bool
) -> Operation[list[list[Fields]]]:
    """For each search the pages of its ranking down to rank ``k``."""
    if k < 1:
        raise UserError(f"k is {k:,}; expected 1 or more.")
    pages: list[list[Fields]] = [[] for _ in bodies]
    waiting = dict.fromkeys(range(len(bodies)), "")  # with cursors
    while waiting:
        left = {number: k - MOST_PER_PAGE * len(pages[number]) for number in waiting}
        searches = [
            {**bodies[number], "k": min(left[number], MOST_PER_PAGE), "cursor": cursor}
            for number, cursor in waiting.items()
        ]
        reply = yield Call("POST", "/search:batch", body={"searches": searches})
        answers = dict(zip(waiting, reply["answers"], strict=True))
        yield from refuse_depth(k, [one["window"] for one in answers.values()], has_filter)
        for number, answer in answers.items():
            pages[number].append(answer)
        waiting = {
            number: answer["next"]
            for number, answer in answers.items()
            if answer["next"] and left[number] > MOST_PER_PAGE
        }
    return pages


def refuse_depth(k: int, windows: Sequence[Fields], has_filter: bool) -> Operation[None]:
    """Refuse rankings that are deeper than those of the service."""
    limit = windows[0]["limit"]
    if k <= limit:
        return
    is_cut = any(window["hits"] >= limit for window in windows)
    if not is_cut and not has_filter:  # another query might have more hits: refused at once
        is_cut = (yield from stats())["documents"] > limit
    if is_cut:
        raise UserError(
            f"k is {k:,}; this service ranks at most {limit:,} documents a query. Use -k {limit},"
            " or the folder of the index."
        )


def get(doc_id: str) -> Operation[Document]:
    """A document, read in pieces; an unknown id is an error."""
    for _ in range(READINGS):
        pieces: list[str] = []
        start, letters = 0, None
        while letters is None or start < letters:
            wanted = (("start", str(start)), ("length", str(LONGEST_PIECE)))
            fields = yield Call("GET", document_path(doc_id), wanted)
            if letters not in (None, fields["letters"]) or (
                fields["end"] <= start < fields["letters"]
            ):
                break  # it was changed meanwhile
            pieces.append(fields["text"])
            start, letters = fields["end"], fields["letters"]
        else:
            return document_of(fields, "".join(pieces))
    raise ServiceError(f"The document {doc_id!r} changes while it is read; try again.")


def documents(doc_ids: Sequence[str]) -> Operation[list[Document | None]]:
    """The documents in the order of ``doc_ids``; None where one does not exist."""
    found: list[Document | None] = []
    for doc_id in doc_ids:
        try:
            found.append((yield from get(doc_id)))
        except ServiceError as error:
            if error.code != UNKNOWN_DOCUMENT:
                raise
            found.append(None)
    return found


def entries(scope: Scope, sort: str, cursor: str) -> Operation[tuple[list[DocumentEntry], str]]:
    """Some documents of a list, and the cursor of those after them; empty at the end."""
    wanted = [("limit", str(ENTRIES)), ("sort", sort), ("cursor", cursor)]
    wanted += [("languages", ",".join(scope.allowed.languages))]
    wanted += [("where", condition_text(one)) for one in scope.allowed.conditions]
    fields = yield Call("GET", "/documents", tuple(pair for pair in wanted if pair[1]))
    return [*map(entry_of, fields["documents"])], fields["next"] or ""


def explain(text: str, doc_id: str, language: str) -> Operation[ExplanationView]:
    """All that is shown of an explanation."""
    wanted = (("query", text), ("id", doc_id), *((("language", language),) if language else ()))
    return view_of((yield Call("GET", "/explain", wanted)))


def stats() -> Operation[Fields]:
    """What the index holds and how it was built."""
    fields: Fields = yield Call("GET", "/stats")
    return fields


def add(documents: Sequence[Document]) -> Operation[None]:
    """Add documents, or replace those with their ids: a few one by one, many as a task.

    They are in the index when this ends.
    """
    if len(documents) <= FEW and sum(len(one.text) for one in documents) <= FEW_LETTERS:
        for one in documents:
            yield Call("PUT", document_path(one.doc_id), body=document_body(one))
        return
    bodies = [{"id": one.doc_id, **document_body(one)} for one in documents]
    reply = yield Call("POST", "/documents:batch", body={"documents": bodies})
    path = f"/tasks/{reply['task']['id']}"
    task: Fields = yield Call("GET", path)
    while task["state"] in ("queued", "running"):
        task = yield Call("GET", path, after=POLLING)
    if task["state"] != "done":
        raise ServiceError(f"Documents could not be added ({task['state']}): {task['reason']}")


def document_body(document: Document) -> dict[str, Any]:
    """A document as the service takes it, without its id."""
    return {
        "text": document.text,
        "title": document.title,
        "language": document.language,
        "metadata": shown_metadata(document),
    }


def portions(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The documents in portions that fit into one batch each."""
    portion: list[Document] = []
    letters = 0
    for document in documents:
        letters += len(document.text)
        if portion and (len(portion) == PORTION or letters > PORTION_LETTERS):
            yield portion
            portion, letters = [], len(document.text)
        portion.append(document)
    if portion:
        yield portion


def delete(doc_ids: Collection[str] | Iterable[str]) -> Operation[int]:
    """Delete documents; returns how many of them existed."""
    count = 0
    for doc_id in doc_ids:
        try:
            yield Call("DELETE", document_path(doc_id))
        except ServiceError as error:
            if error.code != UNKNOWN_DOCUMENT:
                raise
        else:
            count += 1
    return count
