"""Search filters: the languages and metadata that documents must have, parsed from text.

``"year>=2019"`` compares numbers, ``"author=Anna"`` matches a value, ``"author=Anna|Ben"`` one of
several, ``"draft!=true"`` excludes. Numbers have no zeros before them: ``"zip=01234"`` matches a
text. Values may stand in quotes, as in ``'author = "Anna Berg"'``.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from dragoman.errors import ConfigError

NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
QUOTED = re.compile(r"""(["']).*\1""", re.DOTALL)
CONDITION = re.compile(r"\s*([\w.\-]+)\s*(>=|<=|!=|=|>|<)\s*(.+?)\s*", re.DOTALL)

Value = str | int | float | bool


class Operator(StrEnum):
    """A comparison operator."""

    EQUAL = "="
    NOT_EQUAL = "!="
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of one field with ``values``; only equality takes more than one value."""

    field: str
    operator: Operator
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """The languages and conditions that a document must match; an empty filter matches all."""

    languages: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.languages or self.conditions)


def parse_filter(languages: Collection[str] | None, conditions: Iterable[str] = ()) -> Filter:
    """The filter for canonical language codes and conditions as users write them."""
    return Filter(tuple(dict.fromkeys(languages or ())), tuple(map(parse_condition, conditions)))


def parse_condition(text: str) -> Condition:
    """One condition, as in ``"year>=2019"``."""
    match = CONDITION.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"Found the condition {text!r}; expected FIELD=VALUE, FIELD!=VALUE or a comparison"
            " with a number, as in year>=2019."
        )
    field, operator = match[1], Operator(match[2])
    if operator in (Operator.EQUAL, Operator.NOT_EQUAL):
        return Condition(field, operator, tuple(map(_value, match[3].split("|"))))
    number = _value(match[3])
    if isinstance(number, str | bool):
        raise ConfigError(f"Found {match[3]!r} in {text!r}; expected a number after {operator}.")
    return Condition(field, operator, (float(number),))


def condition_text(condition: Condition) -> str:
    """The condition as users write it: ``parse_condition`` of it gives the same one."""
    texts = [
        str(value).lower() if isinstance(value, bool) else str(value) for value in condition.values
    ]
    texts = [
        f'"{text}"' if _is_quoted(text) or text != text.strip() or not text else text
        for text in texts
    ]
    return f"{condition.field}{condition.operator}{'|'.join(texts)}"


def _is_quoted(text: str) -> bool:
    return len(text) > 1 and QUOTED.fullmatch(text) is not None


def _value(text: str) -> Value:
    """A flag, a finite number, or the text itself, without its quotes: Nan may be a name."""
    text = text[1:-1] if _is_quoted(text) else text
    if text in ("true", "false"):
        return text == "true"
    number = parse_number(text)
    return text if number is None else number


def parse_number(text: str) -> int | float | None:
    """The finite number that a text is written as, without zeros before it, or None."""
    if not NUMBER.fullmatch(text):
        return None
    for kind in (int, float):
        try:
            if isfinite(number := kind(text)):
                return number
        except (ValueError, OverflowError):
            continue
    return None
