"""Where in its file a passage is: the page and the heading, from the metadata of a document."""

from collections.abc import Mapping
from typing import Any, NamedTuple

SECTIONS = "_sections"  # metadata: [offset in the text, page, heading] of every section


class FileSection(NamedTuple):
    """A page (0 where there are none) and a heading ("" where there is none)."""

    page: int = 0
    heading: str = ""


def section_at(metadata: Mapping[str, Any], offset: int) -> FileSection:
    """The section that an offset of a document's text is in."""
    section = FileSection()
    for start, page, heading in metadata.get(SECTIONS, ()):
        if start > offset:
            break
        section = FileSection(page, heading)
    return section
