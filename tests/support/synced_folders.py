"""What tests of syncs share: options, a text, and what an index and a report list."""

from functools import partial

from dragoman.indexes.build import build
from dragoman.indexes.index import Index
from dragoman.indexes.sync.synchronization import SyncOptions

PSQ = SyncOptions(create=partial(build, system="psq", version="test"), languages=("de", "en"))
LONG = "The quick brown fox jumps over the lazy dog near the river bank today. " * 4


def ids(tmp_path) -> list[str]:
    with Index(tmp_path / "index") as index:
        return index.doc_ids()


def statuses(report) -> dict[str, str]:
    return {file.path.name: file.status.value for file in report.files}
