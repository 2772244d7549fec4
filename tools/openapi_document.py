"""Write docs/openapi.json, the description of the HTTP API: python tools/openapi_document.py."""

from pathlib import Path

from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.openapi import document_text

TARGET = Path(__file__).parent.parent / "docs" / "openapi.json"

if __name__ == "__main__":
    TARGET.write_text(document_text(create_app(Catalog())), encoding="utf-8")
    print(f"wrote {TARGET}")
