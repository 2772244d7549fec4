"""Metrics for Prometheus."""

from fastapi import APIRouter
from starlette.responses import Response

from dragoman.service.metrics import CONTENT_TYPE
from dragoman.service.state import ChosenState

router = APIRouter(tags=["service"])


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(state: ChosenState) -> Response:
    """Counters and times in Prometheus' text format."""
    return Response(state.metrics.text(), media_type=CONTENT_TYPE)
