"""Rows -> a CSV file; the same form for every table and figure of an experiment."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from dragoman.storage.staging import write_lines


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write the header and the rows; the folder is made where it is missing."""
    with write_lines(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
