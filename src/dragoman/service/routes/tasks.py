"""Tasks of an index: what was accepted, how far it is, and how it ended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.indexes.index import Index
from dragoman.service.bodies import declared_size
from dragoman.service.json_answers import json_response
from dragoman.service.problems import Problem
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.writes import TaskAnswer, TaskList
from dragoman.service.state import ChosenIndex, ChosenState, ServiceState
from dragoman.service.tasks.spool import SpoolWriter
from dragoman.service.tasks.store import StoredTask, new_task_id
from dragoman.service.tasks.write_problems import write_problems
from dragoman.service.tasks.writer import Writer

router = APIRouter(tags=["tasks"], responses=problems(401, 403, 404))

MOST_WAITING = 1_000  # tasks that wait or run
MOST_UPLOADS = 8  # that are received at the same time


@router.get("/tasks", response_model=TaskList)
async def list_tasks(
    state: ChosenState,
    index: ChosenIndex,
    cursor: Annotated[str, Query(max_length=20, pattern=r"^\d*$")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """The last tasks, the newest first."""
    writer = state.writers.known(index)
    before = int(cursor) if cursor else None
    if before is not None and before >= 1 << 62:
        raise Problem(400, "bad_cursor", "This cursor is not one of the service.")
    stored: list[StoredTask] = []
    if writer is not None:
        stored = await asyncio.to_thread(writer.store.tasks, limit, before)
    following = str(stored[-1].number) if len(stored) == limit else None
    return json_response({"tasks": [*map(task_fields, stored)], "next": following})


@router.get("/tasks/{task_id}", response_model=TaskAnswer)
async def show_task(state: ChosenState, index: ChosenIndex, task_id: str) -> Response:
    """One task."""
    _, task = await _task(state, index, task_id)
    return json_response(task_fields(task))


@router.delete("/tasks/{task_id}", response_model=TaskAnswer)
async def cancel_task(state: ChosenState, index: ChosenIndex, task_id: str) -> Response:
    """Cancel a task; documents that it has added stay, and one that has ended stays as it is."""
    writer, task = await _task(state, index, task_id)
    with write_problems():
        await asyncio.to_thread(writer.cancel, task)
    _, now = await _task(state, index, task_id)
    return json_response(task_fields(now))


async def _task(state: ServiceState, index: Index, task_id: str) -> tuple[Writer, StoredTask]:
    writer = state.writers.known(index)
    task = await asyncio.to_thread(writer.store.get, task_id) if writer is not None else None
    if writer is None or task is None:
        raise Problem(404, "unknown_task", "No task of this index has this id.")
    return writer, task


def task_fields(task: StoredTask) -> dict[str, Any]:
    """A task as the API answers it."""
    return {
        "id": task.task_id,
        "kind": task.kind.value,
        "state": task.state.value,
        "done": task.done,
        "total": task.total,
        "added": task.added,
        "errors": [{"file": file, "reason": reason} for file, reason in task.errors],
        "reason": task.reason,
        "created": task.created,
        "finished": task.finished,
    }


async def writer_of(state: ServiceState, index: Index) -> Writer:
    """The writer of an index; a problem where its folder cannot be written."""

    def opened() -> Writer:
        if not index.store.is_writable:
            detail = "This service may only read the index: its folder cannot be written."
            if index.place != str(index.folder):
                detail = (
                    "This service only reads an index in a cluster; change it by `dragoman index"
                    f" --append --store {index.place}`, `sync --store` or `delete`."
                )
            raise Problem(409, "read_only", detail)
        return state.writers.of(index)

    return await asyncio.to_thread(opened)


@asynccontextmanager
async def accepted(
    request: Request, state: ServiceState, writer: Writer
) -> AsyncIterator[SpoolWriter]:
    """The data of a new task, if there is room for it; without an end nothing is left of it."""
    if state.writers.receiving >= MOST_UPLOADS:
        detail = "Too many uploads are being received; try again soon."
        raise Problem(503, "uploads_full", detail, {"Retry-After": "5"})
    if await asyncio.to_thread(writer.store.count_active) >= MOST_WAITING:
        detail = "Too many tasks wait; try again when some are done."
        raise Problem(503, "tasks_full", detail, {"Retry-After": "30"})
    if not writer.spool.has_room(declared_size(request)):
        detail = "The disk of the service has no room for this upload: nothing of it is stored."
        raise Problem(507, "disk_full", detail)
    state.writers.receiving += 1
    try:
        with writer.spool.begin(new_task_id()) as data:
            yield data
    finally:
        state.writers.receiving -= 1
