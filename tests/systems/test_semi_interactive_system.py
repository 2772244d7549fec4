"""Trained models as systems: searched exactly, in a store, as a second stage, explained, saved."""

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman import registry
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.indexes.second import Rerank
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.systems.semi_interactive.attached import Attached, attach
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.text.clicks import write_tsv
from dragoman.types import Click, Document, Query
from toy_relevance import toy_model

AXES = {
    "en": {"water": 0, "fire": 1, "house": 3},
    "it": {"acqua": 0, "fuoco": 1, "casa": 3},
}
DOCUMENTS = [
    Document("it-acqua", "acqua in casa", language="it"),
    Document("it-fuoco", "fuoco fuoco", language="it"),
    Document("it-fuoco-2", "fuoco, fuoco!", language="it"),
    Document("en-house", "house", language="en"),
    Document("en-empty", "...", language="en"),
]
VECTORS = ("non-interactive", "semi-interactive")
NAMES = ("interactive", *VECTORS)
every_system = pytest.mark.parametrize("name", NAMES)
every_vector_system = pytest.mark.parametrize("name", VECTORS)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for name in NAMES:
        toy_model(AXES, name, root / f"{name}-encoder").save(root / name)
    return {name: root / name for name in NAMES}


def built(folders, name, documents=DOCUMENTS, **settings):
    kind = registry.system(name)
    config = kind.configure({"model": str(folders[name]), **settings})
    return kind.build(iter(documents), config, silent)


def ids(ranking):
    return [hit.doc_id for hit in ranking.hits]


@every_vector_system
def test_a_query_finds_what_says_the_same_and_ties_stand_by_id(folders, name):
    found = built(folders, name).search(Query("q", "fire", "en"), 2)
    assert ids(found) == ["it-fuoco", "it-fuoco-2"]
    assert found.hits[0].score == found.hits[1].score == pytest.approx(1)


@every_system
def test_a_score_is_that_of_the_model(folders, name):
    system = built(folders, name, relevant_queries="none")
    query = Query("q", "water house", "en")
    pairs = [RelevanceExample(query, document, (), 0.0) for document in DOCUMENTS]
    expected = dict(
        zip([d.doc_id for d in DOCUMENTS], system.model.score_pairs(pairs), strict=True)
    )
    found = system.search(query, 9)
    assert "en-empty" not in ids(found)
    assert {hit.doc_id: hit.score for hit in found.hits} == pytest.approx(
        {doc_id: score for doc_id, score in expected.items() if doc_id != "en-empty"}, abs=2e-6
    )


@every_system
def test_encoded_and_scored_it_gives_what_search_gives(folders, name):
    system = built(folders, name, relevant_queries="none")
    (asked,) = system.encode_queries([Query("q", "water house", "en").content])
    texts = [document.content for document in DOCUMENTS]
    scores = system.score(asked, system.encode_documents(texts))
    by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
    for hit in system.search(Query("q", "water house", "en"), 9).hits:
        assert by_id[hit.doc_id] == pytest.approx(hit.score, abs=2e-6)
    assert len(system.score(asked, [])) == 0


@every_system
def test_filters_batches_and_empty_queries(folders, name):
    system = built(folders, name)
    query = Query("q", "water house", "en")
    assert ids(system.search(query, 9, ["en"])) == ["en-house"]
    assert system.search(query, 9, ["xx"]).hits == ()
    assert system.search(Query("q", "?!", "en"), 9).hits == ()
    assert system.search_many([query, Query("e", "")], 2)[0] == system.search(query, 2)
    assert built(folders, name, []).search(query, 3).hits == ()


@every_system
def test_saved_and_loaded_it_answers_alike(folders, name, tmp_path):
    system = built(folders, name)
    system.save(tmp_path)
    again = registry.system(name).load(tmp_path)
    query = Query("q", "water house", "en")
    assert again.search(query, 9) == system.search(query, 9)
    assert again.settings == system.settings


def test_lost_files_are_told(folders, tmp_path):
    built(folders, "interactive").save(tmp_path)
    (tmp_path / "tokens.npy").unlink()
    with pytest.raises(IndexFault, match="found damaged or missing files"):
        registry.system("interactive").load(tmp_path)


@every_system
def test_a_system_needs_a_model_of_its_own_kind(folders, name):
    kind = registry.system(name)
    with pytest.raises(ConfigError, match=f"the system {name} needs a trained model"):
        kind.configure({})
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        kind.configure({"modell": "x"})
    other = folders[NAMES[(NAMES.index(name) + 1) % 3]]
    with pytest.raises(ConfigError, match=f"the system {name} needs one made by"):
        kind.build([], kind.configure({"model": str(other)}), silent)


@every_system
def test_a_document_that_comes_twice_is_refused(folders, name):
    with pytest.raises(InputError, match="'en-house' a second time"):
        built(folders, name, [*DOCUMENTS, DOCUMENTS[3]])


