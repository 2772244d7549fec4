"""Options of builds: what is wrong with --workers is said before the work."""

import sys

import pytest

from commands import run
from dragoman.cli.building import open_workers
from dragoman.errors import ConfigError, MissingExtra


def test_a_wrong_value_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(ConfigError, match=r"Found --workers four; expected local:N"):
        run("index", "sample", "-o", tmp_path / "index", "--workers", "four")
    assert not [*tmp_path.iterdir()]


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingExtra, match=r"'ray' is not installed.*dragoman\[ray\]"),
        open_workers("local:2"),
    ):
        pass


def test_without_the_option_a_command_works_in_its_own_process():
    with open_workers("") as workers:
        assert workers is None
