"""The hybrid system answers alike with the store's mirror and without it."""

import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.indexes.mirrored import MirroredShard
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Query
from toys import toy_encoder

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "xquad-r"
LANGUAGES = ("de", "en", "es")
SCOPES = (
    {},
    {"balance": Balance.OFF},
    {"balance": Balance.ROUND_ROBIN},
    {"within": ["es"]},
    {"within": ["de", "es"]},
)


def words_of(documents):
    counts = Counter(word for mine in documents for word in mine.text.lower().split())
    return [word for word, _ in counts.most_common(400)]


def encoders(documents, folder):
    """Encoders that put each frequent word on two axes, told by the word alone."""
    for language in LANGUAGES:
        words = words_of(mine for mine in documents if mine.language == language)
        axes = {word: (len(word) % 8, sum(map(ord, word)) % 8) for word in words}
        toy_encoder(language, axes).save(folder / language)
    return {
        "encoder": str(folder / "en"),
        "students": [str(folder / code) for code in LANGUAGES if code != "en"],
        "shipped_students": False,
    }


def built(documents, folder):
    settings = {"dense": encoders(documents, folder / "encoders")}
    return dragoman.index(documents, folder / "index", system="hybrid", settings=settings)


def same_rankings(index, queries, monkeypatch, k=10):
    """Ask every query on both ways; scores that differ by rounding alone may change places."""
    assert index.store.mirror_fault == ""
    for options in SCOPES:
        scope = index.scope(**options)
        for query in queries:
            mirrored = index.rank(query, k, scope).hits
            with monkeypatch.context() as patch:
                patch.setattr(MirroredShard, "reflection", lambda *_: None)
                patch.setattr(index.store, "_mirror", None)
                engines = index.rank(query, k, scope).hits
            assert [hit.score for hit in mirrored] == pytest.approx(
                [hit.score for hit in engines], rel=1e-4, abs=1e-4
            )
            for mine, theirs in zip(mirrored, engines, strict=True):
                if mine.doc_id != theirs.doc_id:
                    assert mine.score == pytest.approx(theirs.score, abs=1e-4)
                    continue
                assert [part.system for part in mine.parts] == [p.system for p in theirs.parts]
                assert [part.score for part in mine.parts] == pytest.approx(
                    [part.score for part in theirs.parts], rel=1e-4, abs=1e-4
                )


def read(name):
    with gzip.open(DATA / name, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"needs {DATA}")
def test_on_real_paragraphs_and_questions(tmp_path, monkeypatch):
    documents = []
    for code in LANGUAGES:
        mine = (each for each in read("paragraphs/corpus.jsonl.gz") if each["lang"] == code)
        documents += [
            Document(each["_id"], each["text"], language=code) for each in islice(mine, 90)
        ]
    asked = (each for each in read("queries.jsonl.gz") if each["lang"] in LANGUAGES)
    queries = [Query(each["_id"], each["text"], each["lang"]) for each in islice(asked, 0, 120, 10)]
    with built(documents, tmp_path) as index:
        same_rankings(index, queries, monkeypatch)


VOCABULARY = {
    "en": ["water", "fire", "man", "house", "bread", "moon"],
    "de": ["wasser", "feuer", "mann", "haus", "brot", "mond"],
    "es": ["agua", "fuego", "hombre", "casa", "pan", "luna"],
}


def invented(number, version):
    rng = np.random.default_rng(1_000 * number + version)
    language = LANGUAGES[int(rng.integers(3))]
    words = rng.choice(VOCABULARY[language], int(rng.integers(0, 5)))
    return Document(f"d{number:03}", " ".join(words), language=language)


def test_after_any_changes(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    queries = [
        Query(f"{code} {n}", " ".join(rng.choice(words, n)), code)
        for code, words in VOCABULARY.items()
        for n in (1, 2, 3)
    ] + [Query("nothing", "...", "en"), Query("unknown", "xylophon", "en")]
    with built([invented(n, 0) for n in range(150)], tmp_path) as index:
        same_rankings(index, queries, monkeypatch)
    for version in range(1, 5):
        with dragoman.open(tmp_path / "index") as index:
            chosen = rng.integers(0, 200, 25).tolist()
            index.add([invented(n, version) for n in dict.fromkeys(chosen)])
            index.delete([f"d{n:03}" for n in rng.integers(0, 200, 8).tolist()])
            same_rankings(index, queries[version::2], monkeypatch, k=7 * version)
            if version == 3:
                index.optimize()
                same_rankings(index, queries[::3], monkeypatch)
    with dragoman.open(tmp_path / "index") as index:
        same_rankings(index, queries[::3], monkeypatch)


def test_a_mirror_that_turns_out_to_be_damaged_changes_no_answer(tmp_path):
    documents = [invented(n, 0) for n in range(60)]
    with built(documents, tmp_path) as index:
        expected = index.search("water house", language="en").ranking
    (rows,) = (tmp_path / "index" / "store").glob("mirror-*/psq.rows.npy")
    np.save(rows, np.full_like(np.load(rows), 1_000))
    with dragoman.open(tmp_path / "index") as index:
        found = index.search("water house", language="en").ranking
        assert [hit.doc_id for hit in found.hits] == [hit.doc_id for hit in expected.hits]
        assert "names no document" in index.store.mirror_fault
