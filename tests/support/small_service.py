"""A service on small indexes, called without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.config import ServiceConfig
from small_index import small_index

BASE = "http://127.0.0.1:8080"


@contextmanager
def several_indexes(
    folder: Path, *names: str, config: ServiceConfig | None = None
) -> Iterator[TestClient]:
    """A client of a service with several indexes of the same documents."""
    catalog = Catalog([small_index(folder / name) for name in names])
    app = create_app(catalog, config, folder=folder / "state")
    headers = {"X-Dragoman": "1"}
    with TestClient(app, BASE, raise_server_exceptions=False, headers=headers) as client:
        yield client


@contextmanager
def small_service(folder: Path, config: ServiceConfig | None = None) -> Iterator[TestClient]:
    """A client of a service with one index, named ``letters``."""
    with several_indexes(folder, "letters", config=config) as client:
        yield client
