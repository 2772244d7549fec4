"""Reads a file by its reader, in this process, for tests of readers."""

from pathlib import Path

from dragoman import registry
from dragoman.text.readers.contents import (
    Content,
    FileText,
    ReaderConfig,
    Section,
    UnreadableFile,
)


def contents(path: Path, file_type: str, **settings: object) -> list[Content]:
    """Everything that the reader of a type yields."""
    read = registry.find(registry.FILE_READERS, file_type, "file type")
    return list(read(path, ReaderConfig(**settings)))


def contents_of_damaged(path: Path, file_type: str) -> tuple[list[Content], str]:
    """What the reader yields before it reports the damage, and its report; "" where it has none."""
    read = registry.find(registry.FILE_READERS, file_type, "file type")
    found: list[Content] = []
    try:
        for one in read(path, ReaderConfig()):
            found.append(one)
    except UnreadableFile as error:
        return found, str(error)
    return found, ""


def texts(found: list[Content]) -> list[str]:
    """The text of every text, its sections joined and stripped."""
    joined: list[str] = []
    for one in found:
        if isinstance(one, FileText):
            joined.append("")
        elif isinstance(one, Section):
            joined[-1] += one.text
    return [text.strip() for text in joined]
