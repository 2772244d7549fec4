"""What an index records about the folders that it is kept in step with."""

from collections.abc import Mapping
from typing import Any

from dragoman.indexes import documents as table
from dragoman.indexes.index import Index
from dragoman.text.readers.scan import Root

ROOT = "root:"  # and the label: the fact that names the path of a root


def metadata_below(index: Index, label: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The ids and the metadata of the documents of a root."""
    with index.snapshot() as snapshot:
        return table.metadata_below(snapshot.connection, label)


def recorded_path(index: Index, label: str) -> str:
    """The path of the root with a label; "" where there is none."""
    with index.snapshot() as snapshot:
        return str(table.fact(snapshot.connection, ROOT + label) or "")


def record_root(index: Index, root: Root) -> None:
    """Record where the files with a label are."""
    if recorded_path(index, root.label) != str(root.path):
        index.change(lambda store: store.add((), {ROOT + root.label: str(root.path)}))
