"""``export``, as a person runs it."""

import json

import pytest
from typer.testing import CliRunner

from commands import run
from dragoman.cli import app, main
from dragoman.text.files import Faults, read_lines

LINES = [
    {"_id": "brot", "text": "Das Brot geht auf.", "lang": "de", "by": {"name": "Anna", "n": [1]}},
    {"_id": "mkate", "title": "Mkate", "text": "Mkate na chumvi.", "lang": "sw", "year": 2001},
    {"_id": "хлеб", "text": "Хлеб и соль.", "lang": "ru"},
]


@pytest.fixture
def index(tmp_path):
    source = tmp_path / "source.jsonl"
    source.write_text("\n".join(map(json.dumps, reversed(LINES))), encoding="utf-8")
    run("index", source, "-o", tmp_path / "index", "--system", "psq")
    return tmp_path / "index"


def lines_of(path):
    return [json.loads(line) for _, line in read_lines(path, Faults())]


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_an_export_can_be_indexed_and_exported_again(index, tmp_path, ending):
    path = tmp_path / "new" / f"documents.jsonl{ending}"
    assert run("export", index, "-o", path) == f"{path}: 3 documents\n"
    assert lines_of(path) == LINES
    run("index", path, "-o", tmp_path / "again", "--system", "psq")
    second = tmp_path / f"again.jsonl{ending}"
    run("export", tmp_path / "again", "-o", second)
    assert second.read_bytes() == path.read_bytes()


def test_without_a_file_the_lines_are_printed(index):
    done = CliRunner().invoke(app, ["export", str(index)])
    assert [json.loads(line) for line in done.stdout.splitlines()] == LINES
    assert done.stderr == "standard output: 3 documents\n"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("source.jsonl/documents.jsonl", "the file"),
        ("index", "a folder; expected a regular file"),
    ],
)
def test_an_output_that_cannot_be_written_exits_with_2(index, monkeypatch, capsys, name, found):
    path = index.parent / name
    monkeypatch.setattr("sys.argv", ["dragoman", "export", str(index), "-o", str(path)])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert f"error: {path}: found {found}" in capsys.readouterr().err


def test_a_folder_without_an_index_exits_with_2(tmp_path, monkeypatch, capsys):
    output = tmp_path / "documents.jsonl"
    monkeypatch.setattr("sys.argv", ["dragoman", "export", str(tmp_path), "-o", str(output)])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "expected an index folder" in capsys.readouterr().err
    assert not output.exists()
