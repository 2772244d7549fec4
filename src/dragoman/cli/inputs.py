"""Callbacks of options and arguments that name inputs: these are checked before any work begins."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from dragoman.errors import UserError
from dragoman.text.files import require_readable
from dragoman.text.languages import canonical

Given = TypeVar("Given", str, Path)


def readable(paths: Sequence[Given] | None) -> Sequence[Given] | None:
    """The files and folders, if each of them can be read."""
    for path in paths or ():
        require_readable(Path(path))
    return paths


def readable_path(path: Path | None) -> Path | None:
    """The file or folder, if it can be read."""
    readable([path] if path is not None else None)
    return path


def readable_collection(source: str) -> str:
    """The collection, if its folder can be read; ``irds:NAME`` is looked up later."""
    from dragoman.text.format_detection import IRDS

    if not source.startswith(IRDS):
        require_readable(Path(source))
    return source


def readable_collections(sources: list[str] | None) -> list[str] | None:
    """The collections, if their folders can be read."""
    for source in sources or ():
        readable_collection(source)
    return sources


def readable_vectors(sources: list[str] | None) -> list[str] | None:
    """Word vectors, as FOLDER or LANGUAGE=FILE, if the language is known and the file readable."""
    for source in sources or ():
        if Path(source).exists():
            readable_path(Path(source))
            continue
        language, given, path = source.partition("=")
        if not given:
            if Path(source).suffix:
                raise UserError(
                    f"Found the word vectors {source!r}, and no such file; expected a folder of"
                    " `dragoman learn embeddings`, or a file with its language, as in en=FILE."
                )
            require_readable(Path(source))
        canonical(language)
        readable_path(Path(path))
    return sources
