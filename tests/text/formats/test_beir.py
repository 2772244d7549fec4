import pytest
from hypothesis import given, settings

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.formats import beir
from dragoman.text.judgments import collect_judgments
from dragoman.types import Document, Query
from text_strategies import documents, judgments, queries


@settings(max_examples=25)
@given(docs=documents(), asked=queries(), train=judgments(), test=judgments())
def test_a_folder_comes_back_as_written(docs, asked, train, test, tmp_path_factory):
    folder = tmp_path_factory.mktemp("beir") / "collection"
    beir.write_folder(folder, docs, asked, {"train": train, "test": test})
    assert list(beir.read_documents(folder, Faults())) == docs
    assert list(beir.read_queries(folder, Faults())) == asked
    for split, written in (("train", train), ("test", test)):
        assert collect_judgments(beir.read_judgments(folder, Faults(), split), Faults()) == written


def test_validation_is_beirs_dev(tmp_path):
    folder = tmp_path / "collection"
    one = [Document("d", "text")], [Query("q", "text")]
    beir.write_folder(folder, *one, {"validation": {"q": {"d": 1}}})
    assert (folder / "qrels" / "dev.tsv").is_file()
    assert next(beir.read_judgments(folder, Faults(), "validation")).doc_id == "d"
    with pytest.raises(InputError, match=r"found no test.tsv; expected test.tsv, test.tsv.gz or"):
        beir.read_judgments(folder, Faults())


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"found no corpus.jsonl"):
        beir.read_documents(tmp_path, Faults())
    with pytest.raises(InputError, match="found no such folder"):
        beir.read_queries(tmp_path / "missing", Faults())


def test_two_files_for_one_are_refused(tmp_path):
    for name in ("corpus.jsonl", "corpus.jsonl.gz"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"both corpus.jsonl and corpus.jsonl.gz"):
        beir.read_documents(tmp_path, Faults())
