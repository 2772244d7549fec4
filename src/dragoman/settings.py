"""Settings (JSON values by name) -> a frozen configuration, with names and types checked.

A configuration is a frozen dataclass, and a setting has the name of its field. The type of a field
is ``bool``, ``int``, ``float``, ``str``, ``Path``, a ``StrEnum``, a mapping, another configuration,
or ``tuple[X, ...]`` or ``X | None`` of these. Ranges are checked by ``__post_init__``.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from dragoman.errors import ConfigError, UnknownName

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Config = TypeVar("Config", bound="DataclassInstance")
Choice = TypeVar("Choice", bound=StrEnum)

# metadata of a nested configuration whose fields are settings themselves, without its name
FLATTENED: Mapping[str, Any] = {"flattened": True}

# type -> its description in messages, in the singular and the plural
DESCRIPTIONS: Mapping[type, tuple[str, str]] = {
    bool: ("true or false", "true or false"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a string", "strings"),
    Path: ("a folder", "folders"),
}


def shortcuts(*names: str) -> Mapping[str, Any]:
    """Metadata of a mapping: the settings of it that may also be given at the top level."""
    return {"shortcuts": names}


def parse_settings(
    kind: type[Config], settings: Mapping[str, object], *, advice: str = ""
) -> Config:
    """The configuration that ``settings`` describe, with defaults for the others.

    A setting without a default is required and must not be empty; ``advice`` is added to the
    message if it is missing.
    """
    owners = _owners(kind)
    for name in settings:
        if name not in owners:
            raise UnknownName(name, owners, "setting")
    hints, values = get_type_hints(kind), {}
    for field in fields(kind):
        given = {name: value for name, value in settings.items() if owners[name] is field}
        hint = hints[field.name]
        if _is_required(field) and _is_empty(given.get(field.name)):
            raise ConfigError(
                f"Found no {field.name}; expected {_described(hint)}." + (advice and f" {advice}")
            )
        if not given:
            continue
        if field.metadata.get("flattened"):
            values[field.name] = parse_settings(hint, given)
        else:
            values[field.name] = _parse(field.name, _merged(field.name, given), hint)
    return kind(**values)


def plain_settings(config: "DataclassInstance") -> dict[str, object]:
    """The settings that ``parse_settings`` turns into ``config`` again, with absolute paths.

    For configurations without nested ones.
    """
    return {field.name: _plain(getattr(config, field.name)) for field in fields(config)}


def setting_names(kind: type["DataclassInstance"]) -> tuple[str, ...]:
    """The names of the settings that ``parse_settings`` accepts for a configuration."""
    return tuple(_owners(kind))


def parse_choice(kind: type[Choice], value: object, name: str) -> Choice:
    """The member of ``kind`` with this value; ``name`` is that of the setting, for the message."""
    known = [str(member) for member in kind]
    if value not in known:
        raise UnknownName(str(value), known, name)
    return kind(str(value))


def replace_given(config: Config, **values: object) -> Config:
    """``config`` with the values that are not None."""
    return replace(config, **{name: value for name, value in values.items() if value is not None})


def _owners(kind: type["DataclassInstance"]) -> dict[str, Field[Any]]:
    """Setting -> its field."""
    owners: dict[str, Field[Any]] = {}
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.metadata.get("flattened"):
            owners |= dict.fromkeys(_owners(hints[field.name]), field)
        else:
            owners |= dict.fromkeys((field.name, *field.metadata.get("shortcuts", ())), field)
    return owners


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value.resolve()) if isinstance(value, Path) else value


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple) and not value)


def _merged(name: str, given: Mapping[str, object]) -> object:
    """The value of the field ``name``, including its shortcuts."""
    outside = {other: value for other, value in given.items() if other != name}
    inside = given.get(name)
    if outside and (inside is None or isinstance(inside, Mapping)):
        return {**(inside or {}), **outside}
    return inside


def _parse(name: str, value: object, hint: Any) -> Any:  # noqa: ANN401 - the annotation decides
    if NoneType in get_args(hint):
        return None if value is None else _parse(name, value, _without_none(hint))
    if get_origin(hint) is tuple and isinstance(value, list | tuple):
        return tuple(_parse(name, one, get_args(hint)[0]) for one in value)
    if get_origin(hint) is Mapping and isinstance(value, Mapping):
        return dict(value)
    if isinstance(hint, type):
        if issubclass(hint, StrEnum):
            return parse_choice(hint, value, name)
        if is_dataclass(hint) and isinstance(value, Mapping):
            return parse_settings(hint, value)
        if _fits(value, hint):
            return Path(str(value)) if hint is Path else value
    raise ConfigError(f"{name} must be {_described(hint)}, got {value!r}")


def _fits(value: object, hint: type) -> bool:
    """Whether ``value`` has the type ``hint``; an int is a float, a bool is neither."""
    if isinstance(value, bool):
        return hint is bool
    if hint is Path:
        return isinstance(value, str | Path) and bool(str(value))
    return isinstance(value, (int, float) if hint is float else hint)


def _without_none(hint: Any) -> Any:  # noqa: ANN401
    (only,) = (one for one in get_args(hint) if one is not NoneType)
    return only


def _described(hint: Any) -> str:  # noqa: ANN401
    """The description of a type in a message."""
    if NoneType in get_args(hint):
        return f"{_described(_without_none(hint))} or none"
    if get_origin(hint) is tuple:
        return f"a list of {DESCRIPTIONS.get(get_args(hint)[0], ('', 'values'))[1]}"
    return DESCRIPTIONS[hint][0] if hint in DESCRIPTIONS else "a mapping of settings"
