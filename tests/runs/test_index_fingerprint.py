import dragoman
from dragoman.runs.index_fingerprint import index_fingerprint
from dragoman.text.fingerprints import fingerprint_documents
from dragoman.types import Document

TEXTS = [Document("a", "bread", language="en"), Document("b", "sea", language="en")]


def test_it_is_that_of_the_documents_and_changes_with_them(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    with dragoman.index(TEXTS, tmp_path / "index", system="psq") as index:
        assert index_fingerprint(index) == fingerprint_documents(TEXTS)
        index.delete(["b"])
        assert index_fingerprint(index) == fingerprint_documents(TEXTS[:1])
    assert len(list((tmp_path / "cache" / "fingerprints").iterdir())) == 2


def test_a_damaged_cache_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    with dragoman.index(TEXTS, tmp_path / "index", system="psq") as index:
        index_fingerprint(index)
        (path,) = (tmp_path / "cache" / "fingerprints").iterdir()
        path.write_text("broken")
        assert index_fingerprint(index) == fingerprint_documents(TEXTS)
