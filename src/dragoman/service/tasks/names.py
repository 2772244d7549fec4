"""Names of uploaded files -> paths below ``uploads``, whatever a client sent."""

import re
import unicodedata
from pathlib import PurePosixPath

from dragoman.text.readers.scan import portable

LONGEST_PART = 200  # bytes of a folder's or file's name
MOST_PARTS = 10  # folders and the name
UNNAMED = "unnamed"
_HIDDEN = re.compile(  # controls, bidirectional ones included, and what separates lines
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def safe_name(given: str) -> str:
    """A relative path without ``..``, controls and empty parts; it names a document, not a file."""
    parts = [_part(part) for part in re.split(r"[/\\]", given)]
    left = [part for part in parts if part][-MOST_PARTS:]
    return "/".join(left) or UNNAMED


def _part(part: str) -> str:
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", part)).strip().lstrip(".").strip()
    text = portable(text)
    if len(text.encode()) <= LONGEST_PART:
        return text
    suffix = PurePosixPath(text).suffix
    suffix = suffix if len(suffix.encode()) <= 20 else ""
    stem = text.encode()[: LONGEST_PART - len(suffix.encode())].decode("utf-8", "ignore")
    return stem + suffix


def numbered(name: str, number: int) -> str:
    """The name of another file called the same: ``report (2).pdf``."""
    if number == 1:
        return name
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
