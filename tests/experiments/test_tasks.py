"""Collections on disk as documents and tasks."""

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.experiments.tasks import language_pair_task, read_collection, read_data_folder
from dragoman.text.formats.plain import write_judgments
from dragoman.types import Document, Hit, Query, Ranking


def test_a_folder_has_a_task_for_each_pair_with_its_test_queries(packages):
    collection = read_collection(packages)
    (task,) = collection.tasks
    assert (collection.name, task.query_language, task.document_language) == (
        "toy-packages",
        "en",
        "sw",
    )
    assert [query.query_id for query in task.queries] == ["house", "water"]
    assert task.judgments["house"] == {"sw:house": 2, "sw:water": 0}
    assert len(collection.documents) == 32


def test_a_folder_in_which_nothing_is_relevant_is_refused(packages):
    write_judgments(packages / "qrels.tsv.gz", {"house": {"sw:house": 0}})
    with pytest.raises(InputError, match="no judged query"):
        read_collection(packages)


def test_judgments_are_those_of_the_documents_language():
    documents = [Document("a", "x", language="en"), Document("b", "x", language="de")]
    queries = [Query("q", "x", "en"), Query("r", "x", "de")]
    judged = {"q": {"a": 1, "b": 2}, "r": {"a": 1}}
    task = language_pair_task("c", "en", "de", queries, judged, documents)
    assert task.queries == (queries[0],)
    assert task.judgments == {"q": {"b": 2}}


def test_a_folder_without_a_collection_is_refused(tmp_path):
    with pytest.raises(InputError, match="xquad-r"):
        list(read_data_folder(tmp_path))


def test_values_are_those_of_the_sampled_queries(packages):
    (task,) = read_collection(packages).tasks
    rankings = [Ranking("house", (Hit("sw:water", 2.0), Hit("sw:house", 1.0)))]
    (value,) = task.sampled(1).values("a system", rankings)
    assert value == pytest.approx(1 / np.log2(3))
