from pathlib import Path

from dragoman.storage.state import state_folder


def test_the_folder_follows_the_environment(monkeypatch):
    monkeypatch.delenv("DRAGOMAN_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "/states")
    assert state_folder() == Path("/states/dragoman")
    monkeypatch.setenv("DRAGOMAN_STATE", "/own")
    assert state_folder() == Path("/own")
    monkeypatch.delenv("DRAGOMAN_STATE")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_folder() == Path.home() / ".local/state/dragoman"
