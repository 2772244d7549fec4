"""The limits of a service: those that are part of the API, and those that an operator chooses."""

from dataclasses import dataclass

from dragoman.errors import ConfigError
from dragoman.processors import cores

# part of the API, so that the OpenAPI document can state them
QUERY_LENGTH = 2_000  # characters
MOST_PER_PAGE = 100  # hits of one answer
WINDOW = 500  # hits of a ranking that pages and facets are taken from
MOST_SEARCHES = 32  # in a batch
MOST_CONDITIONS = 20  # on metadata
MOST_FACETS = 10
MOST_VALUES = 50  # of a facet
LONGEST_VALUE = 500  # characters of a condition, a language list, a cursor
LONGEST_LIST_CURSOR = 4_000  # characters; it holds an id
LONGEST_ID = 1_000  # characters of a document's id
LONGEST_SNIPPET = 2_000  # characters
LONGEST_PIECE = 1_000_000  # characters of documents that one answer may hold


@dataclass(frozen=True, kw_only=True)
class ServiceConfig:
    """What an operator may choose; the defaults fit one machine and a few hundred readers."""

    body_bytes: int = 1_000_000
    upload_bytes: int = 100_000_000
    workers: int = 0  # threads that search; 0: one a core
    waiting: int = 128  # requests that may wait for a worker
    seconds: float = 20.0  # for one request, from the queue to its answer
    body_seconds: float = 20.0  # for a client to send a body
    rate: float = 0.0  # requests a second of one client; 0 sets no limit
    window_seconds: float = 900.0  # how long a cursor can be continued
    cached_windows: int = 128
    log_queries: bool = False
    rerankers: tuple[str, ...] = ()  # systems that a search may name for re-ranking

    def __post_init__(self) -> None:
        for name in ("body_bytes", "upload_bytes", "waiting", "seconds", "body_seconds"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        for name in ("workers", "rate"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must not be below 0, got {getattr(self, name)}")

    @property
    def threads(self) -> int:
        """The number of threads that search."""
        return self.workers or cores()
