"""``index``, ``search``, ``run``, ``optimize`` and ``doctor``, as a person runs them."""

import json

import pytest
from typer.testing import CliRunner

import dragoman
from dragoman.cli import app
from dragoman.cli import main as run_main
from dragoman.errors import IndexFault, InputError, UserError
from dragoman.indexes.search.reranking import Rerank
from dragoman.runs.metadata import request_of

LINES = [
    {"_id": "tide", "text": "The tide rises.", "title": "Tides", "lang": "en", "year": 2001},
    {"_id": "bread", "text": "Bread rises with yeast.", "lang": "en", "year": 2005},
    {"_id": "brot", "text": "Das Brot geht mit der Hefe auf.", "year": 2010},
]


MANY = [f'{{"_id": "{number}", "text": "Ebb and flow."}}' for number in range(3_000)]


def command(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return path


@pytest.fixture
def index(tmp_path, source):
    folder = tmp_path / "index"
    printed = command("index", source, "-o", folder, "--system", "psq", "--languages", "en,de")
    assert "3 documents (de 1, en 2), psq" in printed.replace("\n", " ")
    assert "languages detected: de 1" in printed
    return folder


def test_a_search_prints_title_language_and_passage(index):
    printed = command("search", index, "tide", "--query-language", "en", "-k", "1")
    assert "tide (English)" in printed
    assert "1  en  Tides" in printed
    assert "The tide rises." in printed


def test_json_holds_what_was_asked_and_found(index):
    printed = json.loads(command("search", index, "rises", "--query-language", "en", "--json"))
    assert printed["language"] == "en"
    assert printed["detected"] is False
    assert {hit["id"] for hit in printed["hits"]} == {"tide", "bread"}
    assert {hit["rank"] for hit in printed["hits"]} == {1, 2}
    for hit in printed["hits"]:
        assert hit["words"] == ["rises"]
        ((start, end),) = hit["snippet"]["marks"]
        assert hit["snippet"]["text"][start:end] == "rises"


def test_a_second_stage_is_asked_and_told(index):
    options = ("--query-language", "en", "--rerank", "idf", "--rerank-weight", "0.25")
    assert "reading for idf: 3 of 3" in command("search", index, "bread", *options)
    (hit, *_) = json.loads(command("search", index, "bread", *options, "--json"))["hits"]
    assert hit["id"] == "bread"
    assert [part["system"] for part in hit["parts"]] == ["psq", "idf"]
    assert hit["score"] == pytest.approx(sum(part["added"] for part in hit["parts"]))


def test_a_language_that_nobody_reads_is_noted(index):
    printed = command("search", index, "vatten", "--query-language", "sv").replace("\n", " ")
    assert "warning: no translation table for sv" in printed
    fields = json.loads(command("search", index, "vatten", "--query-language", "sv", "--json"))
    assert "no translation table for sv" in fields["warnings"][0]


def test_conditions_keep_documents_out(index):
    printed = command("search", index, "rises", "--query-language", "en", "--where", "year>2002")
    assert "bread" in printed
    assert "tide" not in printed


def test_appending_replaces_by_id(index, tmp_path):
    more = tmp_path / "more.jsonl"
    more.write_text('{"_id": "tide", "text": "Ebb and flow.", "lang": "en"}\n', encoding="utf-8")
    assert "3 documents" in command("index", more, "-o", index, "--append")
    assert "no hits" in command("search", index, "tide", "--query-language", "en")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--system", "bm25"), "was built with --system psq; found --system bm25"),
        (("--lexicon", "."), "found --lexicon, which is an option of a first build"),
        (("--student", "."), "found --student, which is an option of a first build"),
        (("--model", "."), "found --model, which is an option of a first build"),
        (("--vectors", "."), "found --vectors, which is an option of a first build"),
        (("--relevant-queries", "none"), "found --relevant-queries, which is an option"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
@pytest.mark.parametrize("files", [False, True], ids=["collection", "files"])
def test_appending_refuses_options_that_the_index_cannot_follow(
    index, tmp_path, options, message, files
):
    more = tmp_path / ("more.txt" if files else "more.jsonl")
    more.write_text('{"_id": "x", "text": "Ebb and flow.", "lang": "en"}\n', encoding="utf-8")
    with pytest.raises(UserError, match=message):
        command("index", more, "-o", index, "--append", *options)
    with dragoman.open(index) as opened:
        assert opened.count() == 3


@pytest.mark.parametrize("name", ["more.txt", "more.jsonl"])
def test_there_must_be_an_index_to_append_to(tmp_path, name):
    (tmp_path / name).write_text('{"_id": "x", "text": "Ebb and flow.", "lang": "en"}\n')
    with pytest.raises(IndexFault, match="expected an index folder"):
        command("index", tmp_path / name, "-o", tmp_path / "none", "--append")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([*MANY, '{"_id": "flow"'], "line 3001: found broken JSON"),
        ([*MANY, MANY[0]], "line 3001: found the id '0' a second time"),
        ([], "an empty file"),
    ],
)
def test_what_cannot_be_read_to_its_end_is_not_appended(index, tmp_path, lines, message):
    more = tmp_path / "more.jsonl"
    more.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        command("index", more, "-o", index, "--append", "--language", "en")
    with dragoman.open(index) as opened:
        assert opened.languages == {"de": 1, "en": 2}


