"""A trained model as a system: searched, explained, saved."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman import registry
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.indexes.search.reranking import Rerank
from dragoman.ranking.balance import Balance
from dragoman.systems.smooth.similarity import smooth_cosine
from dragoman.systems.smooth.system import SmoothSystem
from dragoman.types import Document, Query, Text
from smooth_examples import toy_model

HALF = 1e-3  # an index keeps rows in half precision
AXES = {"en": {"water": 0, "fire": 1, "house": 3}, "it": {"acqua": 0, "fuoco": 1, "casa": 3}}
DOCUMENTS = [
    Document("it-acqua", "acqua in casa", language="it"),
    Document("it-fuoco", "fuoco fuoco", language="it"),
    Document("it-fuoco-2", "fuoco, fuoco!", language="it"),
    Document("en-house", "house", language="en"),
    Document("de-wasser", "Wasser", language="de"),
    Document("empty", "...", language="it"),
]


@pytest.fixture
def folder(tmp_path):
    toy_model(AXES).save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def index(folder, tmp_path):
    settings = {"model": str(folder)}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="smooth", settings=settings) as one:
        yield one


@pytest.fixture
def system(folder):
    return SmoothSystem.create(SmoothSystem.configure({"model": str(folder)}))


def ranked(index, text, k, languages=None, language="en"):
    scope = index.scope(languages, balance=Balance.OFF)
    return index.rank(Query("q", text, language), k, scope).hits


def ids(hits):
    return [hit.doc_id for hit in hits]


def test_it_is_registered():
    assert registry.system("smooth") is SmoothSystem


def test_a_query_finds_what_says_the_same_and_ties_stand_by_id(index):
    hits = ranked(index, "fire", 2)
    assert ids(hits) == ["it-fuoco", "it-fuoco-2"]
    assert hits[0].score == hits[1].score


def test_a_score_is_the_smooth_cosine_of_the_towers(index):
    import torch

    hit = ranked(index, "water house", 1)[0]
    half = np.tanh(0.5)
    x = torch.tensor([[half, half]])
    assert hit.doc_id == "it-acqua"
    assert hit.score == pytest.approx(float(smooth_cosine(x, x, 1.0)), rel=HALF)


def test_scores_are_products_of_the_models_vectors(index, system):
    rows = system.model.document_vectors(document.content for document in DOCUMENTS)
    for text in ("fire", "water house", "house"):
        (vector,) = system.model.query_vectors([Text(text, "en")])
        expected = {
            document.doc_id: float(row @ vector)
            for document, row in zip(DOCUMENTS, rows, strict=True)
            if row.any()
        }
        found = {hit.doc_id: hit.score for hit in ranked(index, text, 10)}
        assert found == pytest.approx(expected, rel=HALF)


def test_languages_restrict_the_search(index):
    assert ids(ranked(index, "house", 5, ["en"])) == ["en-house"]
    assert ids(ranked(index, "house", 5, ["de"])) == []


def test_texts_without_a_known_word_find_and_are_nothing(index, system):
    assert ranked(index, "qqq", 5) == ()
    assert ranked(index, "Wasser", 5, language="de") == ()
    assert not {"empty", "de-wasser"} & {*ids(ranked(index, "house", 10))}
    assert np.isnan(system.score(None, Query("q", "qqq", "en"), DOCUMENTS)).all()


def test_unknown_languages_are_said(index):
    (warning,) = index.manifest.warnings
    assert "does not know de" in warning
    (_, query_warning) = index.query_warnings(Query("q", "Wasser", "de"))
    assert "one in de finds nothing" in query_warning
    assert index.query_warnings(Query("q", "fire", "en")) == ()


def test_documents_in_no_index_have_the_scores_of_a_search(index, system):
    scores = system.score(None, Query("q", "water house", "en"), DOCUMENTS)
    by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
    found = {hit.doc_id: hit.score for hit in ranked(index, "water house", 10)}
    known = {doc_id: score for doc_id, score in by_id.items() if not np.isnan(score)}
    assert found == pytest.approx(known, abs=1e-6)
    assert {*by_id} - {*known} == {"empty", "de-wasser"}


def test_a_saved_system_is_a_second_stage(index, system, tmp_path):
    (tmp_path / "saved").mkdir()
    system.save(tmp_path / "saved")
    again = SmoothSystem.load(tmp_path / "saved")
    assert again.settings == system.settings
    rerank = Rerank(str(tmp_path / "saved"), weight=1)
    query = Query("q", "fire", "en")
    hits = index.rank(query, 2, index.scope(balance=Balance.OFF), rerank).hits
    assert ids(hits) == ["it-fuoco", "it-fuoco-2"]
    (score, *_) = system.score(None, query, [DOCUMENTS[1]])
    assert hits[0].parts[-1].score == pytest.approx(score)


def test_an_explanation_links_each_word_to_its_nearest(index):
    why = index.explain("the water house", "it-acqua", language="en")
    assert {(link.query_word, link.document_word) for link in why.links} == {
        ("water", "acqua"),
        ("house", "casa"),
    }
    assert sum(link.share for link in why.links) == pytest.approx(1)
    best = ranked(index, "the water house", 1)[0]
    assert why.score == pytest.approx(best.score, rel=HALF)
    assert index.explain("qqq", "it-acqua", language="en").links == ()


def test_an_index_needs_the_model_no_longer(folder, tmp_path):
    settings = {"model": str(folder)}
    dragoman.index(DOCUMENTS, tmp_path / "i", system="smooth", settings=settings).close()
    for path in folder.iterdir():
        path.unlink()
    with dragoman.open(tmp_path / "i") as index:
        assert ids(index.search("fire", 1, language="en").ranking.hits) == ["it-fuoco"]


def test_a_missing_model_and_a_misspelt_setting_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="Train a model: dragoman train smooth"):
        SmoothSystem.configure({})
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        SmoothSystem.configure({"modle": "x"})
    with pytest.raises(InputError, match="written by 'dragoman train smooth'"):
        SmoothSystem.create(SmoothSystem.configure({"model": str(tmp_path)}))
    with pytest.raises(IndexFault, match="no settings"):
        SmoothSystem.load(tmp_path)
