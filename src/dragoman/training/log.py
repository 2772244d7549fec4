"""What a training measures -> lines of JSON, one per epoch, readable while it runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.storage.staging import write_lines


class TrainingLog:
    """A file that grows by one line per epoch; without a path nothing is written."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def begin(self, epochs: int) -> list[dict[str, Any]]:
        """The lines of the first ``epochs`` epochs; later ones, of a killed run, are deleted."""
        if self._path is None:
            return []
        lines = [line for line in read_log(self._path) if int(line["epoch"]) <= epochs]
        with write_lines(self._path) as stream:
            for line in lines:
                stream.write(json.dumps(line) + "\n")
        return lines

    def write(self, line: Mapping[str, object]) -> None:
        """Append one line; it is on disk when this returns."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log, none if there is no file; an incomplete last line is dropped."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]
