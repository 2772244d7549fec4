"""The relevant queries that a document is encoded with when it is indexed.

A document may have its own, as metadata ``relevant_queries``: a list of texts, or of
``{"text": ..., "lang": ...}``. Otherwise the setting ``relevant_queries`` names their source:

    titles     of the same item in other languages, among the documents of the first build
    none       no relevant queries
    FILE       a click log (see ``text/formats/clicks.py``), mined by click-through rate
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.errors import IndexFault, InputError
from dragoman.storage.staging import write_lines
from dragoman.systems.semi_interactive.relevant_queries import (
    RelevantQueries,
    mined_queries,
    ready_made_queries,
)
from dragoman.text.files import Faults
from dragoman.text.languages import canonical
from dragoman.text.source import read_clicks
from dragoman.types import Document, Query

METADATA = "relevant_queries"
TITLES, NONE = "titles", "none"
FILE = "relevant.jsonl"
SEED = 0  # of the sample of titles


@dataclass(frozen=True, slots=True)
class DocumentQueries:
    """Relevant queries by document id; those in a document's metadata take precedence."""

    by_id: RelevantQueries = field(default_factory=dict)

    def for_document(self, document: Document) -> tuple[Query, ...]:
        """The relevant queries of a document: its own, or those of its id."""
        given = document.metadata.get(METADATA)
        if given is None:
            return self.by_id.get(document.doc_id, ())
        if not isinstance(given, list | tuple):
            raise _misfit(document, given)
        return tuple(_query(document, value) for value in given)

    def save(self, folder: Path) -> None:
        """Write one line per document."""
        with write_lines(folder / FILE) as stream:
            for doc_id, queries in self.by_id.items():
                fields = [{"text": query.text, "lang": query.language} for query in queries]
                line = {"doc_id": doc_id, "queries": fields}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, folder: Path) -> "DocumentQueries":
        """What ``save`` wrote; refused if it is missing or damaged."""
        path = folder / FILE
        try:
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            return cls(dict(map(_parsed, lines)))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise IndexFault(
                f"{path}: found no relevant queries that can be read ({error}); restore the file"
                " from a copy, or build the index again."
            ) from error


def collect_queries(documents: Iterable[Document], source: str, most: int) -> DocumentQueries:
    """The relevant queries of ``documents`` from ``source``; only titles are read from them."""
    if not most or source == NONE:
        return DocumentQueries()
    if source == TITLES:
        rng = np.random.default_rng(SEED)
        return DocumentQueries(ready_made_queries(documents, most=most, rng=rng))
    return DocumentQueries(mined_queries(read_clicks(source, Faults()), most=most))


def _parsed(line: str) -> tuple[str, tuple[Query, ...]]:
    row = json.loads(line)
    queries = (Query(query["text"], query["text"], query["lang"]) for query in row["queries"])
    return row["doc_id"], tuple(queries)


def _query(document: Document, given: Any) -> Query:  # noqa: ANN401 - metadata is the user's
    if isinstance(given, str):
        return Query(given, given)
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise _misfit(document, given)
    code = str(given.get("lang") or "")
    return Query(given["text"], given["text"], canonical(code) if code else "")


def _misfit(document: Document, given: object) -> InputError:
    return InputError(
        f"document {document.doc_id!r}",
        None,
        found=f"{METADATA} {given!r}",
        expected='a list of texts, or of {"text": ..., "lang": ...}',
    )
