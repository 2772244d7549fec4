"""What a store answers, against plain arrays and dictionaries."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import edge, points, reading
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import parse_filter
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.ids import KnownIds
from dragoman.indexes.shards import current
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse
from dragoman.types import Document
from stored import SPACES, dense_score, of_rows, record, sparse_score

ONES = np.ones(4, np.float32)


def test_the_best_passage_decides_as_in_plain_arrays(store):
    records = [record(n) for n in range(60)]
    store.add(records)
    query = np.array([0.3, -1.0, 0.2, 0.5], dtype=np.float32)
    best = sorted(records, key=lambda r: -dense_score(query, r))[:10]
    hits = store.nearest("passages", query, 10)
    assert [hit.doc_id for hit in hits] == [r.document.doc_id for r in best]
    assert [h.score for h in hits] == pytest.approx([dense_score(query, r) for r in best], abs=2e-3)


def test_many_near_passages_of_one_document_leave_room_for_others(store):
    crowd = [[10.0 - n / 100, 0, 0, 0] for n in range(200)]
    store.add([of_rows("crowd", crowd), *(of_rows(f"d{n}", [[n, 0, 0, 0]]) for n in range(5))])
    hits = store.nearest("passages", np.array([1, 0, 0, 0], np.float32), 3)
    assert [(hit.doc_id, hit.score) for hit in hits] == [("crowd", 10.0), ("d4", 4.0), ("d3", 3.0)]


def test_sparse_scores_are_inner_products(store):
    records = [record(n) for n in range(60)]
    store.add(records)
    query = Sparse(np.array([1, 5, 9, 12], dtype=np.uint32), np.array([1.0, 0.5, 2.0, 0.1]))
    expected = {r.document.doc_id: sparse_score(query, r) for r in records}
    hits = store.nearest("words", query, 100)
    assert {hit.doc_id: hit.score for hit in hits} == pytest.approx(
        {doc_id: score for doc_id, score in expected.items() if score > 0}, rel=1e-5
    )


@given(k=st.integers(1, 30), ties=st.integers(1, 60))
@settings(max_examples=15, deadline=None)
def test_equal_scores_are_ordered_by_id_wherever_the_cut_falls(tmp_path_factory, k, ties):
    store = EdgeStore.create(tmp_path_factory.mktemp("ties") / "store", SPACES[:1])
    same = Sparse(np.array([7], dtype=np.uint32), np.array([1.0]))
    store.add([Record(Document(f"d{n}", ""), {"words": same}) for n in range(ties)])
    hits = store.nearest("words", same, k)
    store.close()
    assert [hit.doc_id for hit in hits] == sorted(f"d{n}" for n in range(ties))[:k]


def test_equal_passages_of_many_documents_are_ordered_by_id(store):
    store.add([of_rows(f"d{n:02}", [[1, 0, 0, 0]] * (1 + n % 4)) for n in range(50)])
    for k in (1, 7, 30):
        hits = store.nearest("passages", ONES, k)
        assert [hit.doc_id for hit in hits] == [f"d{n:02}" for n in range(k)]


def test_documents_come_back_as_they_went_in(store):
    metadata = {"year": 2020, "tags": ["a", "b"], "draft": True, "price": 1.5, "of": {"x": None}}
    mine = record(1, "sw", rows=5, **metadata)
    store.add([mine])
    assert store.documents(["d1", "missing"]) == [mine.document, None]
    assert store.languages_of(["d1", "missing"]) == {"d1": "sw"}
    assert store.lengths("passages", ["d1", "missing"]) == {"d1": 5}
    assert store.lengths("words", ["d1"]) == {}
    for (found,) in (list(store.records(["words", "passages"])), store.find(["d1", "missing"])):
        assert found.document == mine.document
        assert found.vectors["passages"].shape == (5, 4)
        assert np.allclose(found.vectors["passages"], mine.vectors["passages"], atol=2e-3)
        words = found.vectors["words"]
        assert words.dimensions.tolist() == mine.vectors["words"].dimensions.tolist()
    (found,) = store.find(["d1"], ["words"])
    assert found.vectors.keys() == {"words"}


def test_spaces_may_have_different_numbers_of_rows_and_single_vectors(tmp_path):
    spaces = [Space(name, SpaceKind.PASSAGES, 2) for name in ("short", "long")]
    store = EdgeStore.create(tmp_path / "store", [*spaces, Space("one", SpaceKind.DENSE, 2)])
    vectors = {
        "short": np.array([[1, 0], [2, 0]], np.float32),
        "long": np.array([[n, 1] for n in range(5)], np.float32),
        "one": np.array([3, 4], np.float32),
    }
    store.add([Record(Document("d", "text"), vectors), Record(Document("empty", ""), {})])
    (found,) = (mine for mine in store.find(["d"]))
    for name, vector in vectors.items():
        assert np.array_equal(found.vectors[name], vector)
        assert np.array_equal(store.find(["d"], [name])[0].vectors[name], vector)
    asked = np.array([1, 1], np.float32)
    assert store.scores("long", asked, ["d", "empty"]) == {"d": 5.0}
    assert store.scores("short", asked, ["d", "empty"]) == {"d": 2.0}
    assert [hit.score for hit in store.nearest("one", asked, 5)] == [7.0]
    assert store.count() == 2
    store.close()


def test_every_page_of_a_large_store_is_read_once(store):
    store.add([record(n) for n in range(2_500)])
    assert sorted(r.document.doc_id for r in store.records(["passages"])) == sorted(
        f"d{n}" for n in range(2_500)
    )


@pytest.mark.parametrize(
    ("conditions", "languages", "kept"),
    [
        (["year>=2015"], None, {n for n in range(40) if 2000 + n >= 2015}),
        (["year<2003", "year!=2001"], None, {0, 2}),
        (["year=2007|2009"], None, {7, 9}),
        (["draft=true"], None, {n for n in range(40) if n % 2}),
        (["draft=true"], ["de"], set()),
        ([], ["fr"], {n for n in range(40) if n % 2}),
        (["tags=b"], ["de"], {n for n in range(0, 40, 2) if n % 3 == 0}),
        (["price=0.5"], None, {1}),
        (["author=Anna B."], None, {4}),
        (["nowhere=1"], None, set()),
    ],
)
def test_filters_are_those_of_plain_python_whichever_passage_is_best(
    store, conditions, languages, kept
):
    rows = np.array([[0, 0, 0, 0.1], [0, 0, 0, 2], [0, 0, 0, 1]], np.float32)
    store.add(
        [
            Record(
                Document(
                    f"d{n}",
                    f"Text {n}",
                    language=["de", "fr"][n % 2],
                    metadata={
                        "year": 2000 + n,
                        "draft": bool(n % 2),
                        "tags": ["a", "b"] if n % 3 == 0 else ["a"],
                        "price": n / 2,
                        "author": "Anna B." if n == 4 else "Ben",
                    },
                ),
                {"passages": rows},
            )
            for n in range(40)
        ]
    )
    allowed = parse_filter(languages, conditions)
    hits = store.nearest("passages", ONES, 100, allowed)
    assert {hit.doc_id: hit.score for hit in hits} == {f"d{n}": 2.0 for n in kept}
    assert sorted(store.matching(allowed)) == sorted(f"d{n}" for n in kept)


def test_scores_of_named_documents_are_those_of_the_search(store):
    store.add([*(record(n) for n in range(30)), record(99, rows=300)])
    hits = {hit.doc_id: hit.score for hit in store.nearest("passages", ONES, 31)}
    asked = ["d3", "d7", "d99", "nowhere"]
    assert store.scores("passages", ONES, asked) == {each: hits[each] for each in asked[:3]}
    assert store.scores("passages", ONES, []) == {}


def test_documents_are_named_even_where_their_ids_are_forgotten(store):
    store.add([record(n) for n in range(30)])
    before = store.nearest("passages", ONES, 10)
    store._ids = KnownIds.empty()  # as after a process that was killed
    assert store.nearest("passages", ONES, 10) == before
    store._ids = KnownIds.empty()
    assert store.scores("passages", ONES, ["d2"]).keys() == {"d2"}


def test_matching_documents_are_all_named(store):
    store.add([record(n, ["de", "fr"][n % 2]) for n in range(2_500)])
    found = store.matching(parse_filter(["fr"]))
    assert sorted(found) == sorted(f"d{n}" for n in range(1, 2_500, 2))
    assert len(store.matching(parse_filter(None))) == 2_500


def test_documents_are_counted_not_passages(store):
    store.add([record(1, "de", rows=7), record(2, "de"), record(3, "fr", rows=2), record(4, "")])
    assert store.count() == 4
    assert store.languages() == {"": 1, "de": 2, "fr": 1}
    store._known_size = None  # counted by the engine instead of kept
    assert store.count() == 4


def clustered(rng, count, size):
    """Unit vectors around a hundred centres, which a graph finds harder than noise."""
    centres = rng.standard_normal((100, size))
    found = centres[rng.integers(0, 100, count)] + 0.5 * rng.standard_normal((count, size))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def links_of(store):
    """How many neighbours a point has in the graphs of the store's segments."""
    settings = current(store.folder).glob("segments/*/vector_index-passages/hnsw_config.json")
    return [json.loads(path.read_text())["m"] for path in settings]