def test_optimizing_leaves_one_segment_and_the_same_answers(index, tmp_path):
    more = tmp_path / "more.jsonl"
    more.write_text("\n".join(MANY[:600]), encoding="utf-8")
    command("index", more, "-o", index, "--append", "--language", "en")
    before = command("search", index, "flow tide", "--query-language", "en", "--json")
    with dragoman.open(index) as opened:
        opened.delete(["5", "7"])
        with opened.snapshot() as snapshot:
            assert len(snapshot.readers) > 1
    printed = command("optimize", index)
    assert "601 documents, optimised" in printed.replace("\n", " ")
    with dragoman.open(index) as opened, opened.snapshot() as snapshot:
        stored = [reader for reader in snapshot.readers if reader.segment.name]
        assert len(stored) == 1
        assert not stored[0].deleted.any()
    after = command("search", index, "flow tide", "--query-language", "en", "--json")
    hits = [[hit["id"] for hit in json.loads(printed)["hits"]] for printed in (before, after)]
    assert hits[1] == [doc_id for doc_id in hits[0] if doc_id not in ("5", "7")][: len(hits[1])]


def test_a_run_is_written_with_its_signature(index, tmp_path):
    queries = tmp_path / "queries.jsonl"
    lines = [
        {"_id": "q1", "text": "tide", "lang": "en", "split": "test"},
        {"_id": "q2", "text": "bread", "lang": "en", "split": "train"},
    ]
    queries.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    output = tmp_path / "run.trec"
    printed = command(
        "run", index, "--queries", queries, "-o", output, "--split", "test", "--rerank", "bm25"
    )
    assert "1 queries searched" in printed.replace("\n", " ")
    columns = output.read_text(encoding="utf-8").split()
    assert columns[:4] == ["q1", "Q0", "tide", "1"]
    request, signature = request_of(output)
    assert signature["index"]["system"] == "psq"
    assert request.split == "test"
    assert request.rerank == Rerank("bm25", weight=0.5, depth=100, seconds=None)
    assert columns[5] == "dragoman-psq-bm25"


def test_files_are_indexed_by_their_fields_and_reported(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "food.csv").write_text("name,note\nBread,Bread is baked of flour.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    build = ("index", folder, "-o", tmp_path / "index", "--system", "psq", "--text-field", "note")
    with pytest.raises(UserError, match=r"broken\.pdf"):
        command(*build, "--strict")
    command(*build, "--title-field", "name", "--report", tmp_path / "report.jsonl")
    lines = (tmp_path / "report.jsonl").read_text(encoding="utf-8").splitlines()
    statuses = {one["path"].rpartition("/")[2]: one["status"] for one in map(json.loads, lines)}
    assert statuses == {"food.csv": "read", "broken.pdf": "broken"}
    with dragoman.open(tmp_path / "index") as opened:
        (document,) = opened.documents([*opened.doc_ids()])
    assert (document.title, document.text) == ("Bread", "Bread is baked of flour.")


def test_options_of_files_are_refused_for_a_collection(tmp_path, source):
    with pytest.raises(UserError, match=r"documents\.jsonl is a collection"):
        command("index", source, "-o", tmp_path / "index", "--strict")


def test_bad_input_names_the_line(tmp_path, source):
    source.write_text(source.read_text(encoding="utf-8") + "\n{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 4: found broken JSON"):
        command("index", source, "-o", tmp_path / "index", "--system", "psq")
    assert not (tmp_path / "index").exists()


def test_main_exits_with_2_where_the_input_was_wrong(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["dragoman", "search", str(tmp_path), "moon"])
    with pytest.raises(SystemExit, match="2"):
        run_main()
    assert "expected an index folder" in capsys.readouterr().err.replace("\n", " ")


def test_main_names_the_extra_that_a_command_lacks(monkeypatch, capsys):
    def lacking() -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("dragoman.cli.app", lacking)
    with pytest.raises(SystemExit, match="1"):
        run_main()
    assert "dragoman[neural]" in capsys.readouterr().err


def test_doctor_says_what_is_there(monkeypatch):
    checks = {check["part"]: check for check in json.loads(command("doctor", "--json"))}
    assert checks["translation tables"]["ready"]
    assert "sw" in checks["translation tables"]["detail"]
    monkeypatch.setattr("dragoman.cli.diagnosis.find_spec", lambda name: None)
    missing = {check["part"]: check for check in json.loads(command("doctor", "--json"))}
    assert missing["extra neural"]["fix"] == "pip install 'dragoman[neural]'"
    assert missing["vector codes"]["fix"] == "pip install faiss-cpu"
    assert missing["sentence encoder"]["fix"].startswith("dragoman models get default")
