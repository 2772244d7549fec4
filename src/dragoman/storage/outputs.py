"""Outputs that a user names, checked before any work: can they be written where they shall be?"""

from pathlib import Path
from tempfile import TemporaryFile

from dragoman.errors import OutputError

SCHEMES = ("http:", "https:", "qdrant:", "qdrants:")


def typed_address(path: Path) -> str:
    """The address that was typed where a path was expected; empty where it is a path."""
    scheme, *rest = path.parts or ("",)
    return f"{scheme}//{'/'.join(rest)}" if scheme in SCHEMES else ""


def require_writable_file(path: Path) -> Path:
    """``path``, if a file can be written there; nothing is left behind."""
    if path.exists() and not path.is_file():
        found = "a folder" if path.is_dir() else "a pipe or a device"
        raise OutputError(path, found=found, expected="a regular file or a new name")
    _require_room(path, _nearest_folder(path))
    return path


def require_writable_folder(path: Path) -> Path:
    """``path``, if a folder can be written there or replaced; nothing is left behind."""
    if path.exists() and not path.is_dir():
        raise OutputError(path, found="a file", expected="the name of a folder")
    _require_room(path, _nearest_folder(path))
    return path


def require_changeable_folder(path: Path) -> Path:
    """``path``, if files can be written in it, or else a folder can be written there."""
    if not path.is_dir():
        return require_writable_folder(path)
    _require_room(path, path)
    return path


def _nearest_folder(path: Path) -> Path:
    """The nearest folder above ``path`` that exists; missing ones are created later."""
    if address := typed_address(path):
        raise OutputError(
            address,
            found="an address",
            expected="a path on this machine (--store builds an index in a cluster)",
        )
    above = next((folder for folder in path.parents if folder.exists()), Path())
    if not above.is_dir():
        raise OutputError(path, found=f"the file {above} above it", expected="a folder there")
    return above


def _require_room(path: Path, folder: Path) -> None:
    """Write an unnamed file: permission, the file system and its free space are all tested."""
    try:
        with TemporaryFile(dir=folder) as stream:
            stream.write(b"x")
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileNotFoundError):  # folders of the system such as /proc
            reason = "no files can be created there"
        raise OutputError(
            path,
            found=f"the folder {folder}, which cannot be written ({reason})",
            expected="a place where you may write",
        ) from error
