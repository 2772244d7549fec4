"""Many questions -> few, chosen by their places alone."""

from collections.abc import Sequence

from dragoman.types import Query


def spread(queries: Sequence[Query], most: int | None) -> tuple[Query, ...]:
    """At most ``most`` queries, evenly from the first to the last; all of them without a limit."""
    if most is None or len(queries) <= most:
        return tuple(queries)
    return tuple(queries[place * len(queries) // most] for place in range(most))
