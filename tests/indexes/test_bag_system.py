"""What both systems of bags promise, whatever their distance."""

import numpy as np
import pytest

import dragoman
from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.indexes.bag_system import UNREACHABLE, scores_of
from dragoman.protocols import silent
from dragoman.types import Document, Query, Text
from dragoman.vectors.words import WordVectors

WORDS = ("water", "bread", "house")
DOCUMENTS = [
    Document("a", "water bread", language="en"),
    Document("b", "house", language="en"),
    Document("c", "maison", language="fr"),
    Document("d", "...", language="en"),
]

every_system = pytest.mark.parametrize("name", ["nbow", "wasserstein"])


@pytest.fixture
def vectors(tmp_path):
    points = np.eye(3, dtype=np.float32)
    WordVectors("en", WORDS, points).save(tmp_path / "vectors" / "en")
    WordVectors("fr", ("eau", "pain", "maison"), points).save(tmp_path / "vectors" / "fr")
    return tmp_path / "vectors"


def built(name, vectors, documents=DOCUMENTS, **settings):
    room = registry.system(name)
    config = room.configure({"vectors": [str(vectors)], **settings})
    return room.build(documents, config, silent)


@every_system
def test_the_order_of_the_documents_does_not_matter(name, vectors):
    query = Query("q", "house water", "en")
    forwards = built(name, vectors).search(query, 10)
    assert built(name, vectors, DOCUMENTS[::-1]).search(query, 10) == forwards
    assert [hit.doc_id for hit in forwards.hits][-1] == "d"
    assert forwards.hits[-1].score == UNREACHABLE


@every_system
def test_a_document_that_comes_again_replaces_the_first(name, vectors):
    system = built(name, vectors)
    system.add([Document("b", "bread", language="en")])
    assert system.search(Query("q", "bread", "en"), 1).hits[0].doc_id == "b"


@every_system
def test_a_question_is_scored_in_the_language_of_each_document(name, vectors):
    system = built(name, vectors, translate=True)
    (asked,) = system.encode_queries([Text("house", "en")])
    assert set(asked) == {"en", "fr"}
    scores = system.score(asked, system.encode_documents([d.content for d in DOCUMENTS]))
    hits = system.search(Query("q", "house", "en"), 10).hits
    assert dict(zip("abcd", scores.tolist(), strict=True)) == pytest.approx(
        {hit.doc_id: hit.score for hit in hits}, abs=1e-6
    )
    assert scores[1] == pytest.approx(0, abs=1e-6)


@every_system
def test_vectors_that_changed_meanwhile_are_refused(name, vectors, tmp_path):
    (tmp_path / "kept").mkdir()
    built(name, vectors).save(tmp_path / "kept")
    room = registry.system(name)
    assert room.load(tmp_path / "kept").search(Query("q", "house", "en"), 1).hits
    turned = np.eye(3, dtype=np.float32)[::-1].copy()
    WordVectors("en", WORDS, turned).save(vectors / "en")  # the shape stays
    with pytest.raises(IndexFault, match=r"was built with the vectors en:3x3:.*Build the index"):
        room.load(tmp_path / "kept")


@every_system
def test_an_index_refuses_questions_by_other_vectors(name, vectors, tmp_path):
    settings = {"vectors": [str(vectors)]}
    dragoman.index(DOCUMENTS, tmp_path / "i", system=name, settings=settings).close()
    turned = np.eye(3, dtype=np.float32)[::-1].copy()
    WordVectors("en", WORDS, turned).save(vectors / "en")
    with (
        dragoman.open(tmp_path / "i") as index,
        pytest.raises(IndexFault, match="was built with the vectors"),
    ):
        index.search("house", language="en")


def test_infinite_distances_become_the_lowest_score():
    assert scores_of(np.array([0.0, 0.5, np.inf])).tolist() == [0.0, -0.5, UNREACHABLE]
