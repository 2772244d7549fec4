"""Documents of an index are written and deleted, one by one or many as a task."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.service.bodies import media_type, parse_json, read_json, write_body
from dragoman.service.bodies import refuse_other_type as refuse_type
from dragoman.service.config import ServiceConfig
from dragoman.service.json_answers import json_bytes, json_response
from dragoman.service.problems import Problem
from dragoman.service.routes.tasks import accepted, task_fields, writer_of
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.writes import (
    AcceptedTask,
    Acknowledgement,
    DocumentBatch,
    DocumentBody,
    IdentifiedDocument,
    IdentifierHolder,
    json_body,
)
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.service.tasks.spool import SpoolWriter
from dragoman.service.tasks.store import StoredTask, TaskKind
from dragoman.service.tasks.write_problems import write_problems
from dragoman.service.tasks.writer import Writer
from dragoman.types import Document

router = APIRouter(tags=["documents"], responses=problems(401, 403, 404, 408, 413, 415, 507))

JSON, LINES = "application/json", "application/x-ndjson"
LARGEST_JSON = 16_000_000  # bytes of a batch that is one value
BODY = "body"


@router.put(
    "/documents/{doc_id:path}",
    response_model=Acknowledgement,
    openapi_extra=json_body(DocumentBody),
)
async def put_document(
    request: Request, state: ChosenState, index: ChosenIndex, doc_id: str
) -> Response:
    """Add a document, or replace the one with this id; it is on the disk when this answers."""
    identifier = checked_id(doc_id)
    body = await read_json(request, DocumentBody, state.config.body_bytes)
    with write_problems():
        writer = await writer_of(state, index)
        await asyncio.wrap_future(writer.put(body.document(identifier)))
    return json_response({"id": identifier, "acknowledged": True})


@router.delete("/documents/{doc_id:path}", status_code=204, response_class=Response)
async def delete_document(state: ChosenState, index: ChosenIndex, doc_id: str) -> Response:
    """Delete a document."""
    identifier = checked_id(doc_id)
    with write_problems():
        writer = await writer_of(state, index)
        existed = await asyncio.wrap_future(writer.delete(identifier))
    if not existed:
        raise Problem(404, "unknown_document", f"No document has the id {identifier!r}.")
    return Response(status_code=204)


@router.post(
    "/documents:batch",
    status_code=202,
    response_model=AcceptedTask,
    openapi_extra=json_body(DocumentBatch),
)
async def add_documents(request: Request, state: ChosenState, index: ChosenIndex) -> Response:
    """Add many documents as a task: one JSON value, or one document a line (x-ndjson)."""
    refuse_type(request, JSON, LINES)
    with write_problems():
        writer = await writer_of(state, index)
        async with accepted(request, state, writer) as data:
            await _receive(request, data.folder / BODY, state.config)
            work = _spooled_lines if media_type(request) == LINES else _spooled_value
            task = await asyncio.to_thread(work, writer, data)
    writer.wake()
    return json_response({"task": task_fields(task)}, 202)


def checked_id(doc_id: str) -> str:
    """The id in a path; a problem where no document may have it."""
    return parse_json(IdentifierHolder, json_bytes({"id": doc_id})).id


async def _receive(request: Request, path: Path, config: ServiceConfig) -> None:
    """Write a body to a file."""
    most = config.upload_bytes if media_type(request) == LINES else LARGEST_JSON
    with path.open("wb") as stream:
        await write_body(request, most, stream.write)


def _spooled_value(writer: Writer, data: SpoolWriter) -> StoredTask:
    batch = parse_json(DocumentBatch, (data.folder / BODY).read_bytes())
    return _spooled(writer, data, (one.document(one.id) for one in batch.documents))


def _spooled_lines(writer: Writer, data: SpoolWriter) -> StoredTask:
    return _spooled(writer, data, _lines(data.folder / BODY))


def _lines(path: Path) -> Iterator[Document]:
    """The documents of a file of lines; the first wrong one is a problem that names its line."""
    count = 0
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                count += 1
                one = parse_json(IdentifiedDocument, line, f"line {number}: ")
                yield one.document(one.id)
    if not count:
        raise Problem(422, "invalid_body", "Found no documents; expected one a line.")


def _spooled(writer: Writer, data: SpoolWriter, documents: Iterator[Document]) -> StoredTask:
    """Write the documents of a task to the disk, and accept it."""
    count = data.write_documents(documents)
    (data.folder / BODY).unlink()
    data.finish()
    return writer.store.accept(data.task_id, TaskKind.DOCUMENTS, count, {})
