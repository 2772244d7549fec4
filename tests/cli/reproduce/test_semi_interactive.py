"""``dragoman reproduce semi-interactive``."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

from commands import run
from dragoman.errors import ConfigError, UnknownName
from small_items import vocabulary, write_items
from small_published import ARTICLES, CODES, text, title, write_multi8, write_sasaki
from toy_relevance import save_encoder


@pytest.fixture
def place(tmp_path):
    write_items(tmp_path / "items")
    save_encoder(tmp_path / "encoder", vocabulary(), layers=1)
    return tmp_path


def test_the_section_goes_to_the_page_and_is_replaced(place):
    given = ["reproduce", "semi-interactive", place / "items", "--encoder", place / "encoder",
             "-o", place / "report", "--scale", "tiny", "--parts", "similarity",
             "--supervised", "de,fr", "--page", place / "results.md"]  # fmt: skip
    printed = run(*given)
    assert "Table 2: AUC" in printed
    assert "Table 5" not in printed
    page = (place / "results.md").read_text()
    assert "<!-- semi-interactive-toy-items-de-fr: begin -->" in page
    assert "(Xu et al. 2021): toy-items, trained on de, fr\n" in page
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


@pytest.mark.parametrize("write", [write_sasaki, write_multi8])
def test_published_data_is_read_from_its_own_files(write, tmp_path):
    folder = write(tmp_path / "data", CODES, "en")
    words = {word for code in ("en", *CODES) for n in range(ARTICLES)
             for word in f"{title(code, n)} {text(code, n)[:-1]}".split()}  # fmt: skip
    save_encoder(tmp_path / "encoder", sorted(words), layers=1)
    printed = run("reproduce", "semi-interactive", folder, "--encoder", tmp_path / "encoder",
                  "-o", tmp_path / "report", "--scale", "tiny", "--parts", "similarity",
                  "--supervised", "de,fr")  # fmt: skip
    assert "## Semi-interactive transformers (Xu et al. 2021): data, trained on de, fr" in printed
    assert "- languages without: es" in printed
    assert "| SEMI-INTERACT + KT |" in printed
