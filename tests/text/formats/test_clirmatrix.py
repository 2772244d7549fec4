import gzip
import json

import pytest
from ir_datasets.formats import CLIRMatrixQrels, CLIRMatrixQueries
from ir_datasets.util import LocalDownload

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import clirmatrix
from dragoman.text.judgments import Judgment
from dragoman.text.records import Location
from dragoman.types import Document, Query

RECORDS = [
    {"src_id": "39", "src_query": "Albedo", "tgt_results": [["553658", 6], ["1712206", 0]]},
    {"src_id": "40", "src_query": "Anarchism", "tgt_results": []},
]


def write(path, records=RECORDS):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("en.zh.train.base.jl", "en"),
        ("simple.de.test1.jl", "en"),
        ("als.de.dev.full.jl", "gsw"),
        ("queries.jsonl", ""),
        ("all.de.train.jl", ""),
    ],
)
def test_queries_are_in_the_language_of_a_published_name(name, language, tmp_path):
    assert list(clirmatrix.read_queries(write(tmp_path / name), Faults())) == [
        Query("39", "Albedo", language),
        Query("40", "Anarchism", language),
    ]


def test_ir_datasets_reads_the_same_file(tmp_path):
    path = write(tmp_path / "en.zh.train.base.jl")
    theirs = CLIRMatrixQrels(LocalDownload(path), {}).qrels_iter()
    assert list(clirmatrix.read_judgments(path, Faults())) == [
        Judgment(row.query_id, row.doc_id, row.relevance, Location(path, 1)) for row in theirs
    ]
    asked = CLIRMatrixQueries(LocalDownload(path), "en").queries_iter()
    assert list(clirmatrix.read_queries(path, Faults())) == [
        Query(row.query_id, row.text, "en") for row in asked
    ]


def test_documents_are_an_id_and_a_text(tmp_path):
    path = tmp_path / "sw.tsv.gz"
    path.write_bytes(gzip.compress(b"1\tMkate ni chakula\n2\ttext\twith a tab\n"))
    assert list(clirmatrix.read_documents(path, Faults())) == [
        Document("1", "Mkate ni chakula", language="sw"),
        Document("2", "text\twith a tab", language="sw"),
    ]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"src_query": "a", "tgt_results": []}, "no field 'src_id'"),
        ({"src_id": "1", "src_query": "a"}, "no list 'tgt_results'"),
        ({"src_id": "1", "tgt_results": [["2", 1.5]]}, r"\['2', 1.5\]; expected \[document id, gr"),
        ({"src_id": "1", "tgt_results": [[2, 1]]}, r"\[2, 1\]; expected"),
        ({"src_id": "1", "tgt_results": [["2", True]]}, r"\['2', True\]; expected"),
    ],
)
def test_bad_records_are_told_or_counted(record, message, tmp_path):
    path = write(tmp_path / "a.jl", [RECORDS[0], record])
    with pytest.raises(InputError, match=f"a.jl, line 2: found {message}"):
        list(clirmatrix.read_judgments(path, Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(clirmatrix.read_judgments(path, faults))) == 2
    assert faults.skipped == 1


def test_a_document_needs_its_tab(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("1 text\n")
    with pytest.raises(InputError, match="line 1: found 1 column; expected 2: id and text"):
        list(clirmatrix.read_documents(path, Faults()))
