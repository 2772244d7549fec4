"""A small data folder, a collection folder and a toy encoder."""

import json

import pytest

from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query
from toys import toy_encoder

WORDS = {"house": 0, "nyumba": 0, "water": 1, "maji": 1, "teacher": 2, "mwalimu": 2}


@pytest.fixture
def encoder(monkeypatch):
    """A toy in the place of the default encoder, which tests do not fetch."""
    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en", "sw"})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda name: toy)
    return toy


@pytest.fixture
def data(tmp_path):
    documents = [
        Document("en-0-house", "the house", language="en"),
        Document("sw-0-house", "nyumba", language="sw"),
        Document("en-1-teacher", "the teacher", language="en"),
        Document("sw-1-water", "maji", language="sw"),
    ]
    folder = tmp_path / "xquad-r" / "sentences"
    folder.mkdir(parents=True)
    write_documents(folder / "corpus.jsonl.gz", documents)
    queries = [Query("q", "house", "en"), Query("r", "nyumba", "sw"), Query("x", "no", "sw")]
    write_queries(folder.parent / "queries.jsonl.gz", queries)
    both = {"en-0-house": 1, "sw-0-house": 1}
    write_judgments(folder / "qrels.tsv.gz", {"q": both, "r": both})
    afriqa = tmp_path / "afriqa-sw"
    afriqa.mkdir()
    write_documents(afriqa / "corpus.jsonl.gz", documents)
    write_queries(afriqa / "queries.jsonl.gz", queries[1:2])
    write_judgments(afriqa / "qrels.tsv.gz", {"r": {"en-0-house": 1}})
    return tmp_path


@pytest.fixture
def packages(tmp_path):
    """A collection folder as ``dragoman collection get`` makes it, with much English."""
    words = [("house", "nyumba"), ("water", "maji")]
    folder = tmp_path / "packages"
    folder.mkdir()
    english = [Document(f"en:{word}", f"the {word}", language="en") for word, _ in words]
    english += [Document(f"en:t{n}", "teacher", language="en") for n in range(28)]
    others = [Document(f"sw:{word}", other, language="sw") for word, other in words]
    write_documents(folder / "corpus.jsonl.gz", [*english, *others])
    splits = {"house": "test", "water": "test", "teacher": "train"}
    queries = [Query(word, word, "en", {"split": split}) for word, split in splits.items()]
    write_queries(folder / "queries.jsonl.gz", queries)
    judged = {"house": {"sw:house": 2, "sw:water": 0}, "water": {"sw:water": 2}}
    write_judgments(folder / "qrels.tsv.gz", {**judged, "teacher": {"sw:house": 1}})
    facts = {"format": 1, "collection": "toy-packages"}
    (folder / "manifest.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder
