"""Positions in a ranking or a list -> texts that a client hands back, signed against forgery."""

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct
from struct import error as StructError  # noqa: N812

from dragoman.service.problems import Problem
from dragoman.storage.database import decode_text, encode_text

_FIELDS = Struct(">BIQI16s16s")  # version, time, generation, offset, build, request
VERSION = 1
SIGNATURE = 16  # bytes


@dataclass(frozen=True, slots=True)
class SnapshotId:
    """A committed state of one build of an index."""

    build: bytes  # 16 bytes
    generation: int

    def __str__(self) -> str:
        return f"{self.build.hex()[:12]}-{self.generation}"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in what a request selects from a snapshot."""

    snapshot: SnapshotId
    request: bytes  # digest of everything that determines the order
    offset: int = 0  # in a ranking
    after: str = ""  # id of the last document, in a list


class Cursors:
    """Writes and reads cursors; they hold for some time, and for the process that signed them."""

    def __init__(self, seconds: float, key: bytes | None = None) -> None:
        self._seconds, self._key = seconds, key or secrets.token_bytes(32)

    def write(self, cursor: Cursor) -> str:
        """The cursor as text."""
        snapshot, offset = cursor.snapshot, cursor.offset
        packed = _FIELDS.pack(
            VERSION, int(time.time()), snapshot.generation, offset, snapshot.build, cursor.request
        )
        packed += encode_text(cursor.after)
        return urlsafe_b64encode(self._sign(packed) + packed).decode().rstrip("=")

    def read(self, text: str, request: bytes) -> Cursor:
        """The cursor of a text; a problem where it is forged, expired or of another request."""
        try:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            signature, packed = data[:SIGNATURE], data[SIGNATURE:]
            version, written, generation, offset, build, digest = _FIELDS.unpack_from(packed)
        except (ValueError, StructError):
            raise bad_cursor() from None
        if not hmac.compare_digest(signature, self._sign(packed)) or version != VERSION:
            raise bad_cursor()
        if time.time() - written > self._seconds:
            raise expired_cursor()
        if digest != request:
            detail = "The cursor belongs to a request with other parameters."
            raise Problem(400, "cursor_of_another_request", detail)
        after = decode_text(packed[_FIELDS.size :])
        return Cursor(SnapshotId(build, generation), digest, offset, after)

    def _sign(self, packed: bytes) -> bytes:
        return hmac.digest(self._key, packed, "sha256")[:SIGNATURE]


def request_digest(*parameters: object) -> bytes:
    """The digest of a request's parameters, by which cursors and windows recognise it."""
    return blake2b(repr(parameters).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def bad_cursor() -> Problem:
    """The problem with a cursor that this service did not write."""
    return Problem(400, "bad_cursor", "The cursor is not of this service; leave it out.")


def expired_cursor() -> Problem:
    """The problem with a cursor whose ranking is gone."""
    return Problem(410, "expired_cursor", "The cursor has expired; send the request without it.")