@pytest.mark.parametrize("made", ["small build", "large build", "optimised"])
def test_engines_find_nearly_all_that_an_exact_search_finds(tmp_path, monkeypatch, made):
    for module in (points, reading):
        monkeypatch.setattr(module, "EXACT_BELOW", 1_000)
    if made == "large build":
        monkeypatch.setattr(edge, "GRAPH_ABOVE", 8_000)
    rng = np.random.default_rng(5)
    store = EdgeStore.create(tmp_path / "store", [Space("passages", SpaceKind.PASSAGES, 32)])
    rows = np.split(clustered(rng, 9_000, 32), 3_000)
    languages = ["de", "fr"]
    store.add(
        [
            Record(Document(f"d{n}", "", language=languages[n % 2]), {"passages": mine})
            for n, mine in enumerate(rows)
        ]
    )
    store.close_optimized(Gathering((), store.folder))
    store = EdgeStore.open(tmp_path / "store")
    if made == "optimised":
        store.optimize()
    assert store._shard.info().indexed_vectors_count >= 9_000
    assert links_of(store) == [0 if made == "small build" else points.LINKS]
    for allowed in (None, parse_filter(["fr"])):
        found = exact = 0
        for query in clustered(rng, 50, 32):
            by_engine = {hit.doc_id for hit in store.nearest("passages", query, 10, allowed)}
            monkeypatch.setattr(reading, "EXACT_BELOW", 10_000)
            by_all = {hit.doc_id for hit in store.nearest("passages", query, 10, allowed)}
            monkeypatch.setattr(reading, "EXACT_BELOW", 1_000)
            found, exact = found + len(by_engine & by_all), exact + len(by_all)
        assert exact == 500
        assert found / exact >= 0.98
    store.close()


