"""Files are uploaded and become documents, as a task."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.service.bodies import refuse_other_type, write_body
from dragoman.service.json_answers import json_response
from dragoman.service.routes.tasks import accepted, task_fields, writer_of
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.writes import AcceptedTask
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.service.tasks.spool import SpoolWriter
from dragoman.service.tasks.store import StoredTask, TaskKind
from dragoman.service.tasks.uploads import MultipartFiles
from dragoman.service.tasks.write_problems import write_problems
from dragoman.service.tasks.writer import Writer

router = APIRouter(tags=["tasks"], responses=problems(401, 403, 404, 408, 413, 415, 507))

FORM = "multipart/form-data"
FILES = {
    "requestBody": {
        "required": True,
        "content": {
            FORM: {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                            "description": "A file name may have folders: letters/may.pdf",
                        }
                    },
                }
            }
        },
    }
}


@router.post("/files", status_code=202, response_model=AcceptedTask, openapi_extra=FILES)
async def upload_files(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    replace: Annotated[
        bool, Query(description="Replace files of the same name instead of numbering them.")
    ] = False,
) -> Response:
    """Add files as a task; they are on the disk of the service when this answers."""
    refuse_other_type(request, FORM)
    with write_problems():
        writer = await writer_of(state, index)
        async with accepted(request, state, writer) as data:
            form = MultipartFiles(request.headers["content-type"], data)
            await write_body(request, state.config.upload_bytes, form.feed)
            form.finish()
            task = await asyncio.to_thread(_accept, writer, data, replace=replace)
    writer.wake()
    return json_response({"task": task_fields(task)}, 202)


def _accept(writer: Writer, data: SpoolWriter, *, replace: bool) -> StoredTask:
    """Flush the files to the disk, then record the task."""
    data.finish()
    options = {"replace": replace}
    return writer.store.accept(data.task_id, TaskKind.FILES, data.count, options)
