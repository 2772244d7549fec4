"""Filters of a search -> filters of Qdrant, with the same meaning as in a folder."""

from qdrant_client import models

from dragoman.cluster.points import plain
from dragoman.indexes.fields import LARGEST
from dragoman.indexes.filters import Condition, Filter, Operator, Value

BOUNDS = {
    Operator.ABOVE: "gt",
    Operator.AT_LEAST: "gte",
    Operator.BELOW: "lt",
    Operator.AT_MOST: "lte",
}


def point_filter(chosen: Filter) -> models.Filter:
    """What points must meet."""
    must: list[models.Condition] = []
    if chosen.languages:
        wanted = models.MatchAny(any=[*chosen.languages])
        must.append(models.FieldCondition(key="language", match=wanted))
    excluded: list[models.Condition] = []
    for condition in chosen.conditions:
        any_value = models.Filter(should=[*_values(condition)])
        (excluded if condition.operator is Operator.NOT_EQUAL else must).append(any_value)
    return models.Filter(must=must, must_not=excluded or None)


def _values(condition: Condition) -> list[models.Condition]:
    return [
        models.NestedCondition(
            nested=models.Nested(
                key="fields",
                filter=models.Filter(
                    must=[
                        models.FieldCondition(
                            key="name", match=models.MatchValue(value=plain(condition.field))
                        ),
                        _compared(condition.operator, value),
                    ]
                ),
            )
        )
        for value in condition.values
    ]


def _compared(operator: Operator, value: Value) -> models.FieldCondition:
    if isinstance(value, str):
        return models.FieldCondition(key="text", match=models.MatchValue(value=plain(value)))
    if isinstance(value, bool):
        return models.FieldCondition(key="flag", match=models.MatchValue(value=value))
    number = float(value)
    if operator in BOUNDS:
        return models.FieldCondition(key="number", range=models.Range(**{BOUNDS[operator]: number}))
    if abs(number) >= LARGEST:
        return models.FieldCondition(key="text", match=models.MatchValue(value=plain(str(value))))
    return models.FieldCondition(key="number", range=models.Range(gte=number, lte=number))
