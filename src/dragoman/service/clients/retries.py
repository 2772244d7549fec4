"""How often and when a call is tried again."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from dragoman.errors import ConfigError

BUSY = frozenset({429, 503})  # statuses that ask to try again


@dataclass(frozen=True, kw_only=True)
class Retries:
    """Waiting times that double, with jitter, so that clients do not come back all at once."""

    attempts: int = 5
    first_seconds: float = 0.5
    connections: int = 3  # attempts where no connection is made: the address may be wrong
    longest_seconds: float = 30.0  # of one wait; a service that asks for more is not waited for
    jitter: Callable[[], float] = random.random  # 0 to 1

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ConfigError(f"attempts must be at least 1, got {self.attempts}")

    def wait(self, attempt: int, wanted: float | None = None) -> float | None:
        """The seconds to wait after a number of attempts; None where there is no further one.

        ``wanted`` is what the service asks for by Retry-After: never less is waited.
        """
        if attempt >= self.attempts or (wanted is not None and wanted > self.longest_seconds):
            return None
        longest: float = min(self.first_seconds * 2 ** (attempt - 1), self.longest_seconds)
        return (wanted or 0.0) + self.jitter() * longest


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """The seconds that a header Retry-After asks to wait, given as such or as a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
