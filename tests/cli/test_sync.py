"""``dragoman sync --watch``: what it needs, and how it ends."""

import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from commands import run
from dragoman.cli import terminal
from dragoman.cli.sync import print_report
from dragoman.errors import MissingExtra
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.text.readers.file_types import FileType
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


def test_every_status_and_format_is_whole_in_a_narrow_table(monkeypatch):
    report = SyncReport()
    for status in FileStatus:
        for file_type in FileType:
            report.add(FileOutcome(Path("a"), file_type.value, status, "why"))
    console = Console(file=StringIO(), width=80)
    monkeypatch.setattr(terminal, "err", console)
    print_report(report)
    table, _, _ = console.file.getvalue().partition("read: why")
    words = {*table.split()}
    assert words >= {word for status in FileStatus for word in status.value.split()}
    for file_type in FileType:
        assert f"\n{file_type.value} " in table


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
