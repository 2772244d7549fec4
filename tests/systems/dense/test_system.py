"""Documents ranked by the nearest of their passages, as toy encoders read them."""

from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np
import pytest

import dragoman
from dragoman.encoders.family import EncoderFamily
from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.ranking.balance import Balance
from dragoman.systems.dense import system as dense
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


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoders")
    toy_encoder("en", ENGLISH).save(folder / "en")
    toy_encoder("sw", SWAHILI).save(folder / "sw")
    return {
        "encoder": str(folder / "en"),
        "students": [str(folder / "sw")],
        "shipped_students": False,
    }


def built(folder, settings, documents=DOCUMENTS, **more):
    return dragoman.index(documents, folder, system="dense", settings={**settings, **more})


@pytest.fixture(scope="module")
def index(tmp_path_factory, settings):
    """An index that no test changes."""
    with built(tmp_path_factory.mktemp("dense") / "index", settings) as made:
        yield made


def ranking(index, text, language, k=10, within=None):
    scope = index.scope(within, balance=Balance.OFF)
    return index.rank(Query("q", text, language), k, scope).hits


def doc_ids(*arguments, **options):
    return [hit.doc_id for hit in ranking(*arguments, **options)]


def test_the_same_meaning_comes_first_in_every_language_and_ties_by_id(index):
    assert doc_ids(index, "water", "en")[:3] == ["en-water", "sw-water", "vi-water"]
    assert doc_ids(index, "moto", "sw", k=1) == ["sw-fire"]


def test_a_language_filter_keeps_the_others_out(index):
    assert doc_ids(index, "water", "en", within=["sw"]) == ["sw-water", "sw-fire"]


def test_a_query_that_says_nothing_finds_nothing(index):
    assert doc_ids(index, "?!", "en") == []


def test_scores_are_cosines_worked_by_hand(index):
    scores = {hit.doc_id: hit.score for hit in ranking(index, "sea", "en")}
    half = 1 / sqrt(2)  # "sea" has two axes, of which "water" is one
    expected = dict.fromkeys(["en-water", "sw-water", "vi-water"], half)
    expected |= dict.fromkeys(["en-house", "sw-fire", "en-empty"], 0.0)
    assert scores == pytest.approx(expected, abs=0.02)  # rows of a student are quantised


def test_a_document_counts_by_its_best_passage(tmp_path, settings):
    long = Document("long", "man house. " * 30 + "water. " + "fire man. " * 30, language="en")
    short = Document("short", "water fire", language="en")
    with built(tmp_path / "small", settings, [long, short], letters=8, overlap=0) as small:
        assert doc_ids(small, "water", "en") == ["long", "short"]
    with built(tmp_path / "whole", settings, [long, short], letters=4000) as whole:
        assert doc_ids(whole, "water", "en") == ["short", "long"]


def test_batches_that_are_begun_together_are_those_encoded_alone(index):
    system = index.system
    with ThreadPoolExecutor(2) as executor:
        finished = [system.begin([one], executor) for one in DOCUMENTS]
        for document, finish in zip(DOCUMENTS, finished, strict=True):
            (alone,) = system.encode([document])
            (mine,) = finish()
            assert mine.keys() == alone.keys()
            assert all(np.array_equal(mine[space], alone[space]) for space in mine)


def test_a_blank_document_has_no_row_and_disturbs_no_other(index):
    blank = Document("blank", "  ", language="en")
    mixed = index.system.encode([DOCUMENTS[1], blank, DOCUMENTS[3]])
    assert mixed[1] == {}
    assert np.array_equal(mixed[2]["dense"], index.system.encode([DOCUMENTS[3]])[0]["dense"])
    assert np.isnan(index.system.score(None, Query("q", "water", "en"), [blank])).all()


def test_an_index_keeps_its_own_copy_of_the_students(tmp_path, settings):
    toy_encoder("sw", SWAHILI).save(tmp_path / "student")
    with built(tmp_path / "index", settings, students=[str(tmp_path / "student")]) as index:
        before = ranking(index, "maji", "sw")
    (tmp_path / "student" / "student.json").unlink()
    with dragoman.open(tmp_path / "index") as again:
        assert ranking(again, "maji", "sw") == before


def test_languages_that_nobody_reads_are_noticed(index):
    (warning,) = index.manifest.warnings
    assert "does not support vi" in warning
    (of_query,) = index.search("水", language="ja").warnings
    assert "does not support ja" in of_query
    assert index.search("maji", language="sw").warnings == ()


def test_an_explanation_links_each_word_to_its_nearest(index):
    links = index.explain("water and house", "en-house", language="en").links
    assert (links[0].query_word, links[0].document_word) == ("house", "house")
    assert links[0].weight == pytest.approx(1, abs=1e-3)
    assert sum(link.share for link in links) <= 1 + 1e-6
    across = index.explain("water", "sw-water", language="en").links
    assert [(link.query_word, link.document_word) for link in across] == [("water", "maji")]


def test_an_explanation_has_the_score_of_the_search(index):
    for hit in ranking(index, "sea house", "en"):
        explanation = index.explain("sea house", hit.doc_id, language="en")
        assert explanation.score == pytest.approx(hit.score, abs=1e-3)


def test_an_empty_document_has_no_links(index):
    assert index.explain("fire", "en-empty", language="en").links == ()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"lettres": 3}, UnknownName, "Did you mean 'letters'"),
        ({"letters": "3"}, ConfigError, "whole number"),
        ({"students": "sw"}, ConfigError, "list of folders"),
        ({"letters": 10, "overlap": 10}, ConfigError, "below letters"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        DenseSystem.configure(wrong)


def test_texts_without_a_language_are_read_by_the_encoder_itself(index):
    vector = index.system.query_vector
    assert np.array_equal(vector(Text("water")), vector(Text("water", "en")))


@pytest.fixture
def with_students(monkeypatch):
    """Lets the installation have further students."""
    family_of = dense.family_of

    def give(*students):
        def family(config):
            shipped = family_of(config)
            return EncoderFamily(shipped.teacher, [*shipped.students.values(), *students])

        monkeypatch.setattr(dense, "family_of", family)

    return give


def test_a_student_that_came_after_the_build_changes_nothing(tmp_path, settings, with_students):
    with built(tmp_path / "index", settings) as index:
        before = ranking(index, "water", "en")
    with_students(toy_encoder("vi", {"water": 5}))
    with dragoman.open(tmp_path / "index") as again:
        assert ranking(again, "water", "en") == before
        assert "does not support vi" in again.search("water", language="vi").warnings[0]


def test_another_student_is_refused_only_where_it_read_documents(tmp_path, settings, with_students):
    with_students(toy_encoder("fi", {"xyzzy": 0}))
    built(tmp_path / "without", settings).close()
    finnish = Document("fi-water", "xyzzy", language="fi")
    built(tmp_path / "with", settings, [*DOCUMENTS, finnish]).close()
    with_students(toy_encoder("fi", {"xyzzy": 1}))
    with dragoman.open(tmp_path / "without") as index:
        assert doc_ids(index, "xyzzy", "fi", k=1) == ["sw-fire"]
    with (
        dragoman.open(tmp_path / "with") as index,
        pytest.raises(IndexFault, match=r"documents in 'fi' were indexed with .* upgrade"),
    ):
        index.search("water", language="en")


def test_a_damaged_configuration_is_said_with_the_remedy(tmp_path):
    (tmp_path / "config.json").write_bytes(b"damaged")
    with pytest.raises(IndexFault, match="build the index again"):
        DenseSystem.load(tmp_path)
