"""A trained model as a system: searched exactly, in a store, explained, saved."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from smooth_examples import toy_model

import dragoman
from dragoman import registry
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.systems.smooth.similarity import smooth_cosine
from dragoman.systems.smooth.system import SmoothSystem
from dragoman.types import Document, Query

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
def system(folder):
    config = SmoothSystem.configure({"model": str(folder)})
    return SmoothSystem.build(iter(DOCUMENTS), config, silent)


def ids(ranking):
    return [hit.doc_id for hit in ranking.hits]


def test_it_is_registered():
    assert registry.system("smooth") is SmoothSystem


def test_a_query_finds_what_says_the_same_and_ties_stand_by_id(system):
    found = system.search(Query("q", "fire", "en"), 2)
    assert ids(found) == ["it-fuoco", "it-fuoco-2"]
    assert found.hits[0].score == found.hits[1].score


def test_a_score_is_the_smooth_cosine_of_the_towers(system):
    import torch

    hit = system.search(Query("q", "water house", "en"), 1).hits[0]
    half = np.tanh(0.5)
    x = torch.tensor([[half, half]])
    assert hit.doc_id == "it-acqua"
    assert hit.score == pytest.approx(float(smooth_cosine(x, x, 1.0)), abs=1e-6)


def test_languages_restrict_the_search(system):
    assert ids(system.search(Query("q", "house", "en"), 5, ["en"])) == ["en-house"]
    assert ids(system.search(Query("q", "house", "en"), 5, ["xx"])) == []


def test_texts_without_a_known_word_find_and_are_nothing(system):
    assert system.search(Query("q", "qqq", "en"), 5).hits == ()
    assert system.search(Query("q", "Wasser", "de"), 5).hits == ()
    everything = ids(system.search(Query("q", "house", "en"), 10))
    assert not {"empty", "de-wasser"} & set(everything)


def test_unknown_languages_are_said(system):
    assert len(system.notices) == 1
    assert "does not know de" in system.notices[0]
    assert "one in de finds nothing" in system.query_notice(Query("q", "Wasser", "de"))
    assert system.query_notice(Query("q", "fire", "en")) is None


def test_encoded_and_scored_it_gives_what_search_gives(system):
    query = Query("q", "water house", "en")
    (asked,) = system.encode_queries([query.content])
    scores = system.score(asked, system.encode_documents([d.content for d in DOCUMENTS]))
    by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
    for hit in system.search(query, 10).hits:
        assert by_id[hit.doc_id] == pytest.approx(hit.score, abs=1e-6)


def test_many_queries_get_the_answers_of_each(system):
    queries = [Query("a", "fire", "en"), Query("b", "", "en"), Query("c", "house water", "en")]
    assert system.search_many(queries, 3) == [system.search(query, 3) for query in queries]


def test_saved_and_loaded_it_answers_alike(system, tmp_path):
    (tmp_path / "index").mkdir()
    system.save(tmp_path / "index")
    again = SmoothSystem.load(tmp_path / "index")
    query = Query("q", "fire house", "en")
    assert again.search(query, 5) == system.search(query, 5)
    assert (again.settings, again.notices) == (system.settings, system.notices)
    (tmp_path / "index" / "rows.npy").unlink()
    with pytest.raises(IndexFault, match="build the index again"):
        SmoothSystem.load(tmp_path / "index")


def test_an_explanation_links_each_word_to_its_nearest(system):
    why = system.explain(Query("q", "the water house", "en"), DOCUMENTS[0])
    assert {(link.query_word, link.document_word) for link in why.links} == {
        ("water", "acqua"),
        ("house", "casa"),
    }
    assert sum(link.share for link in why.links) == pytest.approx(1)
    assert why.score == pytest.approx(
        system.search(Query("q", "the water house", "en"), 1).hits[0].score, abs=1e-6
    )
    assert system.explain(Query("q", "qqq", "en"), DOCUMENTS[0]).links == ()


def test_the_store_gives_the_scores_of_the_exact_search(system, folder, tmp_path):
    settings = {"model": str(folder)}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="smooth", settings=settings) as index:
        everywhere = index.scope(balance=Balance.OFF)
        for text in ("fire", "water house", "house"):
            query = Query("q", text, "en")
            exact = {hit.doc_id: hit.score for hit in system.search(query, 10).hits if hit.score}
            found = {hit.doc_id: hit.score for hit in index.rank(query, 10, everywhere).hits}
            assert {key: score for key, score in found.items() if abs(score) > 1e-6} == (
                pytest.approx(exact, rel=1e-3)  # the engine keeps half precision
            )
        assert any("does not know de" in notice for notice in index.manifest.notices)
        assert index.query_notices(Query("q", "fire", "en")) == ()


def test_an_index_needs_the_model_no_longer(folder, tmp_path):
    settings = {"model": str(folder)}
    dragoman.index(DOCUMENTS, tmp_path / "i", system="smooth", settings=settings).close()
    for path in folder.iterdir():
        path.unlink()
    with dragoman.open(tmp_path / "i") as index:
        assert ids(index.search("fire", 1, language="en").ranking) == ["it-fuoco"]


def test_a_missing_model_and_a_misspelt_setting_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="needs a trained model"):
        SmoothSystem.configure({})
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        SmoothSystem.configure({"modle": "x"})
    with pytest.raises(InputError, match="written by 'dragoman train smooth'"):
        SmoothSystem.build([], SmoothSystem.configure({"model": str(tmp_path)}), silent)


def test_a_document_that_comes_twice_is_refused(folder):
    config = SmoothSystem.configure({"model": str(folder)})
    with pytest.raises(InputError, match="'it-acqua' a second time"):
        SmoothSystem.build([DOCUMENTS[0], DOCUMENTS[0]], config, silent)
