"""Settings -> configurations: names, types, nested fields, and what is refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from dragoman.errors import ConfigError, UnknownName
from dragoman.settings import (
    FLATTENED,
    parse_choice,
    parse_settings,
    plain_settings,
    replace_given,
    setting_names,
    shortcuts,
)


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


@dataclass(frozen=True, kw_only=True)
class Inner:
    width: int = 3
    height: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Outer:
    model: Path
    colour: Colour = Colour.RED
    epsilon: float | None = 0.1
    folders: tuple[Path, ...] = ()
    weights: tuple[float, ...] = ()
    title: str = ""
    exact: bool = False
    flat: Inner = field(default_factory=Inner, metadata=FLATTENED)
    named: Inner = field(default_factory=Inner)
    absent: Inner | None = None
    part: Mapping[str, Any] | None = field(default=None, metadata=shortcuts("language"))


def test_what_is_left_out_has_its_default():
    assert parse_settings(Outer, {"model": "here"}) == Outer(model=Path("here"))


def test_every_type_is_read():
    settings = {
        "model": Path("here"),
        "colour": "green",
        "epsilon": None,
        "folders": ["a", Path("b")],
        "weights": [1, 0.5],
        "title": "t",
        "exact": True,
        "width": 5,
        "named": {"height": 2},
        "absent": {"width": 7},
        "part": {"depth": 1, "language": "de"},
        "language": "sw",
    }
    assert parse_settings(Outer, settings) == Outer(
        model=Path("here"),
        colour=Colour.GREEN,
        epsilon=None,
        folders=(Path("a"), Path("b")),
        weights=(1, 0.5),
        title="t",
        exact=True,
        flat=Inner(width=5),
        named=Inner(height=2),
        absent=Inner(width=7),
        part={"depth": 1, "language": "sw"},
    )
    assert parse_settings(Outer, {"model": "m", "language": "sw"}).part == {"language": "sw"}
    assert parse_settings(Outer, {"model": "m", "part": None, "absent": None}).part is None


def test_a_flattened_field_is_named_by_its_own_fields():
    names = setting_names(Outer)
    assert {"width", "height", "named", "language"} <= set(names)
    assert "flat" not in names


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"modle": "x"}, r"Unknown setting 'modle'\. Did you mean 'model'\? Known: absent, colour"),
        ({"flat": {}}, "Unknown setting 'flat'"),
        ({"colour": "gren"}, r"Unknown colour 'gren'\. Did you mean 'green'\? Known: green, red"),
        ({"colour": 3}, "Unknown colour '3'"),
        ({"named": {"depth": 1}}, "Unknown setting 'depth'"),
    ],
)
def test_unknown_names_are_refused(settings, message):
    with pytest.raises(UnknownName, match=message):
        parse_settings(Outer, {"model": "here", **settings})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": 3}, "model must be a folder, got 3"),
        ({"folders": "a"}, "folders must be a list of folders, got 'a'"),
        ({"folders": [3]}, "folders must be a folder, got 3"),
        ({"weights": ["a"]}, "weights must be a number, got 'a'"),
        ({"weights": 0.5}, "weights must be a list of numbers, got 0.5"),
        ({"epsilon": "0.1"}, "epsilon must be a number, got '0.1'"),
        ({"epsilon": True}, "epsilon must be a number, got True"),
        ({"title": None}, "title must be a string, got None"),
        ({"exact": "yes"}, "exact must be true or false, got 'yes'"),
        ({"exact": 1}, "exact must be true or false, got 1"),
        ({"width": 3.0}, "width must be a whole number, got 3.0"),
        ({"width": True}, "width must be a whole number, got True"),
        ({"named": 3}, "named must be a mapping of settings, got 3"),
        ({"part": "x"}, "part must be a mapping of settings, got 'x'"),
        ({"part": "x", "language": "sw"}, "part must be a mapping of settings, got 'x'"),
    ],
)
def test_values_of_another_type_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        parse_settings(Outer, {"model": "here", **settings})


@pytest.mark.parametrize("settings", [{}, {"model": None}, {"model": ""}, {"width": 3}])
def test_what_has_no_default_must_be_given(settings):
    with pytest.raises(ConfigError, match=r"^Found no model; expected a folder\.$"):
        parse_settings(Outer, settings)
    with pytest.raises(ConfigError, match=r"expected a folder\. Train one\.$"):
        parse_settings(Outer, settings, advice="Train one.")


def test_plain_settings_are_json_and_read_again(tmp_path):
    @dataclass(frozen=True)
    class Flat:
        model: Path
        folders: tuple[Path, ...]
        colour: Colour

    config = Flat(tmp_path, (tmp_path / "a", tmp_path / "b"), Colour.GREEN)
    plain = json.loads(json.dumps(plain_settings(config)))
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert plain == {"model": str(tmp_path), "folders": folders, "colour": "green"}
    assert parse_settings(Flat, plain) == config


def test_a_choice_is_read_by_itself():
    assert parse_choice(Colour, "red", "colour") is Colour.RED
    assert parse_choice(Colour, Colour.GREEN, "colour") is Colour.GREEN
    with pytest.raises(UnknownName, match="Unknown paint 'blue'"):
        parse_choice(Colour, "blue", "paint")


def test_only_what_is_given_is_replaced():
    assert replace_given(Inner(width=4), width=None, height=0.0) == Inner(width=4, height=0.0)
