import pytest
from typer.testing import CliRunner

from commands import run
from dragoman.cli import app
from dragoman.errors import UserError
from dragoman.service.security.keys import KeyFile, KeyScope


def test_a_key_is_shown_once_and_opens_what_was_chosen(tmp_path):
    key = run("keys", "add", "room", "--scope", "write", "--index", "a", "--state", tmp_path)
    stored = KeyFile(tmp_path / "keys.json").find(key.strip())
    assert (stored.name, stored.scope, stored.indexes) == ("room", KeyScope.WRITE, ("a",))
    listed = run("keys", "list", "--state", tmp_path)
    assert "room" in listed
    assert key.strip() not in listed


def test_without_a_scope_a_key_only_reads(tmp_path):
    key = run("keys", "add", "room", "--state", tmp_path).strip()
    assert KeyFile(tmp_path / "keys.json").find(key).scope is KeyScope.READ


def test_a_revoked_key_is_gone_and_the_last_one_leaves_a_note(tmp_path):
    run("keys", "add", "room", "--state", tmp_path)
    done = CliRunner().invoke(app, ["keys", "revoke", "room", "--state", str(tmp_path)])
    assert "room is revoked" in done.output
    assert "No key is left" in done.output
    assert KeyFile(tmp_path / "keys.json").stored() == ()


def test_the_list_of_a_service_without_keys_says_so(tmp_path):
    done = CliRunner().invoke(app, ["keys", "list", "--state", str(tmp_path)])
    assert "There are no keys" in done.output
    assert not (tmp_path / "keys.json").exists()


def test_an_unknown_scope_names_those_that_exist(tmp_path):
    with pytest.raises(UserError, match="'read', 'write', 'admin'"):
        run("keys", "add", "room", "--scope", "all", "--state", tmp_path)
