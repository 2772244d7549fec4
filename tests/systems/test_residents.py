"""Systems that live in a store: the same promises for each, and the same scores as in postings."""

import pytest

import dragoman
from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.indexes.engine import Index
from dragoman.lexicons.learning import learn
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.systems.dense import resident as dense_resident
from dragoman.systems.lexical.psq import Psq
from dragoman.types import Document, Query, SentencePair
from dragoman.vectors.family import EncoderFamily
from toys import toy_encoder

AXES = {
    "en": {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4},
    "sw": {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4},
}
DOCUMENTS = [
    Document("en-water", "water in the house", language="en"),
    Document("en-fire", "fire fire fire", language="en", metadata={"hot": True}),
    Document("sw-water", "maji na mkate", language="sw"),
    Document("sw-fire", "moto wa nyumba", language="sw", metadata={"hot": True}),
    Document("de-water", "Wasser im Haus", language="de"),
    Document("en-empty", "...", language="en"),
]


@pytest.fixture
def readers(tmp_path):
    for language, axes in AXES.items():
        toy_encoder(language, axes).save(tmp_path / "encoders" / language)
    return {
        "encoder": str(tmp_path / "encoders" / "en"),
        "students": [str(tmp_path / "encoders" / "sw")],
        "shipped_students": False,
    }


@pytest.fixture
def model(tmp_path):
    pytest.importorskip("torch", reason="needs the extra neural")
    from smooth_examples import toy_model

    toy_model(AXES).save(tmp_path / "model")
    return {"model": str(tmp_path / "model")}


@pytest.fixture
def searcher_model(tmp_path):
    pytest.importorskip("torch", reason="needs the extra neural")
    from toy_searcher import toy_model

    toy_model(AXES).save(tmp_path / "model")
    return {"model": str(tmp_path / "model")}


def relevance_model(architecture, tmp_path):
    pytest.importorskip("torch", reason="needs the extra neural")
    from toy_relevance import toy_model

    toy_model(AXES, architecture, tmp_path / "encoder").save(tmp_path / "model")
    return {"model": str(tmp_path / "model")}


# topics are learnt from more text than this: test_bilda.py asks them for the same
@pytest.fixture(params=sorted(set(registry.RESIDENTS) - {"bilda"}))
def index(request, tmp_path, readers):
    settings = {"psq": {}, "hybrid": {"dense": readers}}.get(request.param, readers)
    if request.param == "smooth":
        settings = request.getfixturevalue("model")
    if request.param == "searcher":
        settings = request.getfixturevalue("searcher_model")
    if request.param in ("non-interactive", "semi-interactive"):
        settings = relevance_model(request.param, tmp_path)
    folder = tmp_path / "index"
    with dragoman.index(DOCUMENTS, folder, system=request.param, settings=settings) as built:
        yield built


def found(index: Index, text: str, language: str, k: int = 10, **options) -> list[str]:
    answer = index.search(text, k, language=language, **options)
    return [hit.doc_id for hit in answer.ranking.hits]


def test_a_copy_of_the_query_comes_first(index):
    assert found(index, "fire fire fire", "en")[0] == "en-fire"
    assert found(index, "maji na mkate", "sw")[0] == "sw-water"


def test_a_query_reaches_documents_in_another_language(index):
    assert "sw-water" in found(index, "water", "en", k=3)
    assert "en-fire" in found(index, "moto", "sw", k=3)


def test_an_empty_query_and_one_without_known_words_are_no_errors(index):
    assert isinstance(found(index, "", "en"), list)
    assert isinstance(found(index, "...", "en"), list)


def test_filters_hold(index):
    assert set(found(index, "fire water", "en", within=["sw"])) <= {"sw-water", "sw-fire"}
    assert set(found(index, "fire water", "en", where=["hot=true"])) <= {"en-fire", "sw-fire"}


def test_a_prefix_of_a_longer_ranking(index):
    longer = found(index, "fire in the house", "en", k=6)
    assert found(index, "fire in the house", "en", k=2) == longer[:2]


def test_an_index_opened_again_answers_alike(index):
    before = index.search("fire in the house", language="en").ranking
    index.close()
    with dragoman.open(index.folder) as again:
        assert again.search("fire in the house", language="en").ranking == before


def test_explanations_name_words_of_both_sides(index):
    explanation = index.explain("fire", "en-fire", language="en")
    assert explanation.links
    assert {link.query_word for link in explanation.links} == {"fire"}
    assert {link.document_word for link in explanation.links} == {"fire"}
    assert sum(link.share for link in explanation.links) <= 1 + 1e-6


