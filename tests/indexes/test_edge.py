"""The embedded store against plain arrays and dictionaries."""

import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import IndexFault
from dragoman.indexes import edge, optimizing
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import parse_filter
from dragoman.indexes.ids import KnownIds
from dragoman.indexes.shards import current
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse
from dragoman.types import Document

SPACES = (Space("words", SpaceKind.SPARSE), Space("passages", SpaceKind.PASSAGES, 4))


def record(number: int, language: str = "de", **metadata: object) -> Record:
    rng = np.random.default_rng(number)
    dimensions = np.unique(rng.integers(0, 30, 6)).astype(np.uint32)
    return Record(
        Document(f"d{number}", f"Text {number} é", f"Titel {number}", language, metadata),
        {
            "words": Sparse(dimensions, rng.random(len(dimensions)).astype(np.float32)),
            "passages": rng.standard_normal((1 + number % 3, 4)).astype(np.float32),
        },
    )


@pytest.fixture
def store(tmp_path):
    opened = EdgeStore.create(tmp_path / "store", SPACES)
    yield opened
    opened.close()


def dense_score(query, mine: Record) -> float:
    return float((mine.vectors["passages"].astype(np.float16) @ query).max())


def sparse_score(query: Sparse, mine: Record) -> float:
    weights = dict(zip(query.dimensions.tolist(), query.weights.tolist(), strict=True))
    vector = mine.vectors["words"]
    pairs = zip(vector.dimensions.tolist(), vector.weights.tolist(), strict=True)
    return sum(weights.get(d, 0.0) * w for d, w in pairs)


def test_the_best_passage_decides_as_in_plain_arrays(store):
    records = [record(n) for n in range(60)]
    store.add(records)
    query = np.array([0.3, -1.0, 0.2, 0.5], dtype=np.float32)
    best = sorted(records, key=lambda r: -dense_score(query, r))[:10]
    hits = store.nearest("passages", query, 10)
    assert [hit.doc_id for hit in hits] == [r.document.doc_id for r in best]
    assert [h.score for h in hits] == pytest.approx([dense_score(query, r) for r in best], abs=2e-3)


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


def test_documents_come_back_as_they_went_in(store):
    metadata = {"year": 2020, "tags": ["a", "b"], "draft": True, "price": 1.5, "of": {"x": None}}
    mine = record(1, "sw", **metadata)
    store.add([mine])
    assert store.documents(["d1", "missing"]) == [mine.document, None]
    assert store.languages() == {"sw": 1}
    (found,) = store.records(["words", "passages"])
    assert found.document == mine.document
    assert np.allclose(found.vectors["passages"], mine.vectors["passages"], atol=2e-3)
    assert found.vectors["words"].dimensions.tolist() == mine.vectors["words"].dimensions.tolist()


def test_adding_again_replaces_and_deleting_removes(store):
    store.add([record(1, "de"), record(2, "de")])
    store.add([Record(Document("d1", "neu", language="fr"), record(1).vectors)])
    assert store.count() == 2
    assert store.languages() == {"de": 1, "fr": 1}
    store.delete(["d1", "never there"])
    assert store.count() == 1
    assert [hit.doc_id for hit in store.nearest("passages", np.ones(4, np.float32), 5)] == ["d2"]


