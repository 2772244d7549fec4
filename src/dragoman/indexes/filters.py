"""Which documents may be found: languages and metadata fields, as words or as values.

``"year>=2019"`` compares numbers, ``"author=Anna"`` matches a value, ``"author=Anna|Ben"`` one of
several, ``"draft!=true"`` excludes.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from dragoman.errors import ConfigError

CONDITION = re.compile(r"\s*([\w.\-]+)\s*(>=|<=|!=|=|>|<)\s*(.+?)\s*", re.DOTALL)

Value = str | int | float | bool


class Comparison(StrEnum):
    """How a field is compared."""

    EQUAL = "="
    NOT_EQUAL = "!="
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Condition:
    """One field, compared with one of ``values``; only equality takes more than one."""

    field: str
    comparison: Comparison
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """What must hold for a document to be found; an empty filter lets all pass."""

    languages: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.languages or self.conditions)


def parse_filter(languages: Collection[str] | None, conditions: Iterable[str] = ()) -> Filter:
    """The filter for canonical languages and conditions as a person writes them."""
    return Filter(tuple(dict.fromkeys(languages or ())), tuple(map(parse_condition, conditions)))


def parse_condition(text: str) -> Condition:
    """One condition, as in ``"year>=2019"``."""
    match = CONDITION.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"Found the condition {text!r}; expected FIELD=VALUE, FIELD!=VALUE or a comparison"
            " with a number, as in year>=2019."
        )
    field, comparison = match[1], Comparison(match[2])
    if comparison in (Comparison.EQUAL, Comparison.NOT_EQUAL):
        return Condition(field, comparison, tuple(map(_value, match[3].split("|"))))
    number = _value(match[3])
    if isinstance(number, str | bool):
        raise ConfigError(f"Found {match[3]!r} in {text!r}; expected a number after {comparison}.")
    return Condition(field, comparison, (float(number),))


def _value(text: str) -> Value:
    """A flag, a finite number, or the text as it is: somebody may be called Nan."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            if isfinite(number := kind(text)):
                return number
        except (ValueError, OverflowError):
            continue
    return text
