"""``dragoman reproduce smooth``."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import UnknownName
from small_graded import write_collection


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return write_collection(tmp_path_factory.mktemp("graded"))


def test_wrong_options_are_refused(collection, tmp_path):
    with pytest.raises(UnknownName, match="Unknown scale 'large'"):
        run("reproduce", "smooth", collection, "-o", tmp_path / "r", "--scale", "large")
    with pytest.raises(UnknownName, match="Did you mean 'losses'"):
        run("reproduce", "smooth", collection, "-o", tmp_path / "r", "--parts", "loses")


def test_one_part_can_be_reproduced(collection, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    page = tmp_path / "results.md"
    printed = run("reproduce", "smooth", collection, "-o", tmp_path / "r", "--parts", "losses",
               "--page", page)  # fmt: skip
    assert "Table 2" in printed
    assert "Table 3" not in printed
    assert "<!-- smooth-en-it-losses: begin -->" in page.read_text()
    assert (tmp_path / "r" / "report.html").is_file()
