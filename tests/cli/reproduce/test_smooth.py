"""``dragoman reproduce smooth``."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import ConfigError, UnknownName
from small_graded import write_collection
from small_published import write_multi8, write_sasaki


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
    assert "<!-- smooth-en-it-losses-small: begin -->" in page.read_text()
    assert (tmp_path / "r" / "report.html").is_file()


def test_a_smaller_run_has_a_section_of_its_own(collection, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    page = tmp_path / "results.md"
    begin, end = "<!-- smooth-en-it-authors: begin -->", "<!-- smooth-en-it-authors: end -->"
    full = f"{begin}\nof the full scale\n{end}"
    page.write_text(f"# Results\n\n{full}\n", encoding="utf-8")
    run("reproduce", "smooth", collection, "-o", tmp_path / "r", "--scale", "tiny", "--parts",
        "authors", "--page", page)  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert full in text
    assert "<!-- smooth-en-it-authors-tiny: begin -->" in text
    assert "## Smooth learning: en-it (authors, tiny scale)" in text
    assert "| As printed, as coded, ours |" in text


@pytest.mark.parametrize("write", [write_sasaki, write_multi8])
def test_published_data_is_read_from_its_own_files(write, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    page, folder = tmp_path / "results.md", write(tmp_path / "data", ("en", "de"))
    run("reproduce", "smooth", folder, "-o", tmp_path / "r", "--scale", "tiny", "--parts", "losses",
        "--languages", "en-fr", "--page", page)  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert "- collection: data-en-fr" in text
    assert "| SOSL, targets as printed |" not in text
    assert "*SOSL, paper (Wikipedia)*" in text
    with pytest.raises(ConfigError, match=r"found 2 pairs of languages"):
        run("reproduce", "smooth", folder, "-o", tmp_path / "r", "--scale", "tiny")
