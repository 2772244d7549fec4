"""Folders that cannot be looked at, for tests that may run with every right."""

import errno
import os
from pathlib import Path

import pytest


def refuse_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody list a folder."""
    scandir = os.scandir

    def refused(path):
        if not isinstance(path, int) and Path(path) == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
