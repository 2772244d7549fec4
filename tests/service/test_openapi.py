"""The OpenAPI document: true, in the repository, and what the service keeps to."""

import importlib
import json
import os
import pkgutil
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from pydantic import BaseModel
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dragoman.service import schemas
from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.openapi import document_text
from dragoman.service.schemas.examples import EXAMPLES
from small_service import BASE

STORED = Path(__file__).parents[2] / "docs" / "openapi.json"
REWRITE = "run: python tools/openapi_document.py"
CALLS = int(os.environ.get("DRAGOMAN_SCHEMATHESIS", "6"))  # of every operation
OPERATIONS = [
    (path, method)
    for path, methods in create_app(Catalog()).openapi()["paths"].items()
    for method in methods
]
SENT = ("method", "url", "headers", "params", "content", "data", "json", "files")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def outline(document):
    """What a client relies on, whatever version of pydantic has written the document."""
    operations = {
        (path, method): (
            sorted((one["in"], one["name"], one["required"]) for one in item.get("parameters", [])),
            sorted(item["responses"]),
            item.get("requestBody", {}).get("content", {}).keys(),
        )
        for path, methods in document["paths"].items()
        for method, item in methods.items()
    }
    models = {
        name: (sorted(one.get("properties", {})), sorted(one.get("required", [])))
        for name, one in document["components"]["schemas"].items()
    }
    return operations, models


def models() -> dict[str, type[BaseModel]]:
    modules = [
        importlib.import_module(f"dragoman.service.schemas.{one.name}")
        for one in pkgutil.iter_modules(schemas.__path__)
    ]
    return {name: one for module in modules for name, one in vars(module).items()}


def test_the_document_in_the_repository_describes_the_service():
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert outline(stored) == outline(json.loads(document_text(create_app(Catalog())))), REWRITE


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_of_their_models(name):
    model = models()[name]
    assert set(model.model_validate(EXAMPLES[name]).model_fields_set) <= set(model.model_fields)


def test_every_path_declares_its_parameters():
    document = json.loads(document_text(create_app(Catalog())))
    for path, methods in document["paths"].items():
        named = {part.partition("}")[0] for part in path.split("{")[1:]}
        for item in methods.values():
            declared = {one["name"] for one in item.get("parameters", []) if one["in"] == "path"}
            assert declared == named, path


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_generated_request_breaks_the_service(client, path, method):
    api = schemathesis.openapi.from_dict(client.app.openapi())

    @settings(
        max_examples=CALLS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(api[path][method].as_strategy())
    def check(case):
        if "name" in case.path_parameters:
            case.path_parameters["name"] = "letters"
        case.headers = {**(case.headers or {}), "X-Dragoman": "1"}
        sent = case.as_transport_kwargs(base_url=BASE)
        sent = {name: value for name, value in sent.items() if name in SENT}
        if "files" in sent:  # httpx takes texts and bytes
            sent["files"] = [(name, str(value)) for name, value in sent["files"] or ()]
        case.validate_response(client.request(**sent), checks=CHECKS)

    check()
