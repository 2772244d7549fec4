"""What is sent to a service, and the form of an operation that needs several such calls."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One request; each can be repeated, because a repeated one changes nothing more."""

    method: str
    path: str  # below the index
    parameters: tuple[tuple[str, str], ...] = ()
    body: Any = None  # JSON
    after: float = 0.0  # seconds to wait before it is sent


# yields calls, is sent the JSON of their answers, and returns its result: the same operations
# serve the client that waits and the one that does not
Operation = Generator[Call, Any, T]


def document_path(doc_id: str) -> str:
    """The path of a document, whose id may hold any letter."""
    return f"/documents/{quote(doc_id, safe='')}"
