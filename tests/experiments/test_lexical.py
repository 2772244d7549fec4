"""psq and the lexical baselines on a made-up collection."""

import pytest

from dragoman.experiments.lexical import SYSTEMS, compare, report
from dragoman.experiments.tasks import read_data_folder
from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "afriqa-sw"
    folder.mkdir()
    documents = [
        Document("house", "the house by the water", language="en"),
        Document("teacher", "the teacher sleeps", language="en"),
        Document("city", "Nairobi is a city", language="en"),
    ]
    write_documents(folder / "corpus.jsonl.gz", documents)
    queries = [Query("q", "nyumba maji", "sw"), Query("r", "Nairobi", "sw")]
    write_queries(folder / "queries.jsonl.gz", queries)
    write_judgments(folder / "qrels.tsv.gz", {"q": {"house": 1}, "r": {"city": 1}})
    return tmp_path


def test_every_system_is_measured_on_every_task(data):
    (collection,) = read_data_folder(data)
    (row,) = compare(collection)
    assert set(row.values) == {system.label for system in SYSTEMS}
    assert row.values["psq"] == 1.0
    assert row.values["BM25 untranslated"] == 0.5
    text = report([row], "the command")
    assert "| afriqa-sw | sw (2) | en | 0.500 |" in text
    assert "the command" in text