@every_system
def test_an_explanation_links_words_and_shares_out_the_score(folders, name):
    system = built(folders, name)
    why = system.explain(Query("q", "fire water", "en"), DOCUMENTS[0])
    links = {link.query_word: link.document_word for link in why.links}
    assert links["water"] == "acqua"
    assert sum(link.share for link in why.links) == pytest.approx(1) or name == "interactive"
    if name != "interactive":
        assert why.links[0].query_word == "water"
    assert system.explain(Query("q", "?!", "en"), DOCUMENTS[0]).links == ()


@every_system
def test_a_query_in_a_language_that_was_not_trained_on_is_told(folders, name):
    system = built(folders, name)
    assert system.query_notice(Query("q", "fire", "en")) is None
    assert "trained on queries in en, it; one in fi" in system.query_notice(
        Query("q", "tuli", "fi")
    )


TITLED = [
    Document("en:a", "house", "", "en"),
    Document("it:a", "casa", "fuoco", "it"),
    Document("en:b", "house", "", "en"),
]


def test_documents_are_found_by_their_relevant_queries(folders):
    system = built(folders, "semi-interactive", TITLED)
    assert ids(system.search(Query("q", "fire", "en"), 1, ["en"])) == ["en:a"]
    blind = built(folders, "semi-interactive", TITLED, relevant_queries="none")
    scores = {hit.doc_id: hit.score for hit in blind.search(Query("q", "fire", "en"), 3).hits}
    assert scores["en:a"] == scores["en:b"]
    apart = built(folders, "non-interactive", TITLED)
    scores = {hit.doc_id: hit.score for hit in apart.search(Query("q", "fire", "en"), 3).hits}
    assert scores["en:a"] == scores["en:b"]


def test_relevant_queries_can_be_mined_or_brought_along(folders, tmp_path):
    write_tsv(tmp_path / "log.tsv", [Click("acqua", "en:b", 10, 5, "it")])
    log = str(tmp_path / "log.tsv")
    system = built(folders, "semi-interactive", TITLED, relevant_queries=log)
    assert ids(system.search(Query("q", "water", "en"), 1)) == ["en:b"]
    own = Document(
        "en:c", "house", "", "en", {"relevant_queries": [{"text": "acqua", "lang": "it"}]}
    )
    system = built(folders, "semi-interactive", [*TITLED, own])
    assert ids(system.search(Query("q", "water", "en"), 1)) == ["en:c"]


def test_attached_queries_are_saved_and_checked(tmp_path):
    attached = attach(TITLED, "titles", 3)
    attached.save(tmp_path)
    assert [q.text for q in Attached.load(tmp_path).of(TITLED[0])] == ["fuoco"]
    assert attach(TITLED, "titles", 0) == Attached()
    assert Attached.load(tmp_path / "elsewhere") == Attached()
    for wrong in ("text", [3], [{"lang": "it"}]):
        document = Document("d", "", metadata={"relevant_queries": wrong})
        with pytest.raises(InputError, match="document 'd': found relevant_queries"):
            attached.of(document)


def test_an_index_keeps_what_was_read_with_a_document(folders, tmp_path):
    settings = {"model": str(folders["semi-interactive"])}
    folder = tmp_path / "index"
    with dragoman.index(TITLED, folder, system="semi-interactive", settings=settings) as index:
        before = index.search("fire", language="en", balance=Balance.OFF).ranking
        assert ids(before)[:2] == ["en:a", "it:a"]
        assert before.hits[0].score == before.hits[1].score > before.hits[2].score
    with dragoman.open(folder) as again:
        again.add([TITLED[0]])
        assert again.search("fire", language="en", balance=Balance.OFF).ranking == before
        notices = again.search("tuli", language="fi").notices
        assert any("one in fi is read by what its encoder learnt before" in n for n in notices)


def test_a_trained_model_is_a_second_stage_by_its_folder(folders, tmp_path):
    with dragoman.index(DOCUMENTS, tmp_path / "index", system="psq") as index:
        rerank = Rerank(str(folders["interactive"]), weight=1.0)
        answer = index.search("house water", language="en", rerank=rerank)
        hits = {hit.doc_id: hit.parts[-1] for hit in answer.ranking.hits}
        model = registry.system("interactive").load(folders["interactive"]).model
        for document in answer.documents:
            pair = RelevanceExample(answer.query, document, (), 0.0)
            assert hits[document.doc_id].system == "interactive"
            assert hits[document.doc_id].score == pytest.approx(
                model.score_pairs([pair])[0], abs=2e-6
            )
        with pytest.raises(ConfigError, match="give its folder as `model`, or as the second stage"):
            index.search("house", language="en", rerank="interactive")


def test_the_signature_of_an_index_is_plain(folders):
    settings = built(folders, "semi-interactive").settings
    assert json.loads(json.dumps(settings)) == settings
    assert np.char.startswith(str(settings["model"]), "semi-interactive|")
