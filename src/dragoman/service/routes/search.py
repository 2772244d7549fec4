"""Searches of an index."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from dragoman.indexes.index import Index
from dragoman.indexes.search.results import results_of
from dragoman.service.admission import Ticket
from dragoman.service.answer_fields import hits_fields, language_fields
from dragoman.service.config import WINDOW
from dragoman.service.json_answers import json_response
from dragoman.service.schemas.problems import problems
from dragoman.service.schemas.search import SearchAnswer, SearchParameters
from dragoman.service.state import ChosenIndex, ChosenState
from dragoman.text.languages import parse_list

router = APIRouter(tags=["search"], responses=problems(404, 410))


@router.get("/search", response_model=SearchAnswer)
async def search(
    request: Request,
    state: ChosenState,
    index: ChosenIndex,
    wanted: Annotated[SearchParameters, Query()],
) -> Response:
    """The best documents for a query in any language."""
    fields = await state.workers.run(
        request.receive, lambda ticket: search_fields(index, wanted, ticket)
    )
    return json_response(fields)


def search_fields(index: Index, wanted: SearchParameters, ticket: Ticket) -> dict[str, Any]:
    """The answer to one search."""
    query, detection = index.query(wanted.query, wanted.language)
    within = parse_list(wanted.languages) if wanted.languages else None
    scope = index.scope(within, wanted.where, wanted.balance)
    with index.snapshot() as snapshot:
        ranking = index.rank_in(snapshot, query, WINDOW, scope, None)
        ticket.check()
        length = wanted.snippet_length
        results = results_of(index.system, snapshot, query, ranking.hits[: wanted.k], length)
    return {
        "query": wanted.query,
        "language": language_fields(query, detection),
        "hits": hits_fields(results, 1, snippets=length > 0, parts=wanted.parts),
        "window": {"hits": len(ranking.hits), "limit": WINDOW},
        "facets": {},
        "next": None,
        "warnings": [*index.query_warnings(query), *ranking.warnings],
        "verdict": None,
        "snapshot": str(snapshot.generation),
    }
