"""A document responds if one of its words is near enough."""

import numpy as np
import pytest

from dragoman.errors import ConfigError, InputError, UnknownName
from dragoman.protocols import silent
from dragoman.systems.threshold.system import ThresholdSystem
from dragoman.types import Document, Query
from dragoman.vectors.words import WordVectors

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
def system(folders):
    config = ThresholdSystem.configure({"vectors": folders})
    return ThresholdSystem.build(DOCUMENTS, config, silent)


def found(system, text, k=10, **options):
    hits = system.search(Query("q", text, "en"), k, **options).hits
    return [(hit.doc_id, pytest.approx(hit.score, abs=1e-5)) for hit in hits]


def test_a_document_is_as_near_as_its_nearest_word(system):
    assert found(system, "fire") == [("a", 0.96), ("c", 0.96), ("b", 0.0)]
    assert found(system, "warm", 1) == [("a", 0.96 * 0.8 + 0.28 * 0.6)]


def test_every_word_of_a_query_asks_for_an_answer(system):
    assert found(system, "water fire")[0] == ("c", 0.96)
    assert found(system, "water fire unknown")[0] == ("c", 0.96)


def test_what_is_farther_than_the_threshold_does_not_respond(folders):
    config = ThresholdSystem.configure({"vectors": folders, "cosine": 0.95})
    system = ThresholdSystem.build(DOCUMENTS, config, silent)
    assert [doc_id for doc_id, _ in found(system, "fire")] == ["a", "c"]
    assert found(system, "warm") == []


def test_languages_without_vectors_are_said_and_filters_hold(system):
    assert system.notices == ("no word vectors for fr: its documents are not found",)
    assert found(system, "fire", languages=["fr"]) == []
    assert found(system, "") == []


def test_scores_and_explanations_are_those_of_the_search(system):
    query = Query("q", "water fire", "en")
    (asked,) = system.encode_queries([query.content])
    scores = system.score(asked, system.encode_documents([d.content for d in DOCUMENTS]))
    by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
    for hit in system.search(query, 10).hits:
        assert by_id[hit.doc_id] == pytest.approx(hit.score)
        document = next(d for d in DOCUMENTS if d.doc_id == hit.doc_id)
        assert system.explain(query, document).score == pytest.approx(hit.score)
    why = system.explain(query, DOCUMENTS[2])
    assert [(link.query_word, link.document_word) for link in why.links] == [
        ("water", "maji"), ("fire", "moto")]  # fmt: skip
    assert system.explain(query, DOCUMENTS[3]).links == ()


def test_saved_and_loaded_it_answers_alike(system, tmp_path):
    (tmp_path / "saved").mkdir()
    system.save(tmp_path / "saved")
    again = ThresholdSystem.load(tmp_path / "saved")
    queries = [Query(text, text, "en") for text in ("water", "fire", "water fire")]
    assert again.search_many(queries, 5) == system.search_many(queries, 5)
    assert again.settings == system.settings


def test_wrong_settings_and_repeated_ids_are_refused(folders):
    with pytest.raises(UnknownName, match="Did you mean 'cosine'"):
        ThresholdSystem.configure({"vectors": folders, "cosines": 1})
    with pytest.raises(ConfigError, match="needs word vectors"):
        ThresholdSystem.configure({})
    with pytest.raises(ConfigError, match="cosine must be from -1 to 1"):
        ThresholdSystem.configure({"vectors": folders, "cosine": 2})
    config = ThresholdSystem.configure({"vectors": folders})
    with pytest.raises(InputError, match="the id 'b' twice"):
        ThresholdSystem.build([DOCUMENTS[0]] * 2, config, silent)