def test_every_page_of_a_large_store_is_read_once(store):
    store.add([record(n) for n in range(2_500)])
    assert sorted(r.document.doc_id for r in store.records(["words"])) == sorted(
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
def test_filters_are_those_of_plain_python(store, conditions, languages, kept):
    store.add(
        [
            record(
                n,
                ["de", "fr"][n % 2],
                year=2000 + n,
                draft=bool(n % 2),
                tags=["a", "b"] if n % 3 == 0 else ["a"],
                price=n / 2,
                author="Anna B." if n == 4 else "Ben",
            )
            for n in range(40)
        ]
    )
    hits = store.nearest(
        "passages", np.ones(4, np.float32), 100, parse_filter(languages, conditions)
    )
    assert {hit.doc_id for hit in hits} == {f"d{n}" for n in kept}


def test_scores_of_named_documents_are_those_of_the_search(store):
    store.add([record(n) for n in range(30)])
    query = np.ones(4, np.float32)
    hits = {hit.doc_id: hit.score for hit in store.nearest("passages", query, 30)}
    assert store.scores("passages", query, ["d3", "d7", "nowhere"]) == {
        "d3": hits["d3"],
        "d7": hits["d7"],
    }


def test_a_second_process_is_told_who_has_the_store_open(store):
    code = (
        "import sys; from pathlib import Path; from dragoman.indexes import edge;"
        "edge.PATIENCE = 0; edge.EdgeStore.open(Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(store.folder)], capture_output=True, text=True, check=False
    )
    assert "in use by process" in done.stderr


def test_a_damaged_store_is_refused_with_the_remedy(tmp_path):
    folder = tmp_path / "store"
    made = EdgeStore.create(folder, SPACES)
    made.add([record(n) for n in range(50)])
    made.close()
    for path in folder.rglob("*.json"):
        path.write_text("{ not json")
    with pytest.raises(IndexFault, match=r"damaged.*build the index again"):
        EdgeStore.open(folder)
    with pytest.raises(IndexFault, match="found no store"):
        EdgeStore.open(tmp_path / "elsewhere")


def test_documents_are_named_even_where_their_ids_are_forgotten(store):
    store.add([record(n) for n in range(30)])
    query = np.ones(4, np.float32)
    before = store.nearest("passages", query, 10)
    store._ids = KnownIds.empty()  # as after a process that was killed
    assert store.nearest("passages", query, 10) == before


def test_matching_documents_are_all_named(store):
    store.add([record(n, ["de", "fr"][n % 2]) for n in range(2_500)])
    found = store.matching(parse_filter(["fr"]))
    assert sorted(found) == sorted(f"d{n}" for n in range(1, 2_500, 2))


@pytest.fixture
def large(store, monkeypatch):
    """A store that counts as a large one, so that it is optimised in another process."""
    monkeypatch.setattr(edge, "EXACT_BELOW", 100)
    store.add([record(n) for n in range(300)])
    return store


def all_of(store):
    return sorted(store.records(["words", "passages"]), key=lambda mine: mine.document.doc_id)


def same(mine: Record, other: Record) -> bool:
    words = [each.vectors["words"] for each in (mine, other)]
    return (
        mine.document == other.document
        and np.array_equal(mine.vectors["passages"], other.vectors["passages"])
        and dict(zip(words[0].dimensions, words[0].weights, strict=True))
        == dict(zip(words[1].dimensions, words[1].weights, strict=True))
    )


def test_an_optimised_store_holds_what_it_held(large):
    before = all_of(large)
    large.optimize()
    after = all_of(large)
    assert len(after) == len(before) == 300
    assert all(map(same, before, after))
    assert [path.name for path in large.folder.glob("shard*")] == [current(large.folder).name]


def test_a_store_closed_optimised_holds_what_it_held(tmp_path, monkeypatch):
    for name, exact_below in {"small": 20_000, "large": 100}.items():
        monkeypatch.setattr(edge, "EXACT_BELOW", exact_below)
        made = EdgeStore.create(tmp_path / name, SPACES)
        made.add([record(n) for n in range(300)])
        before = all_of(made)
        made.close_optimized()
        again = EdgeStore.open(tmp_path / name)
        assert all(map(same, before, all_of(again)))
        again.close()


def test_changes_during_an_optimisation_are_in_the_optimised_store(large, monkeypatch):
    finish = optimizing.finish

    def meanwhile(shard, process):
        large.add([record(1, "sw"), record(1_000)])
        large.delete(["d2"])
        assert large.count() == 300
        finish(shard, process)

    monkeypatch.setattr(optimizing, "finish", meanwhile)
    large.optimize()
    assert large.languages() == {"de": 299, "sw": 1}
    assert large.documents(["d1", "d2", "d1000"]) == [
        record(1, "sw").document,
        None,
        record(1_000).document,
    ]
    query = np.ones(4, np.float32)
    assert "d2" not in [hit.doc_id for hit in large.nearest("passages", query, 300)]


def test_searches_go_on_during_an_optimisation(large, monkeypatch):
    answered = []

    def asked(shard, process):
        process.send_signal(signal.SIGSTOP)  # however long it takes
        query = np.ones(4, np.float32)
        answered.append(large.nearest("passages", query, 1)[0].doc_id)
        process.send_signal(signal.SIGCONT)
        finish(shard, process)

    finish = optimizing.finish
    monkeypatch.setattr(optimizing, "finish", asked)
    large.optimize()
    assert len(answered) == 1


def test_an_optimisation_that_fails_leaves_the_store_as_it_was(large, monkeypatch):
    finish = optimizing.finish

    def killed(shard, process):
        process.kill()
        finish(shard, process)

    monkeypatch.setattr(optimizing, "finish", killed)
    with pytest.raises(IndexFault, match=r"could not be optimised.*optimise again"):
        large.optimize()
    assert large.count() == 300
    assert [path.name for path in large.folder.glob("shard*")] == ["shard"]


def test_left_overs_of_a_killed_process_are_removed(tmp_path):
    folder = tmp_path / "store"
    made = EdgeStore.create(folder, SPACES)
    made.add([record(1)])
    made.close()
    (folder / "shard-dead").mkdir()
    opened = EdgeStore.open(folder)
    assert opened.count() == 1
    assert not (folder / "shard-dead").exists()
    opened.close()
