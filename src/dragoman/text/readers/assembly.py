"""The answers of a worker -> texts of bounded size, each with the offsets of its sections.

A text that is longer than ``LONGEST_PART`` becomes several, cut between paragraphs, so that a file
of any size takes bounded memory here and in everything that follows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dragoman.text.readers.cleaning import clean
from dragoman.text.readers.contents import Section, UnreadableFile
from dragoman.text.readers.pool import Answer

LONGEST_PART = 200_000  # letters
LONGEST_TITLE = 1000
SEPARATOR = "\n\n"  # between sections


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text of a file, or a part of one, before its language is known."""

    name: str  # "" for the file itself, else what is below it, as in "row-3" or "letter.pdf"
    file_type: str
    title: str
    declared: str  # the language that the file declares
    metadata: Mapping[str, Any]
    text: str
    sections: tuple[tuple[int, int, str], ...]  # offset, page (0: none), heading
    part: int  # from 1; 0 where the text is whole


class SkippedMember(NamedTuple):
    """A file inside a file that was not read whole."""

    name: str
    status: str  # "passed over", "broken", "without text" or "read in part"
    reason: str


@dataclass(slots=True)
class ReadReport:
    """What was decided and left out while a file was read."""

    skipped: list[SkippedMember] = field(default_factory=list)
    encoding: str = ""  # of the file, or of the first one inside it that is not in UTF-8
    cleaned: Counter[str] = field(default_factory=Counter)  # reason -> letters left out


def read_texts(answers: Iterable[Answer], report: ReadReport) -> Iterator[ReadText]:
    """The texts of one file; of a broken one what was read before ``UnreadableFile`` is raised."""
    begun: Mapping[str, Any] | None = None
    sections: list[Section] = []
    letters, part = 0, 0
    damage = list[UnreadableFile]()
    for answer in _up_to_damage(answers, damage):
        if "decoded" in answer:
            report.encoding = report.encoding or answer["decoded"]
        elif "skipped" in answer:
            report.skipped.append(SkippedMember(**answer["skipped"]))
        elif "text" in answer:
            if begun is not None:
                yield from _text(begun, sections, part + 1 if part else 0, report)
            begun, sections, letters, part = answer["text"], [], 0, 0
        else:
            sections.append(Section(**answer["section"]))
            letters += len(sections[-1].text)
            while letters > LONGEST_PART:
                assert begun is not None
                part += 1
                first, sections = _cut(sections)
                yield from _text(begun, first, part, report)
                letters = sum(len(section.text) for section in sections)
    if begun is not None and (sections or not damage):
        yield from _text(begun, sections, part + 1 if part else 0, report)
    for error in damage:
        raise error


def _up_to_damage(answers: Iterable[Answer], damage: list[UnreadableFile]) -> Iterator[Answer]:
    try:
        yield from answers
    except UnreadableFile as error:
        damage.append(error)


def _cut(sections: list[Section]) -> tuple[list[Section], list[Section]]:
    """Sections up to ``LONGEST_PART`` letters, and the rest; a long one is cut at a paragraph."""
    room, first = LONGEST_PART, list[Section]()
    for number, section in enumerate(sections):
        if len(section.text) > room:
            end = max(section.text.rfind("\n", 0, room), section.text.rfind(" ", 0, room))
            end = end if end > room // 2 or (first and end > 0) else (0 if first else room)
            head, tail = section.text[:end], section.text[end:]
            rest = [Section(tail, section.page, section.heading), *sections[number + 1 :]]
            if head:
                first.append(Section(head, section.page, section.heading))
            return first, rest
        first.append(section)
        room -= len(section.text)
    return first, []


def _text(
    begun: Mapping[str, Any], sections: list[Section], part: int, report: ReadReport
) -> Iterator[ReadText]:
    """One text of the sections; none where nothing is left of them."""
    cleaned, left_out = clean(_joined(sections))
    report.cleaned.update(left_out)
    offsets: list[tuple[int, int, str]] = []
    pieces: list[str] = []
    length = 0
    for section in cleaned:
        if not section.text.strip():
            continue
        if pieces:
            length += len(SEPARATOR)
        if not offsets or (section.page, section.heading) != offsets[-1][1:]:
            offsets.append((length, section.page, section.heading))
        pieces.append(section.text)
        length += len(section.text)
    if pieces or begun["title"]:
        yield ReadText(
            _line(begun["name"]),
            begun["type"],
            _line(begun["title"])[:LONGEST_TITLE],
            _line(begun["language"]),
            {_line(name): _value(value) for name, value in begun["metadata"].items()},
            SEPARATOR.join(pieces),
            tuple(offsets),
            part,
        )


_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")  # halves of letters, which no file can hold as UTF-8
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def _joined(sections: Iterable[Section]) -> list[Section]:
    """Neighbouring sections of one page and heading as one, without control characters."""
    joined: list[Section] = []
    for section in sections:
        last = joined[-1] if joined else None
        if last and (last.page, last.heading) == (section.page, section.heading):
            joined[-1] = Section(last.text + section.text, section.page, section.heading)
        else:
            joined.append(section)
    return [Section(_tidy(one.text), one.page, _line(one.heading)) for one in joined]


def _tidy(text: str) -> str:
    """A text with plain line ends, without control characters and runs of blank lines."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _BLANK_LINES.sub(SEPARATOR, _plain(text)).strip()


def _plain(text: str) -> str:
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub(" ", text))


def _line(text: str) -> str:
    return " ".join(_plain(text).split())


def _value(value: Any) -> Any:  # noqa: ANN401 - whatever metadata may hold
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return _plain(value) if isinstance(value, str) else value
