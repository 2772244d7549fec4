"""What an index records about its tuned weights: a fact, written in one transaction."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Self

from dragoman.errors import IndexFault
from dragoman.indexes.index import Index
from dragoman.indexes.snapshot import Snapshot

TUNING = "tuning"  # the name of the fact; its value is empty where nothing is tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningRecord:
    """Tuned weights, what they were chosen from, and the held-out estimate of their gain."""

    weights: Mapping[str, float]  # all that differ from those of the build
    measure: str
    queries: int  # judged ones that the weights were chosen on
    source: str
    default: float  # the measure with the weights of the build
    held_out: float  # the measure on queries that took no part in the choice
    low: float  # the interval of their difference
    high: float
    date: str
    dragoman: str

    @property
    def gain(self) -> float:
        """The held-out difference from the weights of the build."""
        return self.held_out - self.default

    def __str__(self) -> str:
        chosen = ", ".join(f"{name} {value:g}" for name, value in self.weights.items())
        return (
            f"{chosen}; {self.measure} {self.held_out:.4f} on held-out queries, {self.default:.4f}"
            f" untuned ({self.gain:+.4f}, {self.low:+.4f} to {self.high:+.4f}); {self.queries:,}"
            f" judged queries of {self.source}, {self.date}"
        )

    def as_fact(self) -> str:
        """The value of the fact."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_fact(cls, value: str) -> Self | None:
        """The record that ``as_fact`` wrote; None where nothing is tuned."""
        with _unreadable_as_fault():
            return cls(**json.loads(value)) if value else None


def save_tuning(index: Index, record: TuningRecord | None) -> None:
    """Write tuned weights in one transaction, or restore those of the build where it is None.

    Searches that begin afterwards use them, in whatever process.
    """
    fact = record.as_fact() if record else ""
    index.change(lambda store: store.add((), {TUNING: fact}))


def saved_tuning(index: Index) -> TuningRecord | None:
    """What ``save_tuning`` wrote; None where nothing is tuned."""
    with index.snapshot() as snapshot:
        return TuningRecord.from_fact(snapshot.fact(TUNING))


def tuned_weights(snapshot: Snapshot) -> Mapping[str, float]:
    """The tuned weights of an index by name; empty where nothing is tuned."""

    def read() -> Mapping[str, Any]:
        value = snapshot.fact(TUNING)
        with _unreadable_as_fault():
            return dict(json.loads(value)["weights"]) if value else {}

    return snapshot.cached(TUNING, read)


@contextmanager
def _unreadable_as_fault() -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        raise IndexFault(
            f"found tuned weights that cannot be read ({error}). Restore those of the build:"
            " dragoman tune INDEX --reset"
        ) from error
