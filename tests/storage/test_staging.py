import errno

import pytest

from dragoman.errors import OutputError
from dragoman.storage.staging import staged_file, staged_folder, write_lines

ENDINGS = ["", ".gz", ".zst"]


def interrupted(writing, write):
    with writing as target:
        write(target)
        raise KeyboardInterrupt("now")


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_lines_give_the_same_bytes(ending, tmp_path):
    for name in ("a", "b"):
        with write_lines(tmp_path / f"{name}{ending}") as stream:
            stream.write("one\ntwo\n")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_interrupted_write_leaves_what_was_there(ending, tmp_path):
    path = tmp_path / f"a.txt{ending}"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt, match="now"):
        interrupted(write_lines(path), lambda stream: stream.write("after"))
    assert [item.name for item in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "before"


def test_an_interrupted_folder_leaves_what_was_there(tmp_path):
    target = tmp_path / "folder"
    with staged_folder(target) as staged:
        (staged / "a").write_text("before")
    with pytest.raises(KeyboardInterrupt, match="now"):
        interrupted(staged_folder(target), lambda staged: (staged / "a").write_text("after"))
    assert (target / "a").read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_replaces_the_one_that_was_there(tmp_path):
    target = tmp_path / "folder"
    for text in ("before", "after"):
        with staged_folder(target) as staged:
            (staged / text).write_text(text)
    assert [path.name for path in target.iterdir()] == ["after"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_replaces_the_one_that_was_there(tmp_path):
    path = tmp_path / "deeper" / "a"
    for text in ("before", "after"):
        with staged_file(path) as staged:
            staged.write_text(text)
    assert path.read_text() == "after"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("stage", [staged_file, staged_folder])
def test_a_full_disk_names_the_output_and_leaves_what_was_there(stage, tmp_path):
    def fill():
        with stage(tmp_path / "out"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OutputError, match=r"out: found no room on its disk \(No space left"):
        fill()
    assert not list(tmp_path.iterdir())
