"""Sessions of browsers: a key is entered once and becomes a cookie that scripts cannot read.

Sessions are in memory: after a restart the key is entered again. Of a session's id only the hash is
held, and of its key the hash that the key file has: a revoked key ends its sessions.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from dragoman.service.security.keys import KeyFile, StoredKey, digest_of_key

COOKIE = "dragoman_session"
LIFETIME = 12 * 3600.0  # seconds
MOST_SESSIONS = 10_000
MOST_FAILURES = 10  # wrong keys from one address in a minute
FAILURE_SECONDS = 60.0
MOST_ADDRESSES = 10_000


@dataclass(slots=True)
class Sessions:
    """The sessions of one process."""

    keys: KeyFile
    clock: Callable[[], float] = time.monotonic
    _open: OrderedDict[str, tuple[str, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def start(self, key: StoredKey) -> str:
        """The id of a new session; beyond the most that are open, the oldest ends."""
        session = secrets.token_urlsafe(32)
        with self._lock:
            self._open[digest_of_key(session)] = key.digest, self.clock() + LIFETIME
            while len(self._open) > MOST_SESSIONS:
                self._open.popitem(last=False)
        return session

    def find(self, session: str) -> StoredKey | None:
        """The key of a session; None where it has ended or its key was revoked."""
        digest = digest_of_key(session)
        with self._lock:
            known = self._open.get(digest)
            if known is not None and known[1] <= self.clock():
                del self._open[digest]
                known = None
        return self.keys.by_digest(known[0]) if known else None

    def end(self, session: str) -> None:
        """Close a session."""
        with self._lock:
            self._open.pop(digest_of_key(session), None)


@dataclass(slots=True)
class Failures:
    """Wrong keys by address: beyond a few a minute an address is told to wait.

    A right key is always let in, so that nobody can lock others out.
    """

    clock: Callable[[], float] = time.monotonic
    _times: OrderedDict[str, list[float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def count(self, address: str) -> float:
        """The seconds that an address has to wait after one more wrong key; 0 for none."""
        now = self.clock()
        with self._lock:
            recent = [t for t in self._times.pop(address, []) if t > now - FAILURE_SECONDS]
            wait = recent[0] + FAILURE_SECONDS - now if len(recent) >= MOST_FAILURES else 0.0
            self._times[address] = recent if wait else [*recent, now]
            while len(self._times) > MOST_ADDRESSES:
                self._times.popitem(last=False)
        return wait
