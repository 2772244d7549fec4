"""Dictd dictionaries (FreeDict as Debian ships it) -> entries: NAME.index with NAME.dict[.dz].

The index has a line per headword: word, tab, offset, tab, length, the numbers in base 64. An
article is free text. FreeDict's begin with the headword, its pronunciation and part of speech; then
come the translations, on numbered lines or on the first line alone. Indented lines (notes and
examples), further plain lines (a sense explained in the headword's own language) and everything in
brackets are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from dragoman.errors import InputError
from dragoman.text.files import Faults, open_bytes
from dragoman.text.records import Location, parse_lines, show
from dragoman.types import DictionaryEntry

_DIGITS = {
    character: value
    for value, character in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
_ABOUT = "00database"  # articles about the dictionary itself
_HEAD_END = re.compile(r"\s+[/<\[({].*$")
_NUMBERED = re.compile(r"\d+\.\s+(.*)")
_BRACKETS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}")
_LEFT_OVER_NUMBER = re.compile(r"\s+\d+\.$")
_Article = tuple[int, int, int]  # offset, length, line of the index


def read_entries(path: Path, faults: Faults) -> Iterator[DictionaryEntry]:
    """One entry per headword and translation; ``path`` is either of the two files.

    The index is held in memory; the articles are streamed.
    """
    index, data = _both_files(path)
    articles = parse_lines(index, faults, _parse_index_line)
    wanted = sorted({article[:2]: article for article in articles if article}.values())
    with open_bytes(data) as stream:
        for offset, length, line in wanted:
            stream.seek(offset)
            raw = stream.read(length)
            try:
                text = _decode(Location(index, line), raw, length)
            except InputError as error:
                faults.report(error)
            else:
                yield from parse_article(text)


def _both_files(path: Path) -> tuple[Path, Path]:
    name = re.sub(r"\.(index|dict|dict\.dz)$", "", path.name)
    index = path.with_name(f"{name}.index")
    data = next(
        (
            candidate
            for ending in (".dict.dz", ".dict")
            if (candidate := path.with_name(name + ending)).is_file()
        ),
        None,
    )
    for file, wanted in ((index, f"{name}.index"), (data, f"{name}.dict.dz")):
        if file is None or not file.is_file():
            raise InputError(path, None, found=f"no {wanted} next to it", expected="both files")
    return index, data or path


def _parse_index_line(location: Location, line: str) -> _Article | None:
    columns = line.split("\t")
    if len(columns) not in (3, 4):
        raise location.fault(found=f"{len(columns)} columns", expected="3: word, offset and length")
    if columns[0].startswith(_ABOUT):
        return None
    return _number(location, columns[1]), _number(location, columns[2]), location.line or 0


def _number(location: Location, text: str) -> int:
    value = 0
    for character in text:
        if character not in _DIGITS or value >= 1 << 48:
            raise location.fault(found=f"the number {show(text)}", expected="base 64 as in dictd")
        value = value * 64 + _DIGITS[character]
    return value


def _decode(location: Location, raw: bytes, length: int) -> str:
    if len(raw) < length:
        found = f"an article of {length:,} bytes that ends after {len(raw):,}"
        raise location.fault(found=found, expected="articles inside the dictionary")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise location.fault(found="an article not in UTF-8", expected="UTF-8 text") from error


def parse_article(text: str) -> list[DictionaryEntry]:
    """The headword of one article with each of its translations."""
    head, *body = [line for line in text.split("\n") if line.strip()] or [""]
    plain = [line for line in body if not line[0].isspace()]
    numbered = [match.group(1) for line in plain if (match := _NUMBERED.match(line))]
    senses = numbered or plain[:1]
    source = " ".join(_HEAD_END.sub("", head).split())
    targets = dict.fromkeys(target for sense in senses for target in _translations(sense))
    return [DictionaryEntry(source, target) for target in targets if source]


def _translations(sense: str) -> Iterator[str]:
    bare = _LEFT_OVER_NUMBER.sub("", sense.replace("~", " "))
    while bare != (shorter := _BRACKETS.sub(" ", bare)):
        bare = shorter
    for part in re.split(r"[,;]", bare):
        if words := " ".join(part.split()):
            yield words
