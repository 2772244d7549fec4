"""Documents of an index: lists, single ones, similar ones."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from dragoman.indexes.index import Index
from dragoman.indexes.search.answer import shown_metadata
from dragoman.indexes.search.results import matched_words
from dragoman.indexes.search.similar import similar_documents
from dragoman.indexes.search.snippets import word_spans
from dragoman.service.admission import Ticket
from dragoman.service.config import LONGEST_ID
from dragoman.service.json_answers import json_response
from dragoman.service.problems import Problem
from dragoman.service.schemas.documents import (
    DocumentAnswer,
    DocumentList,
    DocumentParameters,
    ListParameters,
    SimilarAnswer,
    SimilarParameters,
)
from dragoman.service.schemas.problems import problems
from dragoman.service.search.answer_fields import hits_fields
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.text.languages import name, parse_list
from dragoman.types import Document

SIMILAR, QUOTED_SIMILAR = ":similar", b"%3asimilar"  # the quoted one is the end of an id


class DocumentRoute(APIRoute):
    """A route of documents: a quoted colon belongs to the id of a document."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the route is meant, by the path as it was sent."""
        is_quoted = scope.get("raw_path", b"").lower().endswith(QUOTED_SIMILAR)
        if is_quoted and self.path.endswith(SIMILAR):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(tags=["documents"], route_class=DocumentRoute)

DocumentId = Annotated[
    str,
    Path(
        min_length=1, max_length=LONGEST_ID, description="May hold slashes.", examples=["a/b.pdf"]
    ),
]


@router.get("/documents", response_model=DocumentList, responses=problems(404, 410))
async def documents(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    wanted: Annotated[ListParameters, Query()],
) -> Response:
    """The documents that a filter selects, without their texts.

    A list by id can be continued while the index changes; others are bound to the documents there.
    """
    fields = await state.workers.run(request.receive, lambda _: state.lists.answer(index, wanted))
    return json_response(fields)


@router.get(
    "/documents/{doc_id:path}:similar", response_model=SimilarAnswer, responses=problems(404)
)
async def similar(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    doc_id: DocumentId,
    wanted: Annotated[SimilarParameters, Query()],
) -> Response:
    """The documents most like this one, in any language.

    The colon is a sign of the API here; that of an id which ends in `:similar` is written `%3A`.
    """

    def work(_: Ticket) -> dict[str, Any]:
        within = parse_list(wanted.languages) if wanted.languages else None
        answer = similar_documents(index, stored_document(index, doc_id), wanted.k, within)
        hits = hits_fields(answer.results, 1, snippets=True)
        return {"id": doc_id, "hits": hits, "warnings": [*answer.warnings]}

    return json_response(await state.workers.run(request.receive, work))


@router.get("/documents/{doc_id:path}", response_model=DocumentAnswer, responses=problems(404))
async def document(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    doc_id: DocumentId,
    wanted: Annotated[DocumentParameters, Query()],
) -> Response:
    """One document, or a piece of a long one; with a query, its matched words are marked."""

    def work(_: Ticket) -> dict[str, Any]:
        return document_fields(index, stored_document(index, doc_id), wanted)

    return json_response(await state.workers.run(request.receive, work))


def stored_document(index: Index, doc_id: str) -> Document:
    """The document with an id; a problem where there is none."""
    (stored,) = index.documents([doc_id])
    if stored is None:
        raise Problem(404, "unknown_document", f"No document has the id {doc_id!r}.")
    return stored


def document_fields(index: Index, stored: Document, wanted: DocumentParameters) -> dict[str, Any]:
    """A document, or a piece of it, with the words that match a query marked."""
    start = min(wanted.start, len(stored.text))
    piece = stored.text[start : start + wanted.length]
    words: tuple[str, ...] = ()
    if wanted.query.strip():
        query, _ = index.query(wanted.query, wanted.language)
        with index.snapshot() as snapshot:
            words = matched_words(index.system, snapshot, query, stored)
    return {
        "id": stored.doc_id,
        "language": stored.language,
        "language_name": name(stored.language),
        "title": stored.title,
        "text": piece,
        "letters": len(stored.text),
        "start": start,
        "end": start + len(piece),
        "marks": word_spans(piece, words),
        "metadata": shown_metadata(stored),
    }
