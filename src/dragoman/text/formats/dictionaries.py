"""Bilingual dictionaries -> entries, one per translation: MUSE, TSV and FreeDict's TEI.

MUSE (Conneau et al. 2018): one pair of words per line, separated by a space or a tab. TSV: source,
tab, target; phrases may contain spaces, further columns are ignored. TEI P5 as FreeDict writes it:
``<entry>`` with ``<form><orth>`` and ``<cit type="trans"><quote>``, streamed entry by entry.
Dictd's files, which Debian ships, are read by ``dictd``.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.errors import InputError
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults
from dragoman.text.formats.xml_elements import read_elements
from dragoman.text.records import Location, parse_lines
from dragoman.types import DictionaryEntry

_TRANSLATION = frozenset({"trans", "translation"})


def read_muse(path: Path, faults: Faults) -> Iterator[DictionaryEntry]:
    """The pairs of a MUSE dictionary; a line with more than two words is a fault."""
    return parse_lines(path, faults, _parse_muse)


def _parse_muse(location: Location, line: str) -> DictionaryEntry:
    words = line.split()
    if len(words) != 2:
        raise location.fault(found=f"{len(words)} words", expected="2: a word and its translation")
    return DictionaryEntry(words[0], words[1])


def read_tsv(path: Path, faults: Faults) -> Iterator[DictionaryEntry]:
    """The first two columns of a tab-separated file."""
    return parse_lines(path, faults, _parse_tsv)


def _parse_tsv(location: Location, line: str) -> DictionaryEntry:
    columns = line.split("\t")
    if len(columns) < 2:
        raise location.fault(found="1 column", expected="2: source and target")
    return check_entry(location, columns[0], columns[1])


def check_entry(location: Location, source: str, target: str) -> DictionaryEntry:
    """The entry with white space collapsed; an empty side is a fault."""
    entry = DictionaryEntry(" ".join(source.split()), " ".join(target.split()))
    if not entry.source or not entry.target:
        side = "source" if not entry.source else "target"
        raise location.fault(found=f"an empty {side}", expected="words on both sides")
    return entry


def read_tei(path: Path, faults: Faults) -> Iterator[DictionaryEntry]:
    """Each headword of an entry with each translation; entries without one are skipped."""
    for line, entry in read_elements(path, "entry"):
        location = Location(path, line)
        try:
            entries = _parse_entry(location, entry)
        except InputError as error:
            faults.report(error)
        else:
            yield from entries


def _parse_entry(location: Location, entry: Element) -> list[DictionaryEntry]:
    heads = [text for form in entry.findall("form") for text in _texts(form, "orth")]
    if not heads:
        raise location.fault(found="an entry without <orth>", expected="a headword")
    quotes = [
        text
        for cit in entry.iter("cit")
        if cit.get("type") in _TRANSLATION
        for text in _texts(cit, "quote")
    ]
    return [DictionaryEntry(head, quote) for head in heads for quote in dict.fromkeys(quotes)]


def _texts(element: Element, name: str) -> list[str]:
    texts = (" ".join("".join(child.itertext()).split()) for child in element.iter(name))
    return [text for text in texts if text]


def write_tsv(path: Path, entries: Iterable[DictionaryEntry]) -> int:
    """Write the entries and return their number; white space is collapsed."""
    count = 0
    with write_lines(path) as stream:
        for count, entry in enumerate(entries, start=1):
            checked = check_entry(Location(path, count), entry.source, entry.target)
            stream.write(f"{checked.source}\t{checked.target}\n")
    return count


def write_muse(path: Path, entries: Iterable[DictionaryEntry]) -> int:
    """Write the entries and return their number; a phrase is an error: MUSE has single words."""
    count = 0
    with write_lines(path) as stream:
        for count, entry in enumerate(entries, start=1):
            for side in (entry.source, entry.target):
                if not re.fullmatch(r"\S+", side):
                    raise Location(path, count).fault(found=repr(side), expected="a single word")
            stream.write(f"{entry.source} {entry.target}\n")
    return count
