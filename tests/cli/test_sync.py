"""``dragoman sync --watch``: what it needs, and how it ends."""

import os
import signal
import subprocess
import sys

import pytest

from commands import run
from dragoman.errors import MissingExtra
from processes import arguments_of, environment


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("Bread is baked of flour and water in an oven.")
    return tmp_path


def test_a_missing_extra_is_named_before_the_first_sync(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    monkeypatch.delitem(sys.modules, "dragoman.indexes.sync.watching", raising=False)
    with pytest.raises(MissingExtra, match=r"'watchfiles' is not installed.*dragoman\[files\]"):
        run("sync", folder / "files", "-o", folder / "index", "--watch")
    assert not (folder / "index").exists()


def test_ctrl_c_ends_the_watching_without_an_error(folder):
    pytest.importorskip("watchfiles", reason="needs the extra 'files'")
    arguments = ("sync", "files", "-o", "index", "--system", "psq", "--watch")
    process = subprocess.Popen(
        arguments_of(arguments),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    with process, process.stderr as stream:
        for line in stream:
            if line.startswith("watching; Ctrl-C ends"):
                break
        os.kill(process.pid, signal.SIGINT)
        rest = stream.read()
    assert (process.returncode, "error" in rest) == (0, False)
    assert "watching has ended" in rest
