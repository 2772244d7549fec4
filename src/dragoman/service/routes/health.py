"""Whether the process lives, and whether it can answer searches."""

import asyncio

from fastapi import APIRouter
from starlette.responses import Response

from dragoman.service.json_answers import json_response
from dragoman.service.problems import Problem
from dragoman.service.schemas.indexes import HealthAnswer
from dragoman.service.schemas.problems import problems
from dragoman.service.state import ChosenState

router = APIRouter(tags=["service"])


@router.get("/health", response_model=HealthAnswer)
async def health() -> Response:
    """The process is alive."""
    return json_response({"status": "alive"})


@router.get("/ready", response_model=HealthAnswer, responses=problems())
async def ready(state: ChosenState) -> Response:
    """Every index is open and loaded; 503 before that, and while a cluster cannot answer."""
    if not state.catalog.is_warm:
        detail = "The indexes are being loaded; searches are slow until then."
        raise Problem(503, "not_ready", detail, {"Retry-After": "1"})
    if detail := await asyncio.to_thread(state.catalog.unready):
        raise Problem(503, "not_ready", detail, {"Retry-After": "1"})
    return json_response({"status": "ready"})
