"""Bitext, read and written: TSV (source, target, optional origin) and two line-aligned files.

An empty side is a fault: such a pair would distort the counts of every aligner. Translation
memories are read by ``tmx``.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from dragoman.errors import InputError
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, open_bytes, read_lines
from dragoman.text.records import Location, one_line, parse_lines
from dragoman.types import SentencePair

_ENDED = "\n"  # fills up the shorter file; no line contains its line break


def read_tsv(path: Path, faults: Faults) -> Iterator[SentencePair]:
    """The pairs of a file with two columns, or three where the last names the pair's origin."""
    return parse_lines(path, faults, _parse_tsv)


def _parse_tsv(location: Location, line: str) -> SentencePair:
    columns = line.split("\t")
    if len(columns) not in (2, 3):
        raise location.fault(
            found=f"{len(columns)} columns", expected="2 or 3: source, target and origin"
        )
    return check_pair(location, columns[0], columns[1])


def check_pair(location: Location, source: str, target: str) -> SentencePair:
    """The pair with both sides stripped; an empty side is a fault."""
    pair = SentencePair(source.strip(), target.strip())
    for side, text in (("source", pair.source), ("target", pair.target)):
        if not text:
            raise location.fault(found=f"an empty {side}", expected="text on both sides")
    return pair


def read_aligned(source: Path, target: Path, faults: Faults) -> Iterator[SentencePair]:
    """Line i of one file with line i of the other; different line counts are an error."""
    sides = zip_longest(_every_line(source, faults), _every_line(target, faults), fillvalue=_ENDED)
    for number, (first, second) in enumerate(sides, start=1):
        if _ENDED in (first, second):
            check_line_counts(source, target)
        if first is None or second is None or _ENDED in (first, second):
            continue  # not UTF-8, which is reported already
        try:
            pair = check_pair(Location(target if first.strip() else source, number), first, second)
        except InputError as error:
            faults.report(error)
        else:
            yield pair


def _every_line(path: Path, faults: Faults) -> Iterator[str | None]:
    """The lines, with None for each that is not UTF-8, so that the sides stay aligned."""
    expected = 1
    for number, line in read_lines(path, faults):
        for _ in range(number - expected):
            yield None
        yield line
        expected = number + 1


def check_line_counts(source: Path, target: Path) -> int:
    """The number of lines in each of the two files; different numbers are an error."""
    counts = count_lines(source), count_lines(target)
    if counts[0] != counts[1]:
        raise InputError(
            source if counts[0] < counts[1] else target,
            min(counts) + 1,
            found=f"{counts[0]:,} lines in {source} and {counts[1]:,} in {target}",
            expected="as many lines in one as in the other",
        )
    return counts[0]


def count_lines(path: Path) -> int:
    """The number of lines in ``path``, readable or not."""
    with open_bytes(path) as stream:
        return sum(1 for _ in stream)


def write_tsv(path: Path, pairs: Iterable[SentencePair], origin: str = "") -> int:
    """Write the pairs and return their number; tabs and line breaks in a side become spaces."""
    count = 0
    with write_lines(path) as stream:
        for count, pair in enumerate(pairs, start=1):
            columns = _columns(Location(path, count), pair)
            stream.write("\t".join([*columns, origin] if origin else columns) + "\n")
    return count


def write_aligned(source: Path, target: Path, pairs: Iterable[SentencePair]) -> int:
    """Write each pair as one line in both files; the number of pairs."""
    count = 0
    with write_lines(source) as left, write_lines(target) as right:
        for count, pair in enumerate(pairs, start=1):
            first, second = _columns(Location(source, count), pair)
            left.write(first + "\n")
            right.write(second + "\n")
    return count


def _columns(location: Location, pair: SentencePair) -> list[str]:
    checked = check_pair(location, pair.source, pair.target)
    return [one_line(checked.source), one_line(checked.target)]
