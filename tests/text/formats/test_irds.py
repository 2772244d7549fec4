from pathlib import Path

import ir_datasets
import pytest

from dragoman.errors import InputError, UnknownName
from dragoman.text.collection import Collection
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import irds
from dragoman.text.judgments import Judgment
from dragoman.text.records import Location
from dragoman.types import Document, Query


@pytest.fixture(scope="module")
def name(tmp_path_factory):
    """A dataset that lies on this machine, registered as the library registers its own."""
    folder = tmp_path_factory.mktemp("irds")
    (folder / "docs.tsv").write_text("d1\tFlour and water\nd2\tGravity\n")
    (folder / "queries.tsv").write_text("q1\tbread\nq2\t \n")
    (folder / "qrels").write_text("q1 0 d1 2\nq1 0 d2 0\n")
    dataset = ir_datasets.create_dataset(
        str(folder / "docs.tsv"), str(folder / "queries.tsv"), str(folder / "qrels")
    )
    ir_datasets.registry.register("dragoman-test", dataset)
    docs = ir_datasets.create_dataset(docs_tsv=str(folder / "docs.tsv"))
    ir_datasets.registry.register("dragoman-test/docs", docs)
    return "irds:dragoman-test"


def test_a_dataset_is_read_by_its_name(name):
    path, faults = Path(name), Faults(OnError.SKIP)
    assert list(irds.read_documents(path, faults)) == [
        Document("d1", "Flour and water"),
        Document("d2", "Gravity"),
    ]
    assert list(irds.read_queries(path, faults)) == [Query("q1", "bread")]
    assert faults.skipped == 1
    assert [row.doc_id for row in irds.read_judgments(path, faults)] == ["d1", "d2"]
    assert next(irds.read_judgments(path, faults)) == Judgment("q1", "d1", 2, Location(path, 1))


def test_a_dataset_is_a_collection(name):
    collection = Collection.open(name, Faults(OnError.SKIP))
    assert collection.judgments() == {"q1": {"d1": 2, "d2": 0}}
    assert collection.check().documents == 2


def test_unknown_names_and_missing_parts_are_told(name):
    with pytest.raises(UnknownName, match="Did you mean 'vaswani'"):
        list(irds.read_documents(Path("irds:vaswanni"), Faults()))
    with pytest.raises(InputError, match="found no qrels; expected a dataset with qrels"):
        list(irds.read_judgments(Path(f"{name}/docs"), Faults()))
