import pytest

from dragoman.storage import folders
from dragoman.storage.folders import replace_folder


@pytest.mark.parametrize("exchanges", [True, False])
def test_the_new_folder_is_there_and_the_old_one_is_returned(exchanges, tmp_path, monkeypatch):
    if not exchanges:
        monkeypatch.setattr(folders, "_exchanged", lambda one, other: False)
    target, new = tmp_path / "target", tmp_path / ".new"
    for name in ("first", "second"):
        (new / name).mkdir(parents=True)
        old = replace_folder(new, target)
        assert [path.name for path in target.iterdir()] == [name]
    assert old is not None
    assert [path.name for path in old.iterdir()] == ["first"]
