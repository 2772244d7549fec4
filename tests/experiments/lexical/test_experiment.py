import pytest

from dragoman.errors import InputError
from dragoman.experiments.lexical import experiment
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


def test_every_contestant_is_measured_on_every_task(data):
    (collection,) = experiment.collections(data)
    (row,) = experiment.compare(collection)
    assert set(row.values) == {contestant.label for contestant in experiment.CONTESTANTS}
    assert row.values["psq"] == 1.0
    assert row.values["BM25 untranslated"] == 0.5
    text = experiment.report([row], "the command")
    assert "| afriqa-sw | sw (2) | en | 0.500 |" in text
    assert "the command" in text


def test_judgments_are_those_of_the_searched_language():
    documents = [Document("a", "x", language="en"), Document("b", "x", language="de")]
    queries = [Query("q", "x", "en"), Query("r", "x", "de")]
    judged = {"q": {"a": 1, "b": 2}, "r": {"a": 1}}
    task = experiment._task("c", "en", "de", queries, judged, documents)
    assert task.queries == (queries[0],)
    assert task.judgments == {"q": {"b": 2}}


def test_a_folder_without_a_collection_is_refused(tmp_path):
    with pytest.raises(InputError, match="xquad-r"):
        list(experiment.collections(tmp_path))
