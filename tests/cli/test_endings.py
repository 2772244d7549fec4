"""Commands that end early, as processes of their own: what they print, return and leave behind."""

import errno
import json
import os
import signal
from functools import partial

import pytest

import dragoman
from dragoman.cli import main
from dragoman.cli.endings import ending_of
from dragoman.errors import ConfigError, DragomanError
from dragoman.storage.database import StorageError
from processes import interrupted, unprivileged

PSQ = ("--system", "psq")


@pytest.fixture
def folder(tmp_path):
    """Documents, files, queries and bitext, and a small index of them."""
    lines = [
        json.dumps({"_id": f"d{number}", "text": f"the bread of day {number}", "lang": "en"})
        for number in range(20)
    ]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "queries.tsv").write_text("q1\tbread\nq2\tday\n", encoding="utf-8")
    (tmp_path / "bitext.tsv").write_text("bread\tmkate\nwater\tmaji\n" * 20, encoding="utf-8")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("Bread is baked of flour and water in an oven.")
    return tmp_path


@pytest.fixture
def index(folder):
    done = unprivileged(folder, "index", "docs.jsonl", "-o", "index", *PSQ)
    assert done.returncode == 0, done.stderr
    return folder / "index"


def names(folder):
    """All files and folders, but those of caches and of the system's temporary folder."""
    below = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    ours = {name for name in below if not name.startswith("cache/")}
    return ours - {"tmp", "cache", "tmp/.ses"}  # the last is of onnxruntime


LEARN = ("learn", "lexicon", "bitext.tsv", "--languages", "en-sw", "-o", "out")


@pytest.mark.parametrize(
    ("moment", "arguments", "left"),
    [
        ("dragoman.indexes.spool:_line", ("index", "docs.jsonl", "-o", "out", *PSQ), ""),
        ("dragoman.indexes.build:_prepare", ("index", "docs.jsonl", "-o", "out", *PSQ), ""),
        (
            "dragoman.indexes.build:_encode",
            ("index", "docs.jsonl", "-o", "out", *PSQ),
            ".out.building",
        ),
        (
            "dragoman.indexes.build:write_checksums",
            ("index", "docs.jsonl", "-o", "out", *PSQ),
            ".out.building",
        ),
        ("dragoman.indexes.sync.reading:documents_of", ("sync", "files", "-o", "out", *PSQ), ""),
        ("dragoman.indexes.build:_encode", ("sync", "files", "-o", "out", *PSQ), ".out.building"),
        ("dragoman.lexicons.learning:align", LEARN, ""),
        ("dragoman.lexicons.lexicon:Lexicon.save", LEARN, ""),
        ("dragoman.storage.staging:exchange", LEARN, ""),
    ],
)
def test_ctrl_c_is_one_line_that_names_what_is_left(folder, moment, arguments, left):
    before = names(folder)
    done = interrupted(folder, moment, *arguments)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: interrupted. ")
    added = {name.partition("/")[0] for name in names(folder) - before}
    assert added == ({left} if left else set())
    assert (left or "Nothing is left behind.") in last
    if left:
        again = unprivileged(folder, *arguments)
        assert (again.returncode, (folder / left).exists()) == (0, False), again.stderr


def test_ctrl_c_while_modules_are_imported_is_one_line_too(folder):
    done = interrupted(folder, "typer:Typer.__init__", "index", "docs.jsonl", "-o", "out", *PSQ)
    assert (done.returncode, done.stderr) == (130, "error: interrupted. Nothing was written.\n")


@pytest.mark.parametrize(
    ("moment", "arguments"),
    [
        ("dragoman.indexes.index:Index.add", ("index", "more.jsonl", "--append")),
        ("dragoman.indexes.index:Index.add", ("sync", "files")),
        ("dragoman.indexes.sync.synchronization:_delete", ("sync", "files")),
    ],
)
def test_ctrl_c_in_a_change_leaves_the_index_whole_and_says_so(index, moment, arguments):
    (index.parent / "more.jsonl").write_text('{"_id": "x", "text": "flour", "lang": "en"}')
    done = interrupted(index.parent, moment, *arguments, "-o", "index")
    assert done.returncode == 130
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: interrupted. index is whole, perhaps with a part of the changes")
    assert unprivileged(index.parent, "verify", "index").returncode == 0
    assert unprivileged(index.parent, *arguments, "-o", "index").returncode == 0
    with dragoman.open(index) as opened:
        assert opened.count() == 21


