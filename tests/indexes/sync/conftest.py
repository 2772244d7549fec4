from pathlib import Path

import pytest

from dragoman.indexes.sync.synchronization import SyncOptions, sync
from dragoman.text.readers.scan import Root
from synced_folders import LONG, PSQ


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    for number in range(10):
        (root / f"{number}.txt").write_text(f"{LONG}Number {number}.")
    return root


@pytest.fixture
def run(tmp_path):
    def synced(*roots: Path, **options: object):
        chosen = SyncOptions(**{**vars(PSQ), **options})
        return sync([Root.of(root) for root in roots], tmp_path / "index", chosen)

    return synced
