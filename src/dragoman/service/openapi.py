"""The API as an OpenAPI document, with examples; ``docs/openapi.json`` is written from it."""

import json
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from dragoman.service.schemas.examples import EXAMPLES
from dragoman.service.schemas.problems import ProblemAnswer

INDEX_NAME = {
    "name": "name",
    "in": "path",
    "required": True,
    "description": "The name of an index; with one index, `/v1/search` and its like need none.",
    "schema": {"type": "string", "examples": ["demo-index"]},
}


def add_document(app: FastAPI) -> None:
    """Let the application describe itself, with the problems that it answers and examples."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(app: FastAPI) -> dict[str, Any]:
    document: dict[str, Any] = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    schemas = document["components"]["schemas"]
    schemas["ProblemAnswer"] = ProblemAnswer.model_json_schema()
    for name, example in EXAMPLES.items():
        schemas[name]["example"] = example
    for path, operations in document["paths"].items():
        if "{name}" in path:
            for operation in operations.values():
                operation.setdefault("parameters", []).insert(0, INDEX_NAME)
    return document


def document_text(app: FastAPI) -> str:
    """The document as it is stored."""
    return json.dumps(app.openapi(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
