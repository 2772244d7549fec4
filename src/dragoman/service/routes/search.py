"""Searches of an index: one, or several at a time."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.service.admission import Ticket
from dragoman.service.json_answers import json_response
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.search import (
    BatchAnswer,
    BatchParameters,
    SearchAnswer,
    SearchParameters,
)
from dragoman.service.state import ChosenIndex, ChosenState

router = APIRouter(tags=["search"])


@router.get("/search", response_model=SearchAnswer, responses=problems(404, 410))
async def search(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    wanted: Annotated[SearchParameters, Query()],
) -> Response:
    """The best documents for a query in any language.

    A ranking is computed once to a window of 500 hits; pages and facets are taken from it.
    """
    fields = await state.workers.run(
        request.receive, lambda ticket: state.searching.answer(index, wanted, ticket)
    )
    return json_response(fields)


@router.post("/search:batch", response_model=BatchAnswer, responses=problems(404, 410, 413))
async def search_batch(
    request: Request, state: ChosenState, index: ChosenIndex, wanted: BatchParameters
) -> Response:
    """Several searches; the answers are in their order."""

    def work(ticket: Ticket) -> list[dict[str, Any]]:
        answers = []
        for one in wanted.searches:
            ticket.check()
            answers.append(state.searching.answer(index, one, ticket))
        return answers

    return json_response({"answers": await state.workers.run(request.receive, work)})
