"""``dragoman reproduce semi-interactive``."""

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

from commands import run
from dragoman.errors import ConfigError, UnknownName
from dragoman.experiments.semi_interactive import plan
from dragoman.experiments.semi_interactive.plan import SMALL
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig
from small_items import vocabulary, write_items
from toy_relevance import save_encoder

TINY = replace(
    SMALL,
    name="tiny",
    task=RelevanceTaskConfig(train=4, negatives=2, candidates=4, hard_candidates=1),
    base=replace(SMALL.base, layers=1, max_length=32, batch=16, epochs=1, warm_up=0),
    teacher_epochs=1,
    timed=4,
    reranked=2,
    pictured=4,
    fitted=6,
)


@pytest.fixture
def place(tmp_path):
    write_items(tmp_path / "items")
    save_encoder(tmp_path / "encoder", vocabulary(), layers=1)
    return tmp_path


def test_the_section_goes_to_the_page_and_is_replaced(place, monkeypatch):
    monkeypatch.setitem(plan.SCALES, "tiny", TINY)
    given = ["reproduce", "semi-interactive", place / "items", "--encoder", place / "encoder",
             "-o", place / "report", "--scale", "tiny", "--parts", "similarity",
             "--supervised", "de,fr", "--page", place / "results.md"]  # fmt: skip
    printed = run(*given)
    assert "Table 2: AUC" in printed
    assert "Table 5" not in printed
    page = (place / "results.md").read_text()
    assert "<!-- semi-interactive-toy-items: begin -->" in page
    assert "--scale tiny --supervised de,fr --parts similarity`" in page
    assert (place / "report" / "figure-4.png").stat().st_size > 10_000
    run(*given)
    assert (place / "results.md").read_text().count("## Semi-interactive transformers") == 1


def test_wrong_options_are_refused(place):
    given = ["reproduce", "semi-interactive", place / "items", "--encoder", place / "encoder",
             "-o", place / "report"]  # fmt: skip
    with pytest.raises(UnknownName, match="Unknown scale 'large'"):
        run(*given, "--scale", "large")
    with pytest.raises(UnknownName, match=r"Unknown part 'alpah'.*Did you mean 'alpha'"):
        run(*given, "--parts", "alpah")
    with pytest.raises(ConfigError, match="no pages in it"):
        run(*given, "--supervised", "de,it")
