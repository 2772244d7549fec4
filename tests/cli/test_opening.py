"""Commands on a service print what they print on the folder."""

import subprocess
import sys

import pytest

from commands import run
from dragoman.cli.opening import service_key
from dragoman.errors import ServiceError, UserError
from served import served
from small_index import small_index

FIRST = '{"_id": "a", "text": "rises moon", "lang": "en"}'
SECOND = '{"_id": "b", "text": "Hefe Meer", "lang": "de"}'
QUERIES = f"{FIRST}\n{SECOND}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_index(tmp_path_factory.mktemp("opening") / "letters")


@pytest.fixture(scope="module")
def address(folder):
    with served(folder) as (_, url):
        yield url


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("search", ["rises moon yeast", "-k", "2"]),
        ("search", ["rises moon yeast", "--json"]),
        ("search", ["Hefe", "--in", "de", "--where", "year>=2001", "--query-language", "de"]),
        ("explain", ["moon", "tide"]),
        ("explain", ["moon", "tide", "--json"]),
        ("explain", ["moon", "brot"]),
        ("similar", ["tide", "-k", "2"]),
        ("list", ["--sort", "-id", "-k", "2"]),
        ("list", ["--json"]),
        ("show", ["brot"]),
        ("show", ["salz", "--json"]),
    ],
)
def test_a_command_prints_the_same_of_both(folder, address, command, arguments):
    printed = run(command, folder, *arguments)
    assert printed.strip()
    assert run(command, address, *arguments) == printed


def test_a_run_is_the_same_file(folder, address, tmp_path):
    queries = tmp_path / "queries.jsonl"
    queries.write_text(QUERIES, encoding="utf-8")
    for place, name in ((folder, "folder.trec"), (address, "service.trec")):
        run("run", place, "--queries", queries, "-o", tmp_path / name)
    written = (tmp_path / "folder.trec").read_bytes()
    assert written.count(b"\n") > 3
    assert (tmp_path / "service.trec").read_bytes() == written


def test_a_run_is_measured_by_the_languages_of_a_service(folder, address, tmp_path):
    queries, qrels = tmp_path / "queries.jsonl", tmp_path / "qrels.tsv"
    queries.write_text(QUERIES, encoding="utf-8")
    qrels.write_text("query-id\tcorpus-id\tscore\na\ttide\t1\nb\tbrot\t1\n", encoding="utf-8")
    run("run", address, "--queries", queries, "-o", tmp_path / "run.trec")
    measured = ["evaluate", tmp_path / "run.trec", "--qrels", qrels, "--queries", queries]
    printed = run(*measured, "--corpus", address)
    assert {"en-en", "de-de"} <= set(printed.split()), printed
    assert run(*measured, "--corpus", folder) == printed


def test_an_unreachable_service_is_an_error_of_one_line():
    with pytest.raises(ServiceError, match="no service can be reached") as raised:
        run("search", "http://127.0.0.1:9", "moon")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("command", ["info", "verify", "optimize", "delete"])
def test_commands_about_files_refuse_a_service(command):
    with pytest.raises(UserError, match="this command needs an index folder"):
        run(command, "http://127.0.0.1:9")


def test_options_that_need_the_system_refuse_a_service():
    with pytest.raises(UserError, match="this needs an index folder"):
        run("explain", "http://127.0.0.1:9", "moon", "tide", "--lambdas", "exact")
    with pytest.raises(UserError, match="this needs an index folder"):
        run("search", "http://127.0.0.1:9", "moon", "--min-probability", "0.5")


def test_a_key_is_read_from_a_file_or_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_KEY", "dgm_environment\n")
    assert service_key(None) == "dgm_environment"
    path = tmp_path / "key"
    path.write_text("dgm_file\n", encoding="ascii")
    assert service_key(path) == "dgm_file"


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"x" * 2000])
def test_a_file_without_a_key_is_refused(tmp_path, content):
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(UserError, match="found no key"):
        service_key(tmp_path / "key")


def test_a_search_of_a_folder_loads_nothing_of_the_service(folder):
    program = (
        "import sys; from dragoman.cli import app\n"
        f"app(['search', {str(folder)!r}, 'moon'], standalone_mode=False)\n"
        "print('loaded', sorted({'fastapi', 'httpx', 'mcp', 'pydantic'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded []"
