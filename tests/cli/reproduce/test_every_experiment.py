"""``dragoman reproduce all``: every experiment on data that is made up here."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

from commands import run
from dragoman.errors import DragomanError, UnknownName
from small_everything import WORDS, write_data, write_items
from toys import toy_encoder

EXPERIMENTS = (
    "lexical", "wasserstein", "searcher", "smooth", "engine", "ablation", "transport",
    "semi-interactive",
)  # fmt: skip
SECTIONS = ("lexical", "wasserstein", "searcher", "smooth-en-fr-tiny", "engine", "ablation",
            "transport", "semi-interactive-made-up-items")  # fmt: skip


@pytest.fixture
def place(tmp_path, monkeypatch):
    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en", "fr", "de", "es", "ru", "el", "ar", "tr", "hi"})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda name: toy)
    write_data(tmp_path / "data")
    write_items(tmp_path / "items")
    return tmp_path


def command(place, *options):
    return ["reproduce", "all", place / "data", "--collection", place / "items",
            "--searched", "sw", "-o", place / "report", "--scale", "tiny", *options]  # fmt: skip


def test_every_experiment_runs_and_has_a_section_in_one_report(place):
    printed = run(*command(place))
    for name in EXPERIMENTS:
        assert f"| {name} |" in printed
    text = (place / "report" / "report.md").read_text(encoding="utf-8")
    assert text.count("| done |") == len(EXPERIMENTS)
    for section in SECTIONS:
        assert f"<!-- {section}: begin -->" in text
    assert "--scale tiny`" in text
    assert (place / "report" / "encoder" / "model.safetensors").is_file()


def test_an_experiment_that_fails_does_not_stop_the_others(tmp_path):
    """Without any data all of them fail, each with its own reason."""
    with pytest.raises(DragomanError, match=f"8 of 8 experiments failed: {', '.join(EXPERIMENTS)}"):
        run("reproduce", "all", tmp_path / "data", "--collection", tmp_path / "items",
            "-o", tmp_path / "report", "--scale", "tiny")  # fmt: skip
    text = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "found no collection" in text
    assert "found no bitext/en-so.tsv.gz" in text
    assert text.count("| done |") == 0


def test_an_unknown_scale_is_refused(place):
    with pytest.raises(UnknownName, match="Unknown scale 'full'"):
        run(*command(place), "--scale", "full")
