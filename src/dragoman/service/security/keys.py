"""Keys of a service: made once, stored as hashes, checked at every request, revoked at once.

STATE/keys.json, mode 0600: ``{"format": 1, "keys": [{"name", "digest", "scope", "indexes",
"created"}]}``. A key has 256 random bits, so that a plain SHA-256 of it can neither be guessed nor
searched. A service looks at the file's stamp at every request: a revoked key ends with the next
one. Once the file exists keys are needed, even if it holds none any more.
"""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from dragoman.errors import InputError, UserError
from dragoman.storage.folders import flush
from dragoman.storage.staging import staged_file

KEYS = "keys.json"
PREFIX = "dgm_"  # lets scanners of leaked secrets recognise a key
RANDOM_BYTES = 32
FORMAT = 1
LONGEST = 200  # letters of a key that is looked at; ours have 47
LONGEST_NAME = 64


class KeyScope(StrEnum):
    """What a key allows; each scope includes those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: "KeyScope") -> bool:
        """Whether this scope allows what ``other`` allows."""
        order = [*KeyScope]
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key as the file has it: never the key itself."""

    name: str
    digest: str
    scope: KeyScope
    indexes: tuple[str, ...]  # that it opens; none: all
    created: str

    def opens(self, index: str) -> bool:
        """Whether the key may be used for an index."""
        return not self.indexes or index in self.indexes


def digest_of_key(key: str) -> str:
    """The hash that is stored of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class KeyFile:
    """The keys of a service in their file; several threads may look them up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        self._keys: tuple[StoredKey, ...] = ()

    def exists(self) -> bool:
        """Whether there is a file, so that keys are needed."""
        return self.path.exists()

    def stored(self) -> tuple[StoredKey, ...]:
        """The keys that are valid now, by name; the file is read again when it has changed."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return ()
        stamp = status.st_ino, status.st_size, status.st_mtime_ns
        if stamp != self._stamp:
            self._keys, self._stamp = _read(self.path), stamp
        return self._keys

    def find(self, key: str) -> StoredKey | None:
        """The stored key that ``key`` is; every one is compared, in constant time."""
        if not key.startswith(PREFIX) or len(key) > LONGEST:
            return None
        return self.by_digest(digest_of_key(key))

    def by_digest(self, digest: str) -> StoredKey | None:
        """The valid key with a hash; None where it was revoked."""
        match: StoredKey | None = None
        for one in self.stored():
            if hmac.compare_digest(one.digest, digest):
                match = one
        return match

    def add(self, name: str, scope: KeyScope, indexes: Sequence[str] = ()) -> str:
        """A new key, which is stored as a hash alone: the caller shows it once."""
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise UserError(
                f"Found the name {name!r}; expected 1 to {LONGEST_NAME} letters that can be read."
            )
        key = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._changed() as keys:
            if any(one.name == name for one in keys):
                raise UserError(
                    f"A key is called {name!r} already. Choose another name, or revoke that one:"
                    f" dragoman keys revoke {name}"
                )
            keys.append(StoredKey(name, digest_of_key(key), scope, tuple(indexes), created))
        return key

    def revoke(self, name: str) -> None:
        """Remove a key; a running service refuses it from its next request on."""
        with self._changed() as keys:
            left = [one for one in keys if one.name != name]
            if len(left) == len(keys):
                known = ", ".join(sorted(one.name for one in keys)) or "none"
                raise UserError(f"{self.path}: no key is called {name!r}; known: {known}.")
            keys[:] = left

    @contextmanager
    def _changed(self) -> Iterator[list[StoredKey]]:
        """The keys as a list, which is written when the block ends; one process at a time."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = self.path.with_name(f".{self.path.name}.lock")
        with os.fdopen(os.open(lock, os.O_RDWR | os.O_CREAT, 0o600), "wb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            keys = [*self.stored()]
            yield keys
            ordered = sorted(keys, key=lambda one: one.name)
            text = json.dumps(
                {"format": FORMAT, "keys": [asdict(one) for one in ordered]}, indent=2
            )
            with staged_file(self.path, mode=0o600) as staged:
                staged.write_text(text + "\n", encoding="utf-8")
                flush(staged)
            flush(self.path.parent)


def _read(path: Path) -> tuple[StoredKey, ...]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["format"] != FORMAT:
            raise ValueError(f"format {stored['format']!r}")
        return tuple(_stored_key(one) for one in stored["keys"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            path,
            None,
            found=f"no keys ({error})",
            expected=f"a file of format {FORMAT} written by `dragoman keys`",
        ) from error


def _stored_key(row: dict[str, Any]) -> StoredKey:
    indexes = row["indexes"]
    if not isinstance(indexes, list) or not all(isinstance(one, str) for one in indexes):
        raise ValueError("indexes that are no list of names")
    texts = [row[name] for name in ("name", "digest", "created")]
    if not all(isinstance(one, str) for one in texts):
        raise ValueError("a name, digest or time that is no text")
    return StoredKey(texts[0], texts[1], KeyScope(row["scope"]), tuple(indexes), texts[2])
