"""What an index records about the folders that it is kept in step with."""

import json
from collections.abc import Mapping
from typing import Any

from dragoman.indexes.index import Index
from dragoman.indexes.sync.comparison import SeenFile
from dragoman.text.readers.scan import Root

ROOT = "root:"  # and the label: the fact that names the path of a root
SEEN = "seen:"  # and the label: the fact with files that have no documents, or another time


def metadata_below(index: Index, label: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The ids and the metadata of the documents of a root."""
    with index.snapshot() as snapshot:
        return snapshot.metadata_below(label)


def recorded_path(index: Index, label: str) -> str:
    """The path of the root with a label; "" where there is none."""
    return _fact(index, ROOT + label)


def seen_files(index: Index, label: str, reader: str) -> dict[str, SeenFile]:
    """The files that were looked at before by the same reader, by their ids."""
    recorded = json.loads(_fact(index, SEEN + label) or "{}")
    files = recorded.get("files", {}) if recorded.get("reader") == reader else {}
    return {doc_id: SeenFile(*fields) for doc_id, fields in files.items()}


def record(index: Index, root: Root, seen: Mapping[str, SeenFile], reader: str) -> None:
    """Record where the files with a label are, and those that were looked at."""
    files = json.dumps({"reader": reader, "files": seen})
    wanted = {ROOT + root.label: str(root.path), SEEN + root.label: files if seen else ""}
    changed = {name: value for name, value in wanted.items() if _fact(index, name) != value}
    if changed:
        index.change(lambda store: store.add((), changed))


def _fact(index: Index, name: str) -> str:
    with index.snapshot() as snapshot:
        return snapshot.fact(name)
