import numpy as np
import pytest

from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.protocols import silent
from dragoman.systems.dense import passages as dense_passages
from dragoman.systems.dense.system import DenseSystem
from dragoman.types import Document, Query, Text
from toys import toy_encoder

ENGLISH = {"water": 0, "fire": 1, "man": 2, "house": 3, "sea": (0, 4)}
SWAHILI = {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3}
DOCUMENTS = [
    Document("sw-fire", "moto moto", language="sw"),
    Document("en-water", "water", language="en"),
    Document("en-house", "man house", "house", "en"),
    Document("sw-water", "maji", language="sw"),
    Document("en-empty", "...", language="en"),
    Document("vi-water", "water", language="vi"),
]


@pytest.fixture
def settings(tmp_path):
    toy_encoder("en", ENGLISH).save(tmp_path / "en")
    toy_encoder("sw", SWAHILI).save(tmp_path / "sw")
    return {"encoder": str(tmp_path / "en"), "students": [str(tmp_path / "sw")]}


@pytest.fixture
def system(settings):
    return DenseSystem.build(DOCUMENTS, DenseSystem.configure(settings), silent)


def found(system, text, language, k=10, languages=None):
    hits = system.search(Query("q", text, language), k, languages).hits
    return [hit.doc_id for hit in hits]


def test_the_same_meaning_comes_first_in_every_language_and_ties_by_id(system):
    assert found(system, "water", "en")[:3] == ["en-water", "sw-water", "vi-water"]
    assert found(system, "moto", "sw", k=1) == ["sw-fire"]


def test_a_language_filter_keeps_the_others_out(system):
    assert found(system, "water", "en", languages=["sw"]) == ["sw-water", "sw-fire"]
    assert found(system, "water", "en", languages=["fr"]) == []


def test_a_query_that_says_nothing_finds_nothing(system):
    assert found(system, "?!", "en") == []


def test_scores_are_cosines_and_best_first(system):
    hits = system.search(Query("q", "water", "en"), 10).hits
    assert hits[0].score == pytest.approx(1, abs=1e-3)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_document_counts_by_its_best_passage(settings):
    long = Document("long", "man house. " * 30 + "water. " + "fire man. " * 30, language="en")
    short = Document("short", "water fire", language="en")
    build = DenseSystem.build
    small = DenseSystem.configure(settings | {"letters": 8, "overlap": 0})
    whole = DenseSystem.configure(settings | {"letters": 4000})
    assert found(build([long, short], small, silent), "water", "en") == ["long", "short"]
    assert found(build([long, short], whole, silent), "water", "en") == ["short", "long"]


def test_every_document_gets_the_score_of_encode_and_score(system):
    query = Query("q", "sea man", "en")
    texts = [document.content for document in DOCUMENTS]
    scores = system.score(system.encode_queries([query.content])[0], system.encode_documents(texts))
    by_id = dict(zip((document.doc_id for document in DOCUMENTS), scores, strict=True))
    hits = system.search(query, 10).hits
    assert {hit.doc_id: hit.score for hit in hits} == pytest.approx(
        {doc_id: score for doc_id, score in by_id.items() if score > -1}, abs=1e-6
    )


def test_small_blocks_and_portions_change_nothing(settings, system, monkeypatch):
    monkeypatch.setattr(dense_passages, "BLOCK", 1)
    monkeypatch.setattr("dragoman.systems.dense.collected.PORTION", 2)
    again = DenseSystem.build(DOCUMENTS[::-1], DenseSystem.configure(settings), silent)
    for text in ("water", "man house", "sea"):
        query = Query("q", text, "en")
        assert again.search(query, 10) == system.search(query, 10)


def test_what_was_saved_searches_the_same(system, tmp_path):
    folder = tmp_path / "saved"
    folder.mkdir()
    system.save(folder)
    (tmp_path / "sw" / "student.json").unlink()  # the index keeps its own copy
    loaded = DenseSystem.load(folder)
    assert loaded.settings == system.settings
    assert loaded.notices == system.notices
    query = Query("q", "maji", "sw")
    assert loaded.search(query, 10) == system.search(query, 10)
    assert loaded.explain(query, DOCUMENTS[1]) == system.explain(query, DOCUMENTS[1])


@pytest.mark.parametrize("file", ["vectors.npy", "languages.json", "config.json"])
def test_a_damaged_index_is_said_with_the_remedy(system, tmp_path, file):
    folder = tmp_path / "saved"
    folder.mkdir()
    system.save(folder)
    (folder / file).write_bytes(b"damaged")
    with pytest.raises(IndexFault, match="build the index again"):
        DenseSystem.load(folder)


def test_languages_that_nobody_reads_are_noticed(system):
    assert len(system.notices) == 1
    assert "does not know vi" in system.notices[0]
    assert "does not know ja" in system.query_notice(Query("q", "水", "ja"))
    assert system.query_notice(Query("q", "maji", "sw")) is None


def test_an_explanation_links_each_word_to_its_nearest(system):
    explanation = system.explain(Query("q", "water and house", "en"), DOCUMENTS[2])
    best = explanation.links[0]
    assert (best.query_word, best.document_word) == ("house", "house")
    assert best.weight == pytest.approx(1, abs=1e-3)
    assert sum(link.share for link in explanation.links) <= 1 + 1e-6
    across = system.explain(Query("q", "water", "en"), DOCUMENTS[3]).links
    assert [(link.query_word, link.document_word) for link in across] == [("water", "maji")]


def test_an_explanation_has_the_score_of_the_search(system):
    query = Query("q", "sea house", "en")
    for hit in system.search(query, 10).hits:
        document = next(each for each in DOCUMENTS if each.doc_id == hit.doc_id)
        assert system.explain(query, document).score == hit.score


def test_a_document_outside_the_index_is_explained_too(system):
    links = system.explain(Query("q", "fire", "en"), Document("new", "moto", language="sw")).links
    assert links[0].document_word == "moto"


def test_an_empty_document_has_no_links(system):
    assert system.explain(Query("q", "fire", "en"), Document("new", "")).links == ()


def test_an_id_that_comes_twice_is_refused(settings):
    with pytest.raises(InputError, match="'en-water' a second time"):
        DenseSystem.build([*DOCUMENTS, DOCUMENTS[1]], DenseSystem.configure(settings), silent)


def test_documents_without_text_are_not_found_and_disturb_no_other(settings):
    empty = Document("a-blank", "  ", language="en")
    system = DenseSystem.build([*DOCUMENTS, empty], DenseSystem.configure(settings), silent)
    assert "a-blank" not in found(system, "water", "en")
    for document in DOCUMENTS:
        kept = system.passages.of_document(document.doc_id)
        assert np.array_equal(kept, system.encode_documents([document.content])[0])
    assert system.passages.of_document("a-blank") is None


def test_no_documents_are_no_hits(settings):
    system = DenseSystem.build([], DenseSystem.configure(settings), silent)
    assert found(system, "water", "en") == []


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"lettres": 3}, UnknownName, "Did you mean 'letters'"),
        ({"letters": "3"}, ConfigError, "whole number"),
        ({"students": "sw"}, ConfigError, "list of folders"),
        ({"letters": 10, "overlap": 10}, ConfigError, "below letters"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, error, said):
    with pytest.raises(error, match=said):
        DenseSystem.configure(wrong)


def test_texts_without_a_language_are_read_by_the_encoder_itself(system):
    assert np.array_equal(
        system.encode_queries([Text("water")])[0], system.encode_queries([Text("water", "en")])[0]
    )
