"""The folder of a training, and how its result replaces the target."""

import pytest

pytest.importorskip("accelerate", reason="needs the extra neural")

from dragoman.training.trainer import LOG
from dragoman.training.workspace import open_workspace, publish, write_shared


def test_it_is_next_to_the_target_and_survives_until_a_restart(tmp_path):
    work = open_workspace(tmp_path / "models" / "toy")
    assert work == tmp_path / "models" / ".toy.training"
    write_shared(work / "part", lambda path: path.write_text("done"))
    assert (open_workspace(tmp_path / "models" / "toy") / "part").read_text() == "done"
    assert not list(open_workspace(tmp_path / "models" / "toy", restart=True).iterdir())


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    work = open_workspace(tmp_path / "toy")

    def fail(path):
        path.write_text("half")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        write_shared(work / "part", fail)
    assert not list(work.iterdir())


def test_the_result_replaces_the_target_with_its_log(tmp_path):
    output = tmp_path / "toy"
    output.mkdir()
    (output / "old").touch()
    work = open_workspace(output)
    (work / LOG).write_text("{}\n")
    publish(work, output, lambda folder: (folder / "new").touch())
    assert sorted(path.name for path in output.iterdir()) == sorted([LOG, "new"])
    assert not work.exists()
