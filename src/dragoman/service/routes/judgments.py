"""Judgments: thumbs of people who search, exported as qrels and queries."""

import asyncio
from enum import StrEnum
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.service.bodies import read_json
from dragoman.service.json_answers import json_response
from dragoman.service.judgments import (
    GivenJudgment,
    judgments_of,
    qrels,
    queries,
    store_judgment,
    withdraw_judgment,
)
from dragoman.service.problems import Problem
from dragoman.service.routes.documents import stored_document
from dragoman.service.routes.tasks import writer_of
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.writes import JudgmentBody, json_body
from dragoman.service.security.callers import caller
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.service.tasks.write_problems import write_problems

TABLES: dict[str, Any] = {"application/json": {}, "text/tab-separated-values": {}}
router = APIRouter(tags=["judgments"], responses=problems(401, 403, 404, 413, 415, 507))


class JudgmentFormat(StrEnum):
    """What judgments are exported as."""

    JSON = "json"
    QRELS = "qrels"
    QUERIES = "queries"


@router.post("/judgments", status_code=201, openapi_extra=json_body(JudgmentBody))
async def judge(request: Request, state: ChosenState, index: ChosenIndex) -> Response:
    """Store how good a document is for a query, in place of one's earlier judgment.

    A grade of null withdraws that.
    """
    body = await read_json(request, JudgmentBody, state.config.body_bytes)
    judge_name, grade = caller(request.scope).name, body.grade or 0
    given = GivenJudgment(body.query, body.language, body.id, body.system, judge_name, grade)
    with write_problems():
        writer = await writer_of(state, index)
        if body.grade is None:
            await asyncio.to_thread(withdraw_judgment, writer.store, given)
            return json_response({"acknowledged": True}, 201)
        await asyncio.to_thread(stored_document, index, body.id)
        stored = await asyncio.to_thread(store_judgment, writer.store, given)
    if not stored:
        detail = "There are too many judgments of this index; export them and remove some."
        raise Problem(409, "too_many_judgments", detail)
    return json_response({"acknowledged": True}, 201)


@router.get("/judgments", response_model=None, responses={200: {"content": TABLES}})
async def export_judgments(
    state: ChosenState,
    index: ChosenIndex,
    format: JudgmentFormat = JudgmentFormat.JSON,  # noqa: A002
) -> Response:
    """All judgments: as JSON, or the two tables that `dragoman evaluate` reads."""
    writer = state.writers.known(index)
    given = await asyncio.to_thread(judgments_of, writer.store) if writer is not None else []
    if format is JudgmentFormat.JSON:
        rows = [{**one._asdict(), "id": one.doc_id} for one in given]
        return json_response({"judgments": [_without(row, "doc_id") for row in rows]})
    table = qrels(given) if format is JudgmentFormat.QRELS else queries(given)
    return Response(table, media_type="text/tab-separated-values; charset=utf-8")


def _without(row: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in row.items() if key != name}
