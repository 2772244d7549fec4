"""A store with a mirror answers like the engine alone, whatever has changed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import loops, mirror, reflection
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.gathering import arrays_of
from dragoman.indexes.mirror import Listed, Mirror
from dragoman.indexes.reading import ShardReader
from dragoman.indexes.spaces import Record, Space, SpaceKind, Sparse
from dragoman.types import Document
from stored import SPACES, of_rows, record

NAMES = [space.name for space in SPACES]
LANGUAGES = ("de", "fr", "sw")
FILTERS = [None, Filter(), Filter(("de",)), Filter(("sw", "fr")), Filter(("el",))]


def versioned(number, version):
    """Document ``d<number>`` as it is after so many changes; some versions are equal texts."""
    made = record(100 * (number % 7) + version % 5, LANGUAGES[(number + version) % 3])
    document = Document(f"d{number:02}", "", language=made.document.language)
    return Record(document, made.vectors)


def questions(seed):
    rng = np.random.default_rng(seed)
    dimensions = np.unique(rng.integers(0, 32, 5)).astype(np.uint32)
    words = Sparse(dimensions, rng.random(len(dimensions)) + 0.01)
    return words, rng.standard_normal(4).astype(np.float32)


def same_hits(mine, engines):
    assert [hit.score for hit in mine] == pytest.approx(
        [hit.score for hit in engines], rel=1e-5, abs=1e-6
    )
    # scores that differ by rounding alone may stand in either order
    rounded = [{hit.doc_id: round(hit.score, 4) for hit in hits} for hits in (mine, engines)]
    apart = {s for s in rounded[0].values() if list(rounded[0].values()).count(s) == 1}
    chosen = [[d for d, s in each.items() if s in apart] for each in rounded]
    assert chosen[0][:-1] == chosen[1][: len(chosen[0]) - 1]


def same_answers(store, seed, k):
    """Everything that the mirror may answer, asked of the engine too."""
    words, vector = questions(seed)
    for allowed in FILTERS:
        mine = store.nearest("words", words, k, allowed)
        same_hits(mine, ShardReader.nearest(store, "words", words, k, allowed))
        seen = store.reflection(NAMES, allowed or Filter())
        languages = allowed.languages if allowed else ()
        near = seen.mirror.hits(seen.nearest("passages", vector, k, languages))
        same_hits(near, ShardReader.nearest(store, "passages", vector, k, allowed))
    asked = [f"d{n:02}" for n in range(0, 40, 3)]
    for space, query in (("words", words), ("passages", vector)):
        mine = store.scores(space, query, asked)
        engines = ShardReader.scores(store, space, query, asked)
        assert {d: s for d, s in mine.items() if s} == pytest.approx(
            {d: s for d, s in engines.items() if s}, rel=1e-5, abs=1e-6
        )
    each = seen.nearest_of_each("passages", vector, k, LANGUAGES)
    for code in LANGUAGES:
        engines = ShardReader.nearest(store, "passages", vector, k, Filter((code,)))
        same_hits(seen.mirror.hits(each[code]), engines)
    there = [mine.document for mine in store.records([])]
    assert len(seen.mirror) == len(there)
    numbers = seen.mirror.numbers_of([mine.doc_id for mine in there])
    assert seen.mirror.languages_of(numbers) == [mine.language for mine in there]


changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.integers(0, 39), min_size=1, max_size=6)),
        st.tuples(st.just("delete"), st.lists(st.integers(0, 39), min_size=1, max_size=4)),
        st.just(("open again", [])),
        st.just(("make again", [])),
    ),
    max_size=6,
)


@pytest.mark.parametrize("passing", [False, True], ids=["walks", "sketches"])
@given(changes, st.integers(0, 9), st.integers(1, 12), st.sampled_from([0.2, 2.5, 30]))
@settings(max_examples=25, deadline=None)
def test_whatever_changes_the_answers_are_the_engines(
    tmp_path_factory, passing, made, seed, k, shared_points
):
    folder = tmp_path_factory.mktemp("mirror") / "store"
    store = EdgeStore.create(folder, SPACES)
    store.add([versioned(n, 0) for n in range(30)])
    store.optimize(NAMES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "_compiled", [])
        if passing:
            loops.compile_loops()
            patch.setattr(reflection, "EXACT_BELOW", 1)
            patch.setattr(reflection, "LEAST_SKETCHED", 4)
            patch.setattr(reflection, "MORE_LIKELIEST", 200)  # all of them, so that it is exact
        patch.setattr(reflection, "SHARED_POINTS", shared_points)
        same_answers(store, seed, k)
        for version, (kind, numbers) in enumerate(made, start=1):
            if kind == "add":
                store.add([versioned(n, version) for n in dict.fromkeys(numbers)])
            elif kind == "delete":
                store.delete([f"d{n:02}" for n in numbers])
            elif kind == "open again":
                store.close()
                store = EdgeStore.open(folder)
            else:
                store.optimize(NAMES)
                assert store.is_mirrored(NAMES)
            assert store.mirror_fault == ""
            same_answers(store, seed, k)
    store.close()


def test_equal_scores_are_ordered_by_id_in_all_languages_and_among_recent_ones(store):
    same = Sparse(np.array([7], dtype=np.uint32), np.array([1.0]))
    vectors = {"words": same, "passages": np.ones((2, 4), np.float32)}

    def equal(numbers):
        return [
            Record(Document(f"d{n:02}", "", language=LANGUAGES[n % 3]), vectors) for n in numbers
        ]

    store.add(equal(range(0, 40, 2)))
    store.optimize(NAMES)
    store.add(equal(range(1, 40, 2)))
    seen = store.reflection(NAMES, Filter())
    for k in (1, 7, 40):
        expected = [f"d{n:02}" for n in range(k)]
        assert [hit.doc_id for hit in store.nearest("words", same, k)] == expected
        near = seen.nearest("passages", np.ones(4, np.float32), k)
        assert [seen.mirror.name(number) for number in near.numbers.tolist()] == expected


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 32))
def test_the_best_come_in_order_with_equal_ones_by_id(scores, k):
    arrays = arrays_of([Record(Document(f"d{n:02}", ""), {}) for n in range(len(scores))], [])
    numbers = np.random.default_rng(len(scores)).permutation(len(scores))
    listed = Listed(numbers, np.array([float(scores[n]) for n in numbers.tolist()]))
    found = Mirror.of(arrays).ordered(listed, k)
    assert found.numbers.tolist() == sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:k]


@pytest.fixture
def passing(monkeypatch):
    monkeypatch.setattr(loops, "_compiled", [])
    loops.compile_loops()
    monkeypatch.setattr(reflection, "EXACT_BELOW", 1)
    monkeypatch.setattr(reflection, "LEAST_SKETCHED", 4)


@pytest.mark.usefixtures("passing")
def test_more_sketches_are_looked_at_when_few_documents_own_the_likeliest(store, monkeypatch):
    monkeypatch.setattr(reflection, "LIKELIEST", 1)
    monkeypatch.setattr(reflection, "MORE_LIKELIEST", 0)
    near, far = [1.0, 0.5, 0.2, 0.1], [-1.0, 0.3, 0.1, 0.0]
    store.add([of_rows("many", [near] * 30), *(of_rows(f"d{n}", [far]) for n in range(5))])
    store.optimize(NAMES)
    seen = store.reflection(["passages"], Filter())
    found = seen.nearest("passages", np.array(near, dtype=np.float32), 4)
    names = [seen.mirror.name(number) for number in found.numbers.tolist()]
    assert names == ["many", "d0", "d1", "d2"]


@pytest.mark.usefixtures("passing")
def test_sketches_find_nearly_all_of_the_nearest(store_of_wide_vectors):
    store, vectors = store_of_wide_vectors
    seen = store.reflection(["wide"], Filter())
    rng = np.random.default_rng(5)
    shares = []
    for row in range(0, 1500, 30):
        asked = vectors[row] + 0.05 * rng.standard_normal(vectors.shape[1])
        exact = np.argsort(-(vectors @ asked))[:10]
        found = seen.nearest("wide", asked.astype(np.float32), 10)
        names = {seen.mirror.name(number) for number in found.numbers.tolist()}
        shares.append(len(names & {f"d{n}" for n in exact}) / 10)
    assert np.mean(shares) >= 0.98


@pytest.fixture
def store_of_wide_vectors(tmp_path):
    """Texts of a hundred subjects; as sentence vectors do, they spread over all dimensions."""
    rng = np.random.default_rng(4)
    subjects = 0.3 * rng.standard_normal(256) + rng.standard_normal((100, 256))
    vectors = subjects.repeat(15, axis=0) + 0.8 * rng.standard_normal((1500, 256))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = EdgeStore.create(tmp_path / "wide", (Space("wide", SpaceKind.PASSAGES, 256),))
    store.add(
        [
            Record(Document(f"d{n}", ""), {"wide": vector[None].astype(np.float32)})
            for n, vector in enumerate(vectors)
        ]
    )
    store.optimize(["wide"])
    yield store, vectors
    store.close()


def test_conditions_on_metadata_are_left_to_the_engine(store):
    store.add([record(n, year=2000 + n) for n in range(20)])
    store.optimize(NAMES)
    words, _ = questions(1)
    late = parse_filter(None, ["year>=2010"])
    assert store.reflection(NAMES, late) is None
    found = {hit.doc_id for hit in store.nearest("words", words, 20, late)}
    assert found
    assert found <= {f"d{n}" for n in range(10, 20)}


def test_when_too_much_has_changed_the_engine_answers(store, monkeypatch):
    monkeypatch.setattr(mirror, "MOST_RECENT", 3)
    store.add([record(n) for n in range(30)])
    store.optimize(NAMES)
    store.add([record(n) for n in range(40, 43)])
    assert store.mirror_fault == ""
    store.add([record(43)])
    assert store.mirror_fault == "too much has changed since it was made"
    words, _ = questions(1)
    assert store.nearest("words", words, 50) == ShardReader.nearest(store, "words", words, 50)
    store.optimize(NAMES)
    assert store.mirror_fault == ""
    assert len(store.reflection(NAMES, Filter()).mirror) == 34