def test_changes_are_searched_at_once(index):
    index.add([Document("new", "bread bread", language="en")])
    assert found(index, "bread", "en")[0] == "new"
    index.delete(["new"])
    assert "new" not in found(index, "bread", "en")


def test_psq_scores_in_a_store_are_those_in_postings(tmp_path):
    static = Psq.build(DOCUMENTS, Psq.configure({}), silent)
    with dragoman.index(DOCUMENTS, tmp_path / "index", system="psq") as live:
        everywhere = live.scope(balance=Balance.OFF)
        for text, language in [("water in the house", "en"), ("moto", "sw"), ("Wasser", "de")]:
            query = Query("q", text, language)
            expected = {hit.doc_id: hit.score for hit in static.search(query, 10).hits}
            scores = {hit.doc_id: hit.score for hit in live.rank(query, 10, everywhere).hits}
            assert scores == pytest.approx(expected, rel=1e-4)


def test_a_hybrid_hit_says_what_each_part_added(tmp_path, readers):
    settings = {"dense": readers}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="hybrid", settings=settings) as index:
        hits = index.search("water", language="en").ranking.hits
    for hit in hits:
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))
    by_id = {hit.doc_id: {part.system for part in hit.parts} for hit in hits}
    assert by_id["en-water"] == {"psq", "dense"}


def test_a_language_that_nobody_reads_is_said(tmp_path, readers):
    settings = {"dense": readers}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="hybrid", settings=settings) as index:
        assert any("does not know de" in notice for notice in index.manifest.notices)


@pytest.mark.parametrize(("chosen", "heard"), [({}, True), ({"unread_weight": 0.0}, False)])
def test_of_a_language_that_nobody_knows_vectors_still_tell_names(tmp_path, readers, chosen, heard):
    settings = {"dense": readers, **chosen}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="hybrid", settings=settings) as index:
        hits = index.search("water", language="rw", within=["en"]).ranking.hits
    added = {part.system: part.added for part in hits[0].parts}
    assert hits[0].doc_id == "en-water"
    assert (added.get("dense", 0.0) > 0) == heard


def test_a_table_of_ones_own_serves_in_the_order_it_was_learnt_in(tmp_path):
    pairs = [SentencePair("water", "vatten"), SentencePair("bread", "bröd")] * 5
    learn(pairs, [], "en", "sv").lexicon.save(tmp_path / "sv")
    swedish = Document("sv-water", "vatten", language="sv")
    settings = {"lexicons": [str(tmp_path / "sv")]}
    dragoman.index([*DOCUMENTS, swedish], tmp_path / "i", system="psq", settings=settings).close()
    with dragoman.open(tmp_path / "i") as again:
        assert "sv-water" in found(again, "water", "en", k=3)
        again.add([Document("sv-bread", "bröd", language="sv")])
    with dragoman.open(tmp_path / "i") as changed:
        assert found(changed, "bread", "en", k=1, within=["sv"]) == ["sv-bread"]


def test_a_student_that_came_after_the_build_changes_nothing(tmp_path, readers, monkeypatch):
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="dense", settings=readers) as index:
        before = index.search("water", language="en").ranking
    german = toy_encoder("de", {"wasser": 0, "haus": 3})
    family_of = dense_resident.family_of

    def with_german(config):
        family = family_of(config)
        return EncoderFamily(family.teacher, [*family.students.values(), german])

    monkeypatch.setattr(dense_resident, "family_of", with_german)
    with dragoman.open(tmp_path / "i") as again:
        assert again.search("water", language="en").ranking == before
        assert "does not know de" in again.search("Wasser", language="de").notices[0]


def test_another_student_is_refused_only_where_it_read_documents(tmp_path, readers, monkeypatch):
    finnish = toy_encoder("fi", {"xyzzy": 0})
    family_of = dense_resident.family_of

    def given(*students):
        def family(config):
            shipped = family_of(config)
            return EncoderFamily(shipped.teacher, [*shipped.students.values(), *students])

        monkeypatch.setattr(dense_resident, "family_of", family)

    given(finnish)
    settings = {"dense": readers}
    dragoman.index(DOCUMENTS, tmp_path / "i", system="hybrid", settings=settings).close()
    finland = [*DOCUMENTS, Document("fi-water", "xyzzy", language="fi")]
    dragoman.index(finland, tmp_path / "fi", system="hybrid", settings=settings).close()
    given(toy_encoder("fi", {"xyzzy": 1}))
    with dragoman.open(tmp_path / "i") as index:
        assert index.search("xyzzy", language="fi").ranking.hits[0].doc_id == "en-fire"
    with (
        dragoman.open(tmp_path / "fi") as index,
        pytest.raises(IndexFault, match="documents in fi were read by other students"),
    ):
        index.search("water", language="en")
