"""INDEX, as a command is given it -> an open index, of a folder or of a service."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from dragoman.errors import UserError

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.indexes.search.explanation_view import ExplanationView
    from dragoman.indexes.search.listing import DocumentEntry
    from dragoman.indexes.search.open_index import OpenIndex
    from dragoman.indexes.search.scope import Scope
    from dragoman.service.clients.remote_index import RemoteIndex

KEY = "DRAGOMAN_KEY"
LONGEST_KEY_FILE = 1000  # bytes

IndexPlace = Annotated[
    str,
    typer.Argument(
        metavar="INDEX",
        help="An index folder, the address of a service, as in http://127.0.0.1:8080, or an index"
        " in a cluster, as in qdrant://127.0.0.1:6333/news.",
        show_default=False,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        help=f"A file that holds the key of the service; by default {KEY} of the environment.",
        show_default=False,
    ),
]


def open_place(place: str, key_file: Path | None = None, *, texts: bool = True) -> "OpenIndex":
    """The open index; without ``texts`` a service leaves the texts of hits out."""
    import dragoman
    from dragoman.service.clients.address import is_address

    if is_address(place):
        return dragoman.connect(place, service_key(key_file), texts=texts)
    return dragoman.open(place)


def changeable_index(place: str) -> "Index":
    """The index in a folder or a cluster; that of a service is refused."""
    import dragoman
    from dragoman.cli.options import refuse_service
    from dragoman.cluster.address import is_cluster_address

    return dragoman.open(place if is_cluster_address(place) else refuse_service(Path(place)))


def folder_index(index: "OpenIndex") -> "Index":
    """The same index, for what needs its system; that of a service is refused."""
    from dragoman.indexes.index import Index

    if not isinstance(index, Index):
        address = _remote(index).address
        raise UserError(f"{address}: found the address of a service; this needs an index folder.")
    return index


def service_key(key_file: Path | None) -> str:
    """The key in a file, else in the environment; empty without one. Never on a command line."""
    if key_file is None:
        return os.environ.get(KEY, "").strip()
    content = key_file.read_bytes()
    try:
        key = content.decode("ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if not key or len(content) > LONGEST_KEY_FILE:
        raise UserError(f"{key_file}: found no key; expected a file that holds one alone.")
    return key


def view_explanation(
    index: "OpenIndex", query: str, doc_id: str, language: str
) -> "ExplanationView":
    """All that is shown of an explanation."""
    from dragoman.indexes.index import Index

    if isinstance(index, Index):
        from dragoman.indexes.search.explanation_view import view_explanation

        return view_explanation(index, query, doc_id, language)
    return _remote(index).view_explanation(query, doc_id, language=language)


def entries(index: "OpenIndex", scope: "Scope", sort: str = "id") -> "Iterator[DocumentEntry]":
    """The documents of a scope, without their texts."""
    from dragoman.indexes.index import Index
    from dragoman.indexes.search.listing import DocumentEntry, list_documents

    if isinstance(index, Index):
        with index.snapshot() as snapshot:
            yield from map(DocumentEntry.of, list_documents(snapshot, scope.allowed, sort))
    else:
        yield from _remote(index).entries(scope, sort)


def provenance(index: "OpenIndex") -> Mapping[str, Any]:
    """What the signature of a run says of its index: the manifest, or what the service tells."""
    from dataclasses import asdict

    from dragoman.indexes.index import Index
    from dragoman.tuning.record import saved_tuning

    if isinstance(index, Index):
        tuned = saved_tuning(index)
        return asdict(index.manifest) | ({"tuned": dict(tuned.weights)} if tuned else {})
    remote = _remote(index)
    return {"service": str(remote.address), **remote.stats}


def _remote(index: "OpenIndex") -> "RemoteIndex":
    return cast("RemoteIndex", index)  # there is no third kind; its module needs an extra
