import json

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.text.collection import Collection, CollectionSizes, split_queries
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import beir, plain
from dragoman.types import Document, Query

DOCUMENTS = [Document("d1", "one", language="en"), Document("d2", "zwei", language="de")]
QUERIES = [
    Query("q1", "eins", "de", {"split": "train"}),
    Query("q2", "two", "en", {"split": "test"}),
]
JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d2": 1}}


@pytest.fixture
def folder(tmp_path):
    plain.write_documents(tmp_path / "corpus.jsonl.gz", DOCUMENTS)
    plain.write_queries(tmp_path / "queries.jsonl", QUERIES)
    plain.write_judgments(tmp_path / "qrels.tsv", JUDGMENTS)
    return tmp_path


def add_judgment(folder, line):
    with (folder / "qrels.tsv").open("a") as stream:
        stream.write(line)


def test_a_plain_folder_is_a_collection(folder):
    collection = Collection.open(folder)
    assert collection.name == folder.name
    assert list(collection.documents()) == DOCUMENTS
    assert list(collection.queries()) == QUERIES
    assert collection.judgments() == JUDGMENTS
    assert (collection.manifest, collection.bitext_files()) == ({}, [])
    assert collection.check() == CollectionSizes(documents=2, queries=2, judgments=3)


def test_a_split_is_the_queries_that_carry_its_name(folder):
    collection = Collection.open(str(folder))
    assert [query.query_id for query in collection.queries("test")] == ["q2"]
    assert collection.judgments("train") == {"q1": {"d1": 2, "d2": 0}}
    with pytest.raises(ConfigError, match=r"no split 'dev' in .*; known: test, train"):
        list(collection.queries("dev"))


def test_a_beir_folder_is_a_collection_with_its_splits(tmp_path):
    target = tmp_path / "beir"
    splits = {"train": {"q1": {"d1": 2}}, "test": {"q2": {"d2": 1}}}
    beir.write_folder(target, DOCUMENTS, QUERIES, splits)
    collection = Collection.open(target)
    assert collection.judgments() == splits["train"] | splits["test"]
    assert collection.judgments("test") == splits["test"]
    assert [query.query_id for query in collection.queries("train")] == ["q1"]
    assert collection.check() == CollectionSizes(2, 2, 2)
    with pytest.raises(ConfigError, match="no split 'validation' in beir; known: test, train"):
        collection.queries("validation")


def test_manifest_and_bitext_come_with_it(folder):
    (folder / "manifest.json").write_text(json.dumps({"name": "tiny"}))
    (folder / "bitext").mkdir()
    for name in ("en-de.tsv.gz", "de-en.tmx", "notes.txt"):
        (folder / "bitext" / name).touch()
    collection = Collection.open(folder)
    assert collection.manifest == {"name": "tiny"}
    assert [path.name for path in collection.bitext_files()] == ["de-en.tmx", "en-de.tsv.gz"]
    (folder / "manifest.json").write_text("{")
    with pytest.raises(InputError, match=r"manifest.json: found broken JSON"):
        Collection.open(folder)


def test_a_judged_query_must_exist(folder):
    add_judgment(folder, "q9\td1\t1\n")
    with pytest.raises(InputError, match=r"qrels.tsv, line 5: found the query id 'q9'; expected"):
        Collection.open(folder).judgments()
    faults = Faults(OnError.SKIP)
    assert Collection.open(folder, faults).judgments() == JUDGMENTS
    assert faults.counts == {str(folder / "qrels.tsv"): 1}


def test_a_judged_document_must_exist(folder):
    add_judgment(folder, "q1\td9\t1\n")
    with pytest.raises(InputError, match=r"qrels.tsv, line 5: found the document id 'd9'; expect"):
        Collection.open(folder).check()
    faults = Faults(OnError.SKIP)
    assert Collection.open(folder, faults).check() == CollectionSizes(2, 2, 3)
    assert faults.skipped == 1


def test_progress_is_told_for_every_document(folder):
    steps = []
    Collection.open(folder).check(lambda count=1: steps.append(count))
    assert sum(steps) == 2


def test_queries_may_lie_elsewhere(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("queries") / "queries.jsonl"
    (folder / "queries.jsonl").rename(elsewhere)
    assert list(Collection.open(folder, queries=elsewhere).queries()) == QUERIES
    with pytest.raises(InputError, match=r"found no queries.jsonl; expected queries.jsonl, que"):
        Collection.open(folder)


def test_judgments_that_are_not_there_are_not_an_empty_answer(folder):
    (folder / "qrels.tsv").unlink()
    collection = Collection.open(folder)
    assert [query.query_id for query in collection.queries("train")] == ["q1"]
    with pytest.raises(InputError, match=r"found no judgments; expected qrels.tsv"):
        collection.judgments()


def test_queries_of_a_split_are_those_judged_in_its_file(tmp_path):
    beir.write_folder(tmp_path / "b", DOCUMENTS, QUERIES, {"validation": {"q2": {"d2": 1}}})
    for name in ("validation", "dev"):  # ours and BEIR's
        chosen = split_queries(tmp_path / "b", name, Faults(), queries=iter(QUERIES))
        assert [query.query_id for query in chosen] == ["q2"]
    with pytest.raises(ConfigError, match=r"no split 'test' in .*b; known: validation"):
        split_queries(tmp_path / "b", "test", Faults(), queries=iter(QUERIES))


def test_a_file_without_splits_is_refused_with_where_they_are(tmp_path):
    queries = split_queries(tmp_path / "q.tsv", "test", Faults(), queries=iter([Query("1", "a")]))
    with pytest.raises(ConfigError, match=r"known: none\. Splits are the field 'split'"):
        list(queries)
