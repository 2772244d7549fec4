"""Documents are hits if each query word has a word near enough."""

from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman import compilation
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.ranking.balance import Balance
from dragoman.systems.threshold.system import ThresholdSystem
from dragoman.types import Document, Query

WORDS = {
    "en": {"water": (1, 0, 0), "fire": (0, 1, 0), "warm": (0, 0.8, 0.6)},
    "sw": {"maji": (1, 0, 0), "moto": (0, 0.96, 0.28), "baridi": (-1, 0, 0)},
}
DOCUMENTS = [
    Document("b", "maji baridi", language="sw"),
    Document("a", "moto moto", language="sw"),
    Document("c", "maji moto", language="sw"),
    Document("none", "chakula", language="sw"),
    Document("fr", "eau", language="fr"),
]


@pytest.fixture
def folders(tmp_path):
    for code, words in WORDS.items():
        matrix = np.array(list(words.values()), dtype=np.float32)
        WordVectors(code, tuple(words), matrix).save(tmp_path / code)
    return [str(tmp_path / code) for code in WORDS]


@pytest.fixture
def index(folders, tmp_path):
    with indexed(tmp_path, vectors=folders) as one:
        yield one


def indexed(folder, documents=DOCUMENTS, **settings):
    return dragoman.index(documents, folder / "index", system="threshold", settings=settings)


def ranked(index, text, k=10, languages=None):
    scope = index.scope(languages, balance=Balance.OFF)
    hits = index.rank(Query("q", text, "en"), k, scope).hits
    return [(hit.doc_id, pytest.approx(hit.score, abs=2e-3)) for hit in hits]  # half precision


def test_a_document_is_as_near_as_its_nearest_word(index):
    assert ranked(index, "fire") == [("a", 0.96), ("c", 0.96), ("b", 0.0)]
    assert ranked(index, "warm", 1) == [("a", 0.96 * 0.8 + 0.28 * 0.6)]


def test_every_word_of_a_query_needs_a_match(index):
    assert ranked(index, "water fire") == [("c", 0.96), ("a", 0.0), ("b", 0.0)]
    assert ranked(index, "water fire unknown")[0] == ("c", 0.96)


def test_what_is_farther_than_the_threshold_does_not_respond(folders, tmp_path):
    with indexed(tmp_path, vectors=folders, cosine=0.95) as index:
        assert [doc_id for doc_id, _ in ranked(index, "fire")] == ["a", "c"]
        assert ranked(index, "warm") == []


def test_without_a_threshold_the_opposite_responds_too(folders, tmp_path):
    with indexed(tmp_path, [Document("d", "baridi", language="sw")], vectors=folders) as index:
        assert ranked(index, "water") == [("d", -1)]


def test_languages_without_vectors_are_said_and_filters_hold(index):
    (warning,) = index.manifest.warnings
    assert "no word vectors for fr" in warning
    assert ranked(index, "fire", languages=["fr"]) == []
    assert ranked(index, "fire", languages=["fr", "sw"]) == ranked(index, "fire")
    assert ranked(index, "") == []


@pytest.mark.parametrize("compiled", [False, True])
def test_scores_are_those_of_plain_loops_wherever_documents_are(tmp_path, compiled):
    rng = np.random.default_rng(7)
    names = [a + b for a in "bcdfg" for b in ("ako", "ilu", "emi")]
    vectors = {code: unit_rows(rng, len(names)) for code in ("en", "sw")}
    for code, matrix in vectors.items():
        WordVectors(code, names, matrix).save(tmp_path / code)
    documents = [
        Document(f"d{n:02}", " ".join(rng.choice(names, 4)), language=("sw", "en")[n % 2])
        for n in range(24)
    ]
    folders = [str(tmp_path / code) for code in vectors]
    with indexed(tmp_path, documents[:15], vectors=folders) as index:
        index.add(documents[10:])
        index.delete([documents[3].doc_id])
        (compilation.enable if compiled else compilation.disable)()
        query = " ".join(names[2:5])
        expected = {
            document.doc_id: min(
                max(
                    sum(vectors["en"][names.index(word)] * vectors[document.language][row])
                    for row in {names.index(other) for other in document.text.split()}
                )
                for word in query.split()
            )
            for document in documents
            if document is not documents[3]
        }
        assert dict(ranked(index, query, 100)) == expected
        assert [doc_id for doc_id, _ in ranked(index, query, 5)] == sorted(
            expected, key=expected.get, reverse=True
        )[:5]


def unit_rows(rng, count):
    rows = rng.standard_normal((count, 6)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_scores_and_explanations_are_those_of_the_search(index, folders):
    query = Query("q", "water fire", "en")
    system = ThresholdSystem.create(ThresholdSystem.configure({"vectors": folders}))
    scores = system.score(None, query, DOCUMENTS)  # of documents that are in no index
    by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
    hits = index.rank(query, 10, index.scope(balance=Balance.OFF)).hits
    assert {hit.doc_id: hit.score for hit in hits} == pytest.approx(
        {doc_id: score for doc_id, score in by_id.items() if not np.isnan(score)}
    )
    assert np.isnan([by_id["none"], by_id["fr"]]).all()
    assert np.isnan(system.score(None, Query("q", "", "en"), DOCUMENTS)).all()
    for hit in hits:
        why = index.explain("water fire", hit.doc_id, language="en")
        assert why.score == pytest.approx(hit.score)
    why = index.explain("water fire", "c", language="en")
    assert [(link.query_word, link.document_word) for link in why.links] == [
        ("water", "maji"), ("fire", "moto")]  # fmt: skip
    assert index.explain("water fire", "none", language="en").links == ()


def test_opened_again_it_ranks_alike(index, folders):
    before = [ranked(index, text) for text in ("water", "fire", "water fire")]
    with dragoman.open(index.folder) as again:
        assert [ranked(again, text) for text in ("water", "fire", "water fire")] == before


def test_vectors_that_have_changed_are_refused(index, folders):
    index.close()
    moved = np.array([(0, 0, 1), (0, 1, 0), (1, 0, 0)], dtype=np.float32)
    WordVectors("sw", tuple(WORDS["sw"]), moved).save(Path(folders[1]))
    with (
        dragoman.open(index.folder) as again,
        pytest.raises(IndexFault, match="built with vectors"),
    ):
        ranked(again, "water")


def test_wrong_settings_are_refused(folders):
    with pytest.raises(UnknownName, match="Did you mean 'cosine'"):
        ThresholdSystem.configure({"vectors": folders, "cosines": 1})
    with pytest.raises(ConfigError, match="Found no vectors; expected a list of folders"):
        ThresholdSystem.configure({})
    with pytest.raises(ConfigError, match="cosine must be from -1 to 1"):
        ThresholdSystem.configure({"vectors": folders, "cosine": 2})
