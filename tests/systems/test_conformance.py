"""What every registered system promises, whatever it computes."""

import json

import numpy as np
import pytest

import dragoman
from dragoman.errors import UnknownName
from dragoman.indexes.filters import Filter
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.spaces import Bag, Counts, SpaceKind
from dragoman.ranking.balance import Balance
from dragoman.registry import SYSTEMS, system
from dragoman.types import Document, Query
from small_systems import AXES, DOCUMENTS, settings_of

SECOND_ONLY = {"interactive"}  # reads a document together with the query and keeps nothing of it
OWN_FUSION = {"hybrid"}  # a score is made of the candidates that a search compares
ENCODES_ANY_TEXT = {"dense", "hybrid", "nbow", "wasserstein"}  # if by a vector of nothing
SEARCHABLE = sorted(SYSTEMS.keys() - SECOND_ONLY)

QUERIES = [
    Query("q", text, language)
    for text, language in [
        ("fire in the house", "en"),
        ("water", "en"),
        ("moto", "sw"),
        ("mtu na mkate", "sw"),
    ]
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """System -> its settings; models are made once."""
    known = {}

    def find(name):
        if name not in known:
            known[name] = settings_of(name, tmp_path_factory.mktemp(name))
        return known[name]

    return find


@pytest.fixture(scope="module", params=SEARCHABLE)
def index(request, settings, tmp_path_factory):
    """An index that no test changes: most documents in a segment, two in the memtable."""
    folder = tmp_path_factory.mktemp("index") / "index"
    chosen = settings(request.param)
    with dragoman.index(DOCUMENTS[:4], folder, system=request.param, settings=chosen) as built:
        built.add(DOCUMENTS[4:])
        yield built


def other_index(index, settings, folder, documents):
    """An index by the same system."""
    name = index.manifest.system
    return dragoman.index(documents, folder / "other", system=name, settings=settings(name))


def ranked(index, query, k=10, languages=(), balance=Balance.OFF):
    """The ids and scores of a search."""
    ranking = index.rank(query, k, Scope(Filter(tuple(languages)), balance))
    return [(hit.doc_id, hit.score) for hit in ranking.hits]


def ids(index, query, k=10, languages=()):
    return [doc_id for doc_id, _ in ranked(index, query, k, languages)]


@pytest.mark.parametrize("document", DOCUMENTS[1:4], ids=lambda document: document.doc_id)
def test_a_copy_of_the_query_stands_first(index, document):
    query = Query("q", document.text, document.language)
    assert ids(index, query, 1, [document.language]) == [document.doc_id]


def test_a_query_reaches_documents_in_another_language(index):
    assert ids(index, Query("q", "water", "en"), 1, ["sw"]) == ["sw-water"]
    assert ids(index, Query("q", "moto", "sw"), 1, ["en"]) == ["en-fire"]


@pytest.mark.parametrize("text", ["", "   ", "?!", "🙂", "\u0301", "qqqqqq zzzzzzz"])
def test_a_query_without_a_known_word_finds_nothing(index, text):
    assert ids(index, Query("q", text, "en")) == []


def test_more_can_be_asked_for_than_there_is(index):
    for query in QUERIES:
        listed = ids(index, query, 1000)
        assert len(listed) == len({*listed}) <= len(DOCUMENTS)
        assert listed[:2] == ids(index, query, 2)


def test_a_document_without_words_is_not_found_or_stands_below_all_that_met(index):
    listed = ids(index, Query("q", "fire", "en"), 100)
    if index.manifest.system in ENCODES_ANY_TEXT:
        assert {*listed[:2]} == {"en-fire", "sw-fire"}
    else:
        assert "en-empty" not in listed


@pytest.mark.parametrize("balance", Balance)
def test_scores_fall_and_are_numbers(index, balance):
    for query in QUERIES:
        scores = [score for _, score in ranked(index, query, 100, balance=balance)]
        assert scores == sorted(scores, reverse=True)
        assert np.isfinite(scores).all()


@pytest.mark.parametrize("languages", [["sw"], ["en", "sw"], ["sw", "xx"]])
def test_a_filter_on_languages_gives_what_leaving_out_gives(index, languages):
    for query in QUERIES:
        everything = ids(index, query, 100)
        expected = [doc_id for doc_id in everything if doc_id[:2] in languages]
        assert ids(index, query, 100, languages) == expected


def test_a_language_that_is_named_twice_is_searched_once(index):
    scope = index.scope(["sw", "en", "sw"], balance=Balance.OFF)
    for query in QUERIES:
        hits = index.rank(query, 100, scope).hits
        assert [hit.doc_id for hit in hits] == ids(index, query, 100, ["en", "sw"])


def test_a_filter_on_metadata_gives_what_leaving_out_gives(index):
    scope = index.scope(where=["hot=true"], balance=Balance.OFF)
    for query in QUERIES:
        hits = index.rank(query, 10, scope).hits
        expected = [one for one in ids(index, query, 100) if one.endswith("fire")]
        assert [hit.doc_id for hit in hits] == expected


def test_equal_scores_stand_in_the_order_of_their_ids(index, settings, tmp_path):
    names = ["b", "a10", "a9", "é", "Z"]
    documents = [Document(doc_id, "fire fire", language="en") for doc_id in names]
    with other_index(index, settings, tmp_path, documents) as other:
        other.add(documents[:2])
        assert ids(other, Query("q", "fire", "en")) == sorted(names)
        assert ids(other, Query("q", "fire", "en"), 2) == sorted(names)[:2]


def test_the_order_of_the_documents_does_not_matter(index, settings, tmp_path):
    with other_index(index, settings, tmp_path, DOCUMENTS[::-1]) as backwards:
        for query in QUERIES:
            expected = ranked(index, query)
            found = ranked(backwards, query)
            assert [doc_id for doc_id, _ in found] == [doc_id for doc_id, _ in expected]
            assert dict(found) == pytest.approx(dict(expected), rel=1e-6)


def test_changes_are_searched_at_once(index, settings, tmp_path):
    query = Query("q", "bread", "en")
    with other_index(index, settings, tmp_path, DOCUMENTS) as changing:
        before = ranked(changing, query)
        changing.add([Document("new", "bread bread", language="en")])
        assert ids(changing, query, 1, ["en"]) == ["new"]
        changing.delete(["new"])
        assert ranked(changing, query) == before


def test_an_index_that_is_opened_again_answers_alike(index):
    with dragoman.open(index.folder) as again:
        for query in QUERIES:
            assert ranked(again, query) == ranked(index, query)
        assert again.manifest == index.manifest
        assert again.system.settings == json.loads(json.dumps(index.system.settings))
        assert again.system.spaces == index.system.spaces


def test_the_treatment_of_a_language_is_the_same_in_every_process(index, settings):
    kind = system(index.manifest.system)
    another = kind.create(kind.configure(settings(kind.name)))
    for language in ("en", "sw", "de", "yo", ""):
        assert another.treatment(language) == index.system.treatment(language)


def test_a_system_is_registered_under_its_name_and_knows_its_languages(index):
    assert index.system.name == index.manifest.system
    assert {*AXES} <= {*index.system.languages}
    assert index.system.warnings(AXES) == []


def same_vector(one, other):
    if isinstance(one, Counts):
        return one.length == other.length and all(
            map(np.array_equal, (one.dimensions, one.counts), (other.dimensions, other.counts))
        )
    if isinstance(one, Bag):
        arrays = (one.counts, one.points), (other.counts, other.points)
        return [*one.keys] == [*other.keys] and all(map(np.array_equal, *arrays))
    return np.array_equal(one, other)


def test_encoding_does_not_depend_on_the_batch(index):
    together = index.system.encode(DOCUMENTS)
    assert len(together) == len(DOCUMENTS)
    for document, expected in zip(DOCUMENTS, together, strict=True):
        (alone,) = index.system.encode([document])
        assert alone.keys() == expected.keys() <= {space.name for space in index.system.spaces}
        for space in index.system.spaces:
            if space.name in alone:
                assert same_vector(alone[space.name], expected[space.name])
            if space.name in alone and space.kind is SpaceKind.ROWS:
                assert np.atleast_2d(alone[space.name]).shape[1] == space.size


def test_a_score_is_that_of_a_search(index):
    with index.snapshot() as snapshot:
        for query in QUERIES:
            scores = index.system.score(snapshot, query, DOCUMENTS)
            if index.manifest.system in OWN_FUSION:
                assert np.isfinite(scores).all()
                continue
            by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
            hits = dict(ranked(index, query, 100))
            expected = {doc_id: by_id.pop(doc_id) for doc_id in hits}
            assert hits == pytest.approx(expected, rel=2e-3, abs=2e-3)
            assert all(np.isnan(left) or left <= min(hits.values()) for left in by_id.values())


def test_an_explanation_shares_out_at_most_the_whole_score(index):
    for query in QUERIES:
        for doc_id in ids(index, query, 3):
            why = index.explain(query.text, doc_id, language=query.language)
            shares = [link.share for link in why.links]
            assert why.doc_id == doc_id
            assert sum(shares) <= 1 + 1e-6
            assert shares == sorted(shares, reverse=True)
            assert {link.query_word for link in why.links} <= {*query.text.split()}


def test_an_explanation_names_the_words_that_met(index):
    links = index.explain("fire", "en-fire", language="en").links
    assert {(link.query_word, link.document_word) for link in links} == {("fire", "fire")}


def test_an_explanation_of_a_query_without_a_known_word_has_no_links(index):
    assert index.explain("qqqqqq", "en-fire", language="en").links == ()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_misspelt_setting_is_refused(name):
    with pytest.raises(UnknownName, match="nonsense"):
        system(name).configure({"nonsense": 1})


def test_a_second_stage_without_an_index_scores_texts_alone(settings):
    kind = system("interactive")
    made = kind.create(kind.configure(settings(kind.name)))
    scores = made.score(None, Query("q", "fire", "en"), DOCUMENTS)
    alone = [made.score(None, Query("q", "fire", "en"), [one])[0] for one in DOCUMENTS]
    assert scores == pytest.approx(alone, abs=1e-6, nan_ok=True)
    assert (made.spaces, made.reads_texts_alone) == ((), True)
