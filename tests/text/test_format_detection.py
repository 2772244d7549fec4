import pytest

from dragoman.errors import InputError
from dragoman.text import format_detection


@pytest.mark.parametrize(
    ("kind", "name", "text", "expected"),
    [
        ("document", "corpus.jsonl.gz", "{}", "plain"),
        ("document", "a.CSV", "id,text", "csv"),
        ("document", "a.tsv.zst", "id\ttext", "tsv"),
        ("document", "wiki_sw.documents", "1\ta\tb", "sasaki"),
        ("query", "queries.jsonl", '{"_id": "1"}', "plain"),
        ("query", "train.jsonl", '{"src_id": "1", "src_query": "a"}', "clirmatrix"),
        ("query", "en.zh.train.base.jl.gz", "{}", "clirmatrix"),
        ("query", "wiki_en.queries", "1\ta\tb", "sasaki"),
        ("query", "q.tsv", "qid\tquery", "tsv"),
        ("query", "topics.401-450", "<top>\n<num> Number: 401\n</top>", "trec"),
        ("query", "topics.xml", '<?xml version="1.0"?><topics><topic number="1">', "trec"),
        ("document", "ft911_1", "<DOC>\n<DOCNO>FT911-1</DOCNO>\n</DOC>", "trec"),
        ("document", "a.sgml", "<!DOCTYPE x>\n<doc id='1'>\n<docno>1</docno>", "trec"),
        ("judgment", "qrels.tsv", "query-id\tcorpus-id\tscore", "plain"),
        ("judgment", "qrels.tsv", "1\t0\t2\t1", "trec"),
        ("judgment", "qrels", "1 0 2 1", "trec"),
        ("judgment", "en2sw.rel", "1\t2\t1", "sasaki"),
        ("judgment", "train.jl", "{}", "clirmatrix"),
        ("bitext", "en-de.tsv.gz", "a\tb", "tsv"),
        ("bitext", "deu.txt", "a\tb", "tsv"),
        ("bitext", "memory.tmx", "<tmx/>", "tmx"),
        ("bitext", "corpus.en", "a", ""),
        ("dictionary", "en-de.txt", "a b", "muse"),
        ("dictionary", "en-de.tsv", "a\tb", "tsv"),
        ("dictionary", "eng-deu.tei", "<TEI/>", "tei"),
        ("dictionary", "freedict-eng-deu.index", "a", "dictd"),
        ("dictionary", "freedict-eng-deu.dict.dz", "a", "dictd"),
        ("click", "log.jsonl", "{}", "jsonl"),
        ("click", "log.tsv", "a", "tsv"),
    ],
)
def test_the_format_is_told_by_name_and_first_line(kind, name, text, expected, tmp_path):
    path = tmp_path / name
    path.write_text(text + "\n")
    assert getattr(format_detection, f"{kind}_format")(str(path)) == expected


def test_folders_and_names_of_datasets(tmp_path):
    with pytest.raises(InputError, match="To search its files: dragoman index"):
        format_detection.document_format(str(tmp_path))
    (tmp_path / "corpus.jsonl.gz").touch()
    assert format_detection.document_format(str(tmp_path)) == "plain"
    assert format_detection.query_format(str(tmp_path)) == "plain"
    assert format_detection.judgment_format(str(tmp_path)) == "plain"
    (tmp_path / "qrels").mkdir()
    assert format_detection.judgment_format(str(tmp_path)) == "beir"
    for kind in ("document", "query", "judgment"):
        assert getattr(format_detection, f"{kind}_format")("irds:antique") == "irds"


@pytest.mark.parametrize(
    ("kind", "formats"),
    [
        (
            "document",
            "afriqa, beir, ciral, clirmatrix, comparable, csv, irds, plain, sasaki, trec, tsv",
        ),
        (
            "query",
            "afriqa, beir, ciral, clirmatrix, comparable, csv, irds, plain, sasaki, trec, tsv",
        ),
        ("dictionary", "dictd, muse, tei, tsv"),
        ("click", "jsonl, tsv"),
    ],
)
def test_what_cannot_be_told_is_said_with_the_formats_there_are(kind, formats, tmp_path):
    detect = getattr(format_detection, f"{kind}_format")
    for name in ("a.pdf", "Makefile"):
        (tmp_path / name).write_text("x")
        with pytest.raises(InputError, match=f"{name}: found .*Or name the format: {formats}"):
            detect(str(tmp_path / name))
    with pytest.raises(InputError, match="found no such file"):
        detect(str(tmp_path / "missing.jsonl.bak"))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", '{"_id": "1", "text": "a"}', True),
        ("a.jsonl", '{"headline": "1", "body": "a"}', False),
        ("a.tsv", "id\ttext\n1\ta\n", True),
        ("a.csv", "name,comment\nx,y\n", False),
        ("a.documents", "1\ta", True),
        ("a.pdf", "%PDF", False),
        ("a.txt", "text", False),
        ("a.txt", "<DOC><DOCNO>1</DOCNO></DOC>", True),
        ("a.html", "<html><DOC>", False),
    ],
)
def test_collections_are_told_from_peoples_files(name, content, expected, tmp_path):
    (tmp_path / name).write_text(content)
    assert format_detection.is_collection(str(tmp_path / name)) is expected


def test_a_folder_is_a_collection_where_it_has_a_corpus(tmp_path):
    assert not format_detection.is_collection(str(tmp_path))
    (tmp_path / "corpus.jsonl").write_text("")
    assert format_detection.is_collection(str(tmp_path))
    assert format_detection.is_collection("irds:anything")
