"""The indexes of a service, and what each holds."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from dragoman.indexes.index import Index
from dragoman.indexes.maintenance.description import describe
from dragoman.service.catalog import Catalog
from dragoman.service.json_answers import json_response
from dragoman.service.schemas.indexes import IndexAnswer, StatsAnswer
from dragoman.service.schemas.problems import problems
from dragoman.service.security.callers import caller
from dragoman.service.state import ChosenIndex, ChosenState

router = APIRouter(tags=["indexes"])
index_router = APIRouter(tags=["indexes"])  # of one index

SHOWN_STATS = ("documents", "languages", "bytes", "segments", "system", "built", "warnings")


@router.get("/indexes", response_model=list[IndexAnswer], responses=problems())
async def list_indexes(request: Request, state: ChosenState) -> Response:
    """The indexes of this service."""
    opens = caller(request.scope).opens
    fields = await state.workers.run(
        request.receive, lambda _: indexes_fields(state.catalog, opens)
    )
    return json_response(fields)


@index_router.get("/stats", response_model=StatsAnswer, responses=problems(404))
async def stats(request: Request, state: ChosenState, index: ChosenIndex) -> Response:
    """What an index holds, how it was built, and what can be filtered."""
    fields = await state.workers.run(request.receive, lambda _: stats_fields(index))
    return json_response({**fields, "rerankers": [*state.config.rerankers]})


def indexes_fields(catalog: Catalog, opens: Callable[[str], bool]) -> list[dict[str, Any]]:
    """What the list of indexes says of each."""
    fields = []
    for name, index in catalog.items():
        if not opens(name):
            continue
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


def stats_fields(index: Index) -> dict[str, Any]:
    """The facts about an index that readers may see: no paths of the machine."""
    facts = describe(index)
    tables = getattr(index.system, "tables", None)
    return {
        "name": index.name,
        **{name: facts[name] for name in SHOWN_STATS},
        "encoder": encoder_name(index.manifest.settings),
        "tables": [code for code in facts["languages"] if tables is not None and tables.has(code)],
        "fields": [field for field in facts["fields"] if not field.startswith("_")],
    }


def encoder_name(settings: Any) -> str | None:  # noqa: ANN401 - settings of any system
    """The name of the sentence encoder among the settings; a folder's name without its path."""
    if not isinstance(settings, dict):
        return None
    if isinstance(encoder := settings.get("encoder"), str):
        return encoder.partition("|")[0].partition(":")[0].rpartition("/")[2]
    return next(filter(None, map(encoder_name, settings.values())), None)
