import json

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.systems.bilda.aligned_texts import align_documents, collection_texts, comparable_texts
from dragoman.text.collection import Collection
from dragoman.text.files import Faults, OnError
from dragoman.types import Document, Text

DOCUMENTS = [
    Document("en:a", "one", "title", "en"),
    Document("fr:a", "un", language="fr"),
    Document("en:b", "two", language="en"),
    Document("de:b", "zwei", language="de"),
    Document("fr:c", "trois", language="fr"),
    Document("en:c", "three", language="en"),
    Document("unnamed", "four", language="en"),
]


def test_items_are_those_that_stand_in_every_language():
    aligned = list(align_documents(DOCUMENTS, ("en", "fr")))
    assert aligned == [
        (Text("title\none", "en"), Text("un", "fr")),
        (Text("three", "en"), Text("trois", "fr")),
    ]
    assert len(list(align_documents(DOCUMENTS, ("fr", "en"), {"c"}))) == 1
    assert list(align_documents(DOCUMENTS, ("en", "fr", "de"))) == []


@pytest.fixture
def collection(tmp_path):
    rows = [
        {"_id": d.doc_id, "text": d.text, "title": d.title, "lang": d.language} for d in DOCUMENTS
    ]
    queries = [
        {"_id": "a", "text": "q", "lang": "en", "split": "train"},
        {"_id": "c", "text": "q", "lang": "en", "split": "test"},
    ]
    for name, lines in (("corpus", rows), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    return Collection.open(tmp_path)


def test_a_split_keeps_the_other_items_out(collection):
    assert [item[0].body for item in collection_texts(collection, ("en", "fr"), "train")] == [
        "title\none"
    ]
    assert len(list(collection_texts(collection, ("en", "fr"), None))) == 2


def test_languages_without_a_common_item_are_refused(collection):
    with pytest.raises(InputError, match="no item in en and it"):
        list(collection_texts(collection, ("en", "it"), None))
    with pytest.raises(InputError, match="no item of the split 'train' in en and de"):
        list(collection_texts(collection, ("en", "de"), "train"))
    with pytest.raises(ConfigError, match="no split 'nowhere'"):
        list(collection_texts(collection, ("en", "fr"), "nowhere"))


def test_lines_of_aligned_files_are_items(tmp_path):
    (tmp_path / "en").write_text("one\ntwo\nthree\n")
    (tmp_path / "fr").write_text("un\n\ntrois\n")
    paths = [tmp_path / "en", tmp_path / "fr"]
    faults = Faults(OnError.SKIP)
    assert list(comparable_texts(paths, ("en", "fr"), faults)) == [
        (Text("one", "en"), Text("un", "fr")),
        (Text("three", "en"), Text("trois", "fr")),
    ]
    assert faults.skipped == 1
    (tmp_path / "fr").write_text("un\n")
    with pytest.raises(InputError, match=r"3 lines in .* and 1 in"):
        list(comparable_texts(paths, ("en", "fr"), Faults()))
    with pytest.raises(ConfigError, match="found 1 files for en and fr"):
        list(comparable_texts(paths[:1], ("en", "fr"), Faults()))