def test_ctrl_c_in_a_run_leaves_nothing(index):
    before = names(index.parent)
    arguments = ("run", "index", "--queries", "queries.tsv", "-o", "out.trec")
    done = interrupted(index.parent, "dragoman.indexes.index:Index.rank", *arguments)
    assert (done.returncode, names(index.parent) - before) == (130, set())
    assert "error: interrupted. Nothing is left behind." in done.stderr


def test_an_error_that_a_library_makes_of_ctrl_c_is_an_interrupt(monkeypatch, capsys):
    def compiled() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    monkeypatch.setattr("dragoman.cli.app", compiled)
    for _ in range(2):  # the first command leaves Ctrl-C as it was
        with pytest.raises(SystemExit, match="130"):
            main()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert capsys.readouterr().err == 2 * "error: interrupted. Nothing is left behind.\n"


def test_a_bug_is_no_interrupt(monkeypatch):
    def broken() -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("dragoman.cli.app", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        main()


OUTPUTS = {
    "index": ("index", "docs.jsonl", *PSQ),
    "sync": ("sync", "files", *PSQ),
    "run": ("run", "index", "--queries", "queries.tsv"),
    "export": ("export", "index"),
    "snapshot": ("snapshot", "index"),
    "explain": ("explain", "index", "bread", "d1"),
    "lexicon": LEARN[:-2],
    "embeddings": ("learn", "embeddings", "bitext.tsv", "--languages", "en-sw"),
    "bilda": ("train", "bilda", "docs.jsonl", "docs.jsonl", "--languages", "en-sw"),
}


@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_that_cannot_be_written_is_refused_before_any_work(index, command):
    (index.parent / "locked").mkdir(mode=0o555)
    before = names(index.parent)
    file = "out.png" if command == "explain" else "out"
    for place, found in {
        "locked": "the folder locked, which cannot be written (Permission denied)",
        "docs.jsonl": "the file docs.jsonl above it",
        "/proc": "the folder /proc, which cannot be written (no files can be created there)",
    }.items():
        done = unprivileged(index.parent, *OUTPUTS[command], "-o", f"{place}/{file}")
        assert done.stderr.startswith(f"error: {place}/{file}: found {found}; expected "), found
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert names(index.parent) == before


@pytest.mark.parametrize("place", ["locked/r.jsonl", "files"])
def test_the_report_of_a_sync_is_refused_before_any_work(folder, place):
    (folder / "locked").mkdir(mode=0o555)
    done = unprivileged(folder, "sync", "files", "-o", "out", "--report", place)
    assert (done.returncode, (folder / "out").exists()) == (2, False)
    assert done.stderr.startswith(f"error: {place}: found ")


@pytest.mark.parametrize(
    "change",
    [
        ("delete", "index", "d1"),
        ("optimize", "index"),
        ("index", "docs.jsonl", "--append", "-o", "index"),
        ("sync", "files", "-o", "index"),
    ],
    ids=lambda change: change[0],
)
def test_a_read_only_index_is_searched_and_verified_but_not_changed(index, change):
    for path in [index, *index.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    call = partial(unprivileged, index.parent)
    assert "d1" in call("search", "index", "bread of day 1", "--query-language", "en").stdout
    assert "no damage" in call("verify", "index").stdout
    done = call(*change)
    for path in [index, *index.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (ConfigError("found x"), "found x", 2),
        (StorageError("disk full"), "disk full", 2),
        (DragomanError("other"), "other", 1),
        (OSError(errno.ENOSPC, "No space left", "out"), "out: No space left", 2),
        (OSError(errno.EIO, "Input/output error"), "the system refused: Input/output error", 1),
        (KeyboardInterrupt(), "interrupted. Nothing is left behind.", 130),
    ],
)
def test_errors_have_their_exit_codes(error, message, code):
    assert ending_of(error) == (message, code)
    error.add_note("A part is in X.")
    assert ending_of(error)[0].endswith(" A part is in X.")
