"""``dragoman serve`` in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running process and its address; the process is killed if it is still there."""
    command = [sys.executable, "-m", "dragoman", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://\S+/", line)
        assert match is not None, (line, process.stderr)
        yield process, match[0]
    finally:
        process.kill()
        process.communicate()
