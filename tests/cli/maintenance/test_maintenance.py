"""``verify``, ``snapshot``, ``restore`` and ``upgrade``, as a person runs them."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from commands import run
from dragoman.cli import app, main
from small_index import answers, execute, flip, segment_of, small_index, treat_otherwise


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return small_index(tmp_path_factory.mktemp("whole") / "index")


@pytest.fixture
def index(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "index")


def failed(monkeypatch, capsys, *arguments):
    """The exit code and the error of a command."""
    monkeypatch.setattr("sys.argv", ["dragoman", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code, capsys.readouterr().err


def test_a_whole_index_is_said_to_be_whole(index):
    assert run("verify", index) == f"{index}: 4 documents in 1 segment, no damage\n"


def test_damage_is_one_line_and_exit_code_1_until_it_is_repaired(index):
    expected = answers(index)
    flip(segment_of(index))
    done = CliRunner().invoke(app, ["verify", str(index)])
    assert done.exit_code == 1
    found, verdict = done.stdout.splitlines()
    assert found.startswith(f"damage: {index}/store/segments/00000001.segment: byte 0 to ")
    assert "Affected: 3 documents ('bread', 'brot', 'tide')." in found
    assert found.endswith(f"Rebuild it from the stored texts: dragoman verify {index} --repair")
    assert verdict == f"{index}: 4 documents in 1 segment, damage in 1 place"
    repaired, verdict = run("verify", index, "--repair").splitlines()
    assert repaired == "repaired: 3 documents encoded again in place of 00000001.segment"
    assert verdict == f"{index}: 4 documents in 1 segment, no damage"
    assert answers(index) == expected


def test_what_cannot_be_repaired_is_said(index):
    execute(index, "UPDATE documents SET text = x'41' WHERE key = 3")
    done = CliRunner().invoke(app, ["verify", str(index), "--repair"])
    assert done.exit_code == 1
    assert "Affected: the document 'brot'. Add them again from their sources" in done.stdout


def test_a_report_as_json(index):
    assert json.loads(run("verify", index, "--json")) == {
        "index": str(index),
        "clean": True,
        "documents": 4,
        "segments": 1,
        "findings": [],
        "repaired": [],
    }
    flip(segment_of(index))
    done = CliRunner().invoke(app, ["verify", str(index), "--json"])
    report = json.loads(done.stdout)
    (finding,) = report["findings"]
    assert (done.exit_code, report["clean"], report["repaired"]) == (1, False, [])
    assert finding["severity"] == "damage"
    assert (finding["part"], finding["path"]) == ("segments", "store/segments/00000001.segment")
    assert finding["documents"] == ["bread", "brot", "tide"]
    assert f"dragoman verify {index} --repair" in finding["remedy"]


def test_a_snapshot_is_restored(index, tmp_path):
    path = tmp_path / "index.tar.zst"
    packed = run("snapshot", index, "-o", path)
    assert packed == f"{path}: 4 documents, {path.stat().st_size:,} bytes\n"
    restored = run("restore", path, "-o", tmp_path / "again")
    assert restored == f"{tmp_path / 'again'}: 4 documents, restored and verified\n"
    assert answers(tmp_path / "again") == answers(index)


def test_an_upgrade_says_what_differed(index):
    assert run("upgrade", index) == f"{index}: fits this installation; left as it is\n"
    treat_otherwise(index, "en")
    differed, upgraded = run("upgrade", index).splitlines()
    assert differed.startswith("differed: documents in en: older tables, now language:en|")
    assert upgraded == f"{index}: 4 documents, bm25, upgraded"
    assert run("upgrade", index) == f"{index}: fits this installation; left as it is\n"


def test_documents_of_an_index_with_a_damaged_system_can_be_exported(index, tmp_path):
    before = run("export", index)
    flip(index / "system" / "config.json", 9)
    flip(index / "manifest.json", 9)
    segment_of(index).unlink()
    assert run("export", index) == before


@pytest.mark.parametrize("command", ["search", "explain", "export", "optimize", "snapshot"])
@pytest.mark.parametrize(
    "name",
    [
        "manifest.json",
        "system/config.json",
        "store/documents.sqlite",
        "store/segments/00000001.segment",
    ],
)
def test_no_command_ends_with_a_traceback(index, tmp_path, monkeypatch, capsys, command, name):
    (index / name).write_bytes(b"\xff" * 99)
    options = {
        "search": ["moon", "--query-language", "en"],
        "explain": ["moon", "tide", "--query-language", "en"],
        "export": ["-o", tmp_path / "out.jsonl"],
        "snapshot": ["-o", tmp_path / "out.tar.zst"],
    }
    if command == "export" and not name.endswith(".sqlite"):  # which needs the texts alone
        assert run(command, index, *options[command]).endswith("4 documents\n")
        return
    code, error = failed(monkeypatch, capsys, command, index, *options.get(command, []))
    assert code in (1, 2)
    assert error.splitlines()[-1].startswith("error: ")
    assert name in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "nowhere"], "expected an index folder"),
        (["snapshot", "nowhere", "-o", "out.tar.zst"], "expected an index folder"),
        (["upgrade", "nowhere"], "expected an index folder"),
        (["restore", "nowhere", "-o", "again"], "expected a readable file"),
        (["restore", "file", "-o", "file"], "expected the name of a folder"),
        (["restore", "file", "-o", "folder"], "nothing is overwritten"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_wrong_name_exits_with_2(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "folder" / "other").mkdir(parents=True)
    code, error = failed(monkeypatch, capsys, *arguments)
    assert code == 2
    assert error.startswith("error: ")
    assert message in error
