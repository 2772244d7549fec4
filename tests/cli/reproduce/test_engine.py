"""``reproduce engine``, as a person runs it."""

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query
from toys import toy_encoder

WORDS = {"house": 0, "nyumba": 0, "water": 1, "maji": 1}


@pytest.fixture
def data(tmp_path, monkeypatch):
    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en", "sw"})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda name: toy)
    for name, asked, searched in [("afriqa-sw", "sw", "en"), ("packages", "en", "sw")]:
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        texts = {"en": ("house", "water"), "sw": ("nyumba", "maji")}
        write_documents(
            folder / "corpus.jsonl.gz",
            [
                Document(f"{code}:{n}", texts[code][n], language=code)
                for code in texts
                for n in (0, 1)
            ],
        )
        write_queries(folder / "queries.jsonl.gz", [Query("q", texts[asked][0], asked)])
        write_judgments(folder / "qrels.tsv.gz", {"q": {f"{searched}:0": 1}})
    return tmp_path / "data"


def test_the_engine_is_measured_on_the_data_and_on_named_collections(data, tmp_path):
    page, keep = tmp_path / "results.md", tmp_path / "kept"
    options = ["--collection", str(data / "packages"), "-o", str(page), "--keep", str(keep)]
    result = CliRunner().invoke(app, ["reproduce", "engine", str(data), *options])
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    assert "| afriqa-sw | sw (1) | en | **1.000** | **1.000** | **1.000** |" in text
    assert "| packages | en (1) | sw | **1.000** | **1.000** | **1.000** |" in text
    assert f"--collection {data / 'packages'}" in text
    assert len(list(keep.iterdir())) == 2


def test_transport_needs_its_paragraphs(data, tmp_path):
    page = tmp_path / "results.md"
    result = CliRunner().invoke(app, ["reproduce", "transport", str(data), "-o", str(page)])
    assert "found no xquad-r; expected its paragraphs" in str(result.exception)
    assert not page.exists()
