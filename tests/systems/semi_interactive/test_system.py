"""Trained models as systems: in an index, as a second stage, explained, saved."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman import registry
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName, UserError
from dragoman.experiments.index_cache import temporary_index
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.ranking.balance import Balance
from dragoman.systems.semi_interactive.document_queries import DocumentQueries, collect_queries
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.text.formats.clicks import write_tsv
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
HALF = 1e-3  # what rows in half precision cost a cosine
every_system = pytest.mark.parametrize("name", NAMES)
every_vector_system = pytest.mark.parametrize("name", VECTORS)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for name in NAMES:
        toy_model(AXES, name, root / f"{name}-encoder").save(root / name)
    return {name: root / name for name in NAMES}


def created(folders, name, **settings):
    kind = registry.system(name)
    return kind.create(kind.configure({"model": str(folders[name]), **settings}))


@contextmanager
def indexed(folders, name, documents=DOCUMENTS, **settings):
    chosen = {"model": str(folders[name]), **settings}
    with temporary_index(documents, name, chosen) as index:
        yield index


def ranked(index, text, k=9, languages=None):
    return index.rank(Query("q", text, "en"), k, index.scope(languages, balance=Balance.OFF))


def ids(ranking):
    return [hit.doc_id for hit in ranking.hits]


def scores(ranking):
    return {hit.doc_id: hit.score for hit in ranking.hits}


def by_model(system, query):
    """What the model itself says of the documents, without relevant queries."""
    pairs = [RelevanceExample(query, document, (), 0.0) for document in DOCUMENTS]
    names = [document.doc_id for document in DOCUMENTS]
    told = dict(zip(names, system.model.score_pairs(pairs), strict=True))
    return {doc_id: score for doc_id, score in told.items() if doc_id != "en-empty"}


@every_vector_system
def test_a_query_finds_what_says_the_same_and_ties_stand_by_id(folders, name):
    with indexed(folders, name) as index:
        found = ranked(index, "fire", 2)
    assert ids(found) == ["it-fuoco", "it-fuoco-2"]
    assert found.hits[0].score == found.hits[1].score == pytest.approx(1, abs=1e-3)


@every_vector_system
def test_an_index_gives_the_scores_of_the_model(folders, name):
    with indexed(folders, name, relevant_queries="none") as index:
        expected = by_model(index.system, Query("q", "water house", "en"))
        assert scores(ranked(index, "water house")) == pytest.approx(expected, abs=HALF)


@every_system
def test_documents_are_scored_by_their_texts_alone(folders, name):
    system = created(folders, name, relevant_queries="none")
    assert system.reads_texts_alone
    query = Query("q", "water house", "en")
    values = system.score(None, query, DOCUMENTS)
    told = {d.doc_id: value for d, value in zip(DOCUMENTS, values, strict=True)}
    assert np.isnan(told.pop("en-empty"))
    assert told == pytest.approx(by_model(system, query), abs=HALF)
    assert len(system.score(None, query, [])) == 0
    assert np.isnan(system.score(None, Query("q", "?!", "en"), DOCUMENTS)).all()


@every_vector_system
def test_a_search_and_a_second_stage_score_alike(folders, name):
    with indexed(folders, name, TITLED) as index, index.snapshot() as snapshot:
        query = Query("q", "water house", "en")
        for document in TITLED:
            (alone,) = index.system.score(snapshot, query, [document])
            assert scores(ranked(index, query.text))[document.doc_id] == pytest.approx(alone)


@every_vector_system
def test_filters_and_empty_queries(folders, name):
    with indexed(folders, name) as index:
        assert ids(ranked(index, "water house", languages=["en"])) == ["en-house"]
        assert ranked(index, "?!").hits == ()
        assert ranked(index, "").hits == ()


@every_vector_system
def test_an_index_opened_again_answers_alike(folders, name, tmp_path):
    settings = {"model": str(folders[name])}
    with dragoman.index(DOCUMENTS, tmp_path / "index", system=name, settings=settings) as index:
        before, made_by = ranked(index, "water house"), index.system.settings
    with dragoman.open(tmp_path / "index") as again:
        assert ranked(again, "water house") == before
        assert again.system.settings == made_by


@every_system
def test_saved_and_loaded_it_scores_alike(folders, name, tmp_path):
    system = created(folders, name)
    system.save(tmp_path)
    again = registry.system(name).load(tmp_path)
    query = Query("q", "water house", "en")
    expected = system.score(None, query, DOCUMENTS)
    assert again.score(None, query, DOCUMENTS) == pytest.approx(expected, nan_ok=True)
    assert again.settings == system.settings
    assert again.treatment("it") == system.treatment("it")


@pytest.mark.parametrize("left", [None, b'{"doc_id": "en:a"}\n', b"\xff\n"])
def test_lost_and_damaged_files_are_told(folders, tmp_path, left):
    created(folders, "semi-interactive").save(tmp_path)
    (tmp_path / "relevant.jsonl").unlink()
    if left is not None:
        (tmp_path / "relevant.jsonl").write_bytes(left)
    with pytest.raises(IndexFault, match="found no relevant queries that can be read"):
        registry.system("semi-interactive").load(tmp_path)


@every_system
def test_a_folder_without_settings_is_refused(folders, name, tmp_path):
    created(folders, name).save(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(IndexFault, match="found no settings of a saved system"):
        registry.system(name).load(tmp_path)


@every_system
def test_a_system_needs_a_model_of_its_own_kind(folders, name):
    kind = registry.system(name)
    with pytest.raises(
        ConfigError,
        match=f"Train a model: dragoman train transformer COLLECTION --architecture {name}",
    ):
        kind.configure({})
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        kind.configure({"modell": "x"})
    other = folders[NAMES[(NAMES.index(name) + 1) % 3]]
    with pytest.raises(ConfigError, match=f"the system {name} needs one made by"):
        kind.create(kind.configure({"model": str(other)}))


@every_vector_system
def test_a_document_that_comes_twice_is_refused(folders, name):
    with (
        pytest.raises(InputError, match="'en-house' a second time"),
        indexed(folders, name, [*DOCUMENTS, DOCUMENTS[3]]),
    ):
        pass


@every_system
def test_an_explanation_links_words_and_shares_out_the_score(folders, name):
    system = created(folders, name)
    why = system.explain(None, Query("q", "fire water", "en"), DOCUMENTS[0])
    links = {link.query_word: link.document_word for link in why.links}
    assert links["water"] == "acqua"
    assert sum(link.share for link in why.links) == pytest.approx(1) or name == "interactive"
    if name != "interactive":
        assert why.links[0].query_word == "water"
    assert system.explain(None, Query("q", "?!", "en"), DOCUMENTS[0]).links == ()


@every_system
def test_a_query_in_a_language_that_was_not_trained_on_is_told(folders, name):
    system = created(folders, name)
    assert system.languages == {"en", "it"}
    assert system.query_warning(Query("q", "fire", "en")) is None
    assert "trained on queries in en, it; one in fi" in system.query_warning(
        Query("q", "tuli", "fi")
    )


def test_an_interactive_model_is_no_first_stage(folders, tmp_path):
    settings = {"model": str(folders["interactive"])}
    with pytest.raises(UserError, match="dragoman search INDEX QUERY --rerank MODEL"):
        dragoman.index(DOCUMENTS, tmp_path / "index", system="interactive", settings=settings)
    assert not (tmp_path / "index").exists()
    system = created(folders, "interactive")
    assert system.spaces == ()
    with pytest.raises(UserError, match="cannot search an index"):
        system.search(None, Query("q", "fire", "en"), 3, Scope())


TITLED = [
    Document("en:a", "house", "", "en"),
    Document("it:a", "casa", "fuoco", "it"),
    Document("en:b", "house", "", "en"),
]


def test_documents_are_found_by_their_relevant_queries(folders):
    with indexed(folders, "semi-interactive", TITLED) as index:
        assert ids(ranked(index, "fire", 1, ["en"])) == ["en:a"]
    with indexed(folders, "semi-interactive", TITLED, relevant_queries="none") as blind:
        told = scores(ranked(blind, "fire"))
        assert told["en:a"] == told["en:b"]
    with indexed(folders, "non-interactive", TITLED) as apart:
        told = scores(ranked(apart, "fire"))
        assert told["en:a"] == told["en:b"]


def test_relevant_queries_can_be_mined_or_brought_along(folders, tmp_path):
    write_tsv(tmp_path / "log.tsv", [Click("acqua", "en:b", 10, 5, "it")])
    log = str(tmp_path / "log.tsv")
    with indexed(folders, "semi-interactive", TITLED, relevant_queries=log) as index:
        assert ids(ranked(index, "water", 1)) == ["en:b"]
    own = Document(
        "en:c", "house", "", "en", {"relevant_queries": [{"text": "acqua", "lang": "it"}]}
    )
    with indexed(folders, "semi-interactive", [*TITLED, own]) as index:
        assert ids(ranked(index, "water", 1)) == ["en:c"]


@pytest.mark.parametrize("source", ["titles", "none", "log.tsv"])
def test_all_documents_of_a_build_are_counted(folders, tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    write_tsv(tmp_path / "log.tsv", [Click("acqua", "en:b", 10, 5, "it")])
    counted = []
    system = created(folders, "semi-interactive", relevant_queries=source)
    system.collect(iter(TITLED), lambda n=1: counted.append(n))
    assert sum(counted) == len(TITLED)


def test_attached_queries_are_saved_and_checked(tmp_path):
    attached = collect_queries(TITLED, "titles", 3)
    attached.save(tmp_path)
    assert [q.text for q in DocumentQueries.load(tmp_path).for_document(TITLED[0])] == ["fuoco"]
    assert collect_queries(TITLED, "titles", 0) == DocumentQueries()
    for wrong in ("text", [3], [{"lang": "it"}]):
        document = Document("d", "", metadata={"relevant_queries": wrong})
        with pytest.raises(InputError, match="document 'd': found relevant_queries"):
            attached.for_document(document)


def test_an_index_keeps_what_was_read_with_a_document(folders, tmp_path):
    settings = {"model": str(folders["semi-interactive"])}
    folder = tmp_path / "index"
    with dragoman.index(TITLED, folder, system="semi-interactive", settings=settings) as index:
        before = index.search("fire", language="en", balance=Balance.OFF, group=False).ranking
        assert ids(before)[:2] == ["en:a", "it:a"]
        assert before.hits[0].score == before.hits[1].score > before.hits[2].score
    with dragoman.open(folder) as again:
        again.add([TITLED[0]])
        found = again.search("fire", language="en", balance=Balance.OFF, group=False)
        assert found.ranking == before
        warnings = again.search("tuli", language="fi").warnings
        assert any(
            "the model was trained on queries in" in one and "one in fi" in one for one in warnings
        )


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
        with pytest.raises(ConfigError, match="give its folder as the second stage itself"):
            index.search("house", language="en", rerank="interactive")


def test_the_signature_of_an_index_is_plain(folders):
    settings = created(folders, "semi-interactive").settings
    assert json.loads(json.dumps(settings)) == settings
    assert np.char.startswith(str(settings["model"]), "semi-interactive|")
    # a build that was killed does not go on with other relevant queries
    assert created(folders, "semi-interactive", relevant_queries="none").settings != settings