CHANGES = st.lists(
    st.one_of(
        st.tuples(
            st.just("add"),
            st.lists(
                st.tuples(st.integers(0, 7), st.integers(0, 4), st.sampled_from(["de", "fr"])),
                max_size=4,
            ),
        ),
        st.tuples(st.just("delete"), st.lists(st.integers(0, 9), max_size=3)),
        st.tuples(st.just("reopen"), st.none()),
        st.tuples(st.just("optimize"), st.none()),
    ),
    max_size=8,
)


@given(changes=CHANGES, seed=st.integers(0, 1_000))
@settings(max_examples=25, deadline=None)
def test_after_any_changes_a_store_answers_as_a_dictionary_does(tmp_path_factory, changes, seed):
    folder = tmp_path_factory.mktemp("model") / "store"
    store, model = EdgeStore.create(folder, SPACES), {}
    rng = np.random.default_rng(seed)
    for change, about in changes:
        if change == "add":
            records = [
                of_rows(f"d{n}", rng.integers(-4, 5, (rows, 4)).tolist(), code, long=rows)
                for n, rows, code in about
            ]
            store.add(records)
            model.update((mine.document.doc_id, mine) for mine in records)
        elif change == "delete":
            store.delete([f"d{n}" for n in about])
            for n in about:
                model.pop(f"d{n}", None)
        elif change == "optimize":
            store.optimize()
        else:
            store.close()
            store = EdgeStore.open(folder)
        assert_answers_as(store, model, rng)
    store.close()


def assert_answers_as(store, model, rng):
    """Small whole numbers are exact in half precision, so scores have to be equal."""
    query = rng.integers(-4, 5, 4).astype(np.float32)
    languages = [mine.document.language for mine in model.values()]
    assert store.languages() == {code: languages.count(code) for code in sorted({*languages})}
    assert store.count() == len(model)
    found = {mine.document.doc_id: mine for mine in store.records(["passages"])}
    assert found.keys() == model.keys()
    for doc_id, mine in model.items():
        assert found[doc_id].document == mine.document
        rows = found[doc_id].vectors.get("passages", np.zeros((0, 4)))
        assert np.array_equal(rows, mine.vectors["passages"].reshape(-1, 4))
    scores = {i: dense_score(query, m) for i, m in model.items() if len(m.vectors["passages"])}
    assert store.scores("passages", query, [*model, "nowhere"]) == scores
    for allowed, k in ((None, 3), (parse_filter(["fr"], ["long>=2"]), 2)):
        passing = {
            i: score for i, score in scores.items() if allowed is None or passes(model[i].document)
        }
        best = sorted(passing, key=lambda i: (-passing[i], i))[:k]
        hits = store.nearest("passages", query, k, allowed)
        assert [(hit.doc_id, hit.score) for hit in hits] == [(i, passing[i]) for i in best]


def passes(document):
    return document.language == "fr" and document.metadata["long"] >= 2
