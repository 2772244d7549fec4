"""The indexes of a service."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.service.admission import Ticket
from dragoman.service.catalog import Catalog
from dragoman.service.json_answers import json_response
from dragoman.service.schemas.indexes import IndexAnswer
from dragoman.service.schemas.problems import problems
from dragoman.service.state import ChosenState

router = APIRouter(tags=["indexes"], responses=problems())


@router.get("/indexes", response_model=list[IndexAnswer])
async def list_indexes(request: Request, state: ChosenState) -> Response:
    """The indexes of this service."""

    def work(_: Ticket) -> list[dict[str, Any]]:
        return indexes_fields(state.catalog)

    return json_response(await state.workers.run(request.receive, work))


def indexes_fields(catalog: Catalog) -> list[dict[str, Any]]:
    """What the list of indexes says of each."""
    fields = []
    for name in catalog:
        index = catalog.get(name)
        assert index is not None
        languages = index.languages
        fields.append(
            {
                "name": name,
                "documents": sum(languages.values()),
                "languages": dict(languages),
                "system": index.manifest.system,
                "version": index.manifest.dragoman,
            }
        )
    return fields
