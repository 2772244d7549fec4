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
        """The lines of the first ``epochs`` epochs; those of a killed training beyond are gone."""
        if self._path is None:
            return []
        kept = [line for line in read_log(self._path) if int(line["epoch"]) <= epochs]
        with write_lines(self._path) as stream:
            for line in kept:
                stream.write(json.dumps(line) + "\n")
        return kept

    def write(self, line: Mapping[str, object]) -> None:
        """Add one line; it is on disk when this returns."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log; none where there is no file yet. A line cut off at the end is dropped."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]
