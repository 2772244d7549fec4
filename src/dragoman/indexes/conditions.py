"""Filters in the engine's form; they hold for every point, whether document or passage."""

from typing import Any

import qdrant_edge as qe

from dragoman.indexes.filters import Comparison, Condition, Filter, Value

COUNTED = "counted"  # the field that documents have and passages have not
DOCUMENTS = qe.Filter(must_not=[qe.IsEmptyCondition(COUNTED)])


def engine_filter(allowed: Filter | None) -> qe.Filter | None:
    """A filter in the engine's form; ``None`` lets all pass."""
    if not allowed:
        return None
    must: list[Any] = []
    if allowed.languages:
        must.append(qe.FieldCondition("language", match=qe.MatchAny(list(allowed.languages))))
    excluded = [c for c in allowed.conditions if c.comparison is Comparison.NOT_EQUAL]
    must += [_engine_condition(c) for c in allowed.conditions if c not in excluded]
    return qe.Filter(must=must, must_not=[_engine_condition(c) for c in excluded])


def documents_filter(allowed: Filter) -> qe.Filter:
    """The documents that pass a filter, without their further passages."""
    passing = engine_filter(allowed)
    return qe.Filter(must=[passing, DOCUMENTS]) if passing else DOCUMENTS


def flag(value: bool) -> str:
    """A truth value as a word: the engine's Python side takes ``True`` in a filter for 1."""
    return "true" if value else "false"


def _engine_condition(condition: Condition) -> Any:  # noqa: ANN401 - the engine's union
    if condition.comparison in (Comparison.EQUAL, Comparison.NOT_EQUAL):
        return qe.Filter(should=[_engine_match(condition.field, v) for v in condition.values])
    key = f"metadata.{condition.field}"
    bound = float(condition.values[0])
    name = {
        Comparison.ABOVE: "gt",
        Comparison.AT_LEAST: "gte",
        Comparison.BELOW: "lt",
        Comparison.AT_MOST: "lte",
    }[condition.comparison]
    return qe.FieldCondition(key, range=qe.RangeFloat(**{name: bound}))


def _engine_match(field: str, value: Value) -> qe.FieldCondition:
    if isinstance(value, bool):
        return qe.FieldCondition(f"flags.{field}", match=qe.MatchValue(flag(value)))
    if isinstance(value, float):
        return qe.FieldCondition(f"metadata.{field}", range=qe.RangeFloat(gte=value, lte=value))
    return qe.FieldCondition(f"metadata.{field}", match=qe.MatchValue(value))
