"""Documents of an index: lists and single ones."""

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.indexes.index import Index
from dragoman.indexes.search.answer import shown_metadata
from dragoman.indexes.search.listing import list_documents, select_numbers
from dragoman.service.admission import Ticket
from dragoman.service.answer_fields import listed_fields
from dragoman.service.json_answers import json_response
from dragoman.service.problems import Problem
from dragoman.service.schemas.indexes import (
    DocumentAnswer,
    DocumentList,
    DocumentParameters,
    ListParameters,
)
from dragoman.service.schemas.problems import problems
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.text.languages import name, parse_list
from dragoman.types import Document

router = APIRouter(tags=["documents"], responses=problems(404))


@router.get("/documents", response_model=DocumentList)
async def documents(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    wanted: Annotated[ListParameters, Query()],
) -> Response:
    """The documents that a filter selects, without their texts."""
    fields = await state.workers.run(request.receive, lambda _: list_fields(index, wanted))
    return json_response(fields)


@router.get("/documents/{doc_id:path}", response_model=DocumentAnswer)
async def document(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    doc_id: str,
    wanted: Annotated[DocumentParameters, Query()],
) -> Response:
    """One document, or a piece of a long one."""

    def work(_: Ticket) -> dict[str, Any]:
        return document_fields(stored_document(index, doc_id), wanted)

    return json_response(await state.workers.run(request.receive, work))


def list_fields(index: Index, wanted: ListParameters) -> dict[str, Any]:
    """The first documents that a filter selects."""
    within = parse_list(wanted.languages) if wanted.languages else None
    chosen = index.scope(within, wanted.where).allowed
    with index.snapshot() as snapshot:
        total = len(select_numbers(snapshot, chosen))
        some = islice(list_documents(snapshot, chosen, wanted.sort), wanted.limit)
        return {"documents": [*map(listed_fields, some)], "total": total, "next": None}


def stored_document(index: Index, doc_id: str) -> Document:
    """The document with an id; a problem where there is none."""
    (stored,) = index.documents([doc_id])
    if stored is None:
        raise Problem(404, "unknown_document", f"No document has the id {doc_id!r}.")
    return stored


def document_fields(stored: Document, wanted: DocumentParameters) -> dict[str, Any]:
    """A document, or a piece of it."""
    piece = stored.text[wanted.start : wanted.start + wanted.length]
    return {
        "id": stored.doc_id,
        "language": stored.language,
        "language_name": name(stored.language),
        "title": stored.title,
        "text": piece,
        "letters": len(stored.text),
        "start": min(wanted.start, len(stored.text)),
        "end": min(wanted.start + wanted.length, len(stored.text)),
        "marks": [],
        "metadata": shown_metadata(stored),
    }
