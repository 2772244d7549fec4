"""A service on a small index, called without a network."""

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
def small_service(folder: Path, config: ServiceConfig | None = None) -> Iterator[TestClient]:
    """A client of a service with one index, named ``letters``."""
    app = create_app(Catalog([small_index(folder / "letters")]), config)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client
