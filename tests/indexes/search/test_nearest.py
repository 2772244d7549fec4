"""The nearest documents by their best rows: those of a full comparison, or nearly where coded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import kernels
from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.kernels import compiled, numpy_forms
from dragoman.indexes.search import quantization
from dragoman.indexes.search.nearest import (
    nearest,
    nearest_of_many,
    row_scores,
    rows_of,
)
from dragoman.indexes.spaces import Record, Space, SpaceKind
from dragoman.indexes.store import Store
from dragoman.types import Document
from stored import of_rows, snapshot_of

ONE = np.array([1, 0, 0, 0], np.float32)


def hits(snapshot, scored):
    return [(hit.doc_id, hit.score) for hit in snapshot.hits(scored)]


def test_a_document_counts_by_its_best_row_and_ties_stand_by_id():
    batches = [
        [of_rows("b", [[1, 0, 0, 0], [3, 0, 0, 0]]), of_rows("c", [[2, 0, 0, 0]])],
        [of_rows("a", [[3, 1, 0, 0]]), of_rows("mute", []), of_rows("d", [[-1, 0, 0, 0]], "en")],
    ]
    with snapshot_of(batches) as snapshot:
        everything = snapshot.select(Filter())
        expected = [("a", 3.0), ("b", 3.0), ("c", 2.0), ("d", -1.0)]
        for k in range(1, 6):
            scored = nearest(snapshot, "passages", ONE, k, everything)
            assert hits(snapshot, scored) == expected[:k]
        german = nearest(snapshot, "passages", ONE, 9, snapshot.select(Filter(("de",))))
        assert hits(snapshot, german) == expected[:3]


def test_rows_of_documents_are_scored_counted_and_read():
    rows = [[1, 0, 0, 0], [3, 0, 0, 0.5]]
    batches = [[of_rows("b", rows), of_rows("mute", [])], [of_rows("a", [[2, 0, 0, 0]])]]
    with snapshot_of(batches) as snapshot:
        numbers = snapshot.numbers_of(["a", "mute", "b", "b"])
        scores = row_scores(snapshot, "passages", ONE, numbers)
        assert scores.best.tolist() == pytest.approx([2, np.nan, 3, 3], nan_ok=True)
        mean = 4 / np.hypot(4, 0.5)  # of the rows, scaled to length one
        assert scores.mean.tolist() == pytest.approx([1, np.nan, mean, mean], nan_ok=True)
        assert scores.counts.tolist() == [1, 0, 2, 2]
        assert rows_of(snapshot, "passages", int(numbers[2])).tolist() == rows
        assert rows_of(snapshot, "passages", int(numbers[1])).tolist() == []
        none = np.zeros(0, np.int64)
        assert [one.tolist() for one in row_scores(snapshot, "passages", ONE, none)] == [[]] * 3


def test_an_index_without_rows_has_nothing_near():
    for batches in ([], [[of_rows("mute", [])]]):
        with snapshot_of(batches) as snapshot:
            everything = snapshot.select(Filter())
            assert hits(snapshot, nearest(snapshot, "passages", ONE, 3, everything)) == []
            assert nearest_of_many(snapshot, "passages", [], 3, everything) == []


# small whole numbers, so that products are exact and often equal
ROWS = st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), max_size=3)
DRAWN = st.lists(
    st.tuples(ROWS, st.sampled_from(["de", "en"]), st.integers(0, 2), st.booleans(), st.booleans()),
    max_size=25,
)
QUERIES = st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=3)


@pytest.mark.parametrize("form", [numpy_forms, compiled], ids=["numpy", "compiled"])
@pytest.mark.parametrize("filtered", [False, True], ids=["all", "filtered"])
@settings(max_examples=60, deadline=None)
@given(drawn=DRAWN, queries=QUERIES, k=st.integers(1, 12), language=st.sampled_from([(), ("en",)]))
def test_the_nearest_are_those_of_a_full_comparison(form, filtered, drawn, queries, k, language):
    batches = [[], [], []]
    for n, (rows, code, place, _, fits) in enumerate(drawn):
        batches[place].append(of_rows(f"d{n}", rows, code, fits=fits))
    live = {
        f"d{n}": np.array(rows)
        for n, (rows, code, _, gone, fits) in enumerate(drawn)
        if rows and not gone and (fits or not filtered) and (not language or code in language)
    }
    deleted = [f"d{n}" for n, one in enumerate(drawn) if one[3]]
    vectors = [np.array(query, np.float32) for query in queries]
    with snapshot_of(batches, deleted) as snapshot, pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "active", lambda: form)
        selection = snapshot.select(parse_filter(language, ["fits=true"] if filtered else []))
        lists = nearest_of_many(snapshot, "passages", vectors, k, selection)
        for vector, scored in zip(vectors, lists, strict=True):
            by_score = sorted((-float((rows @ vector).max()), name) for name, rows in live.items())
            expected = [(name, -negated) for negated, name in by_score[:k]]
            assert hits(snapshot, scored) == expected
            again = row_scores(snapshot, "passages", vector, scored.numbers).best
            assert again.tolist() == scored.scores.tolist()


SIZE, DOCUMENTS = 16, 1200
CODED_SPACE = (Space("rows", SpaceKind.ROWS, SIZE),)


def made(number, language, rng, rows=None):
    matrix = rng.standard_normal((1 + number % 3 if rows is None else rows, SIZE))
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    document = Document(f"{language}{number}", "", language=language, metadata={"n": number % 7})
    return Record(document, {"rows": matrix.astype(np.float32)} if len(matrix) else {})


@pytest.fixture(scope="module")
def records():
    rng = np.random.default_rng(5)
    many = [made(n, code, rng) for n in range(DOCUMENTS) for code in ("de", "en")]
    crowd = made(DOCUMENTS, "en", rng, rows=900)  # one document with many rows, all alike
    crowd.vectors["rows"][:] = crowd.vectors["rows"][0]
    return [*many, crowd, *(made(n, "sw", rng) for n in range(40)), made(1, "fr", rng, rows=0)]


@pytest.fixture(scope="module")
def coded(tmp_path_factory, records):
    """A store of a segment with codes, one without, and documents that are in no segment."""
    pytest.importorskip("faiss", reason="codes need faiss")
    store = Store.create(tmp_path_factory.mktemp("coded") / "store", CODED_SPACE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantization, "CODED", 500)
        store.add(records[::2], {}, memtable=0)
        store.add(records[1::2], {}, memtable=0)
        store.delete([one.document.doc_id for one in records[:300:3]])
        assert store.merge(everything=True)
    store.delete([one.document.doc_id for one in records[300:600:3]])
    rng = np.random.default_rng(6)
    store.add([made(n, "de", rng) for n in range(5000, 5030)], {}, memtable=0)
    store.add([made(n, "en", rng) for n in range(5030, 5040)], {})
    yield store
    store.close()


@pytest.fixture(scope="module")
def live(coded, records):
    rng = np.random.default_rng(6)
    more = [made(n, "de", rng) for n in range(5000, 5030)]
    more += [made(n, "en", rng) for n in range(5030, 5040)]
    with coded.snapshot() as snapshot:
        known = snapshot.numbers_of([one.document.doc_id for one in [*records, *more]])
    return {
        one.document.doc_id: one
        for one, number in zip([*records, *more], known.tolist(), strict=True)
        if number >= 0
    }


def brute_force(live, query, k, *, languages=(), passes=lambda number: True):
    by_score = sorted(
        (-float((one.vectors["rows"].astype(np.float16) @ query).max()), doc_id)
        for doc_id, one in live.items()
        if one.vectors
        and (not languages or one.document.language in languages)
        and passes(one.document.metadata["n"])
    )
    return [doc_id for _, doc_id in by_score[:k]]


def queries(count, seed=8):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((count, SIZE))
    return [*(matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)]


def test_languages_with_many_rows_are_coded_and_no_others(coded):
    with coded.snapshot() as snapshot:
        matrices = [reader.segment.rows("rows") for reader in snapshot.readers]
        names = [name for one in matrices for name in one.arrays.arrays if ".codes." in name]
    assert sorted(names) == ["rows.codes.de", "rows.codes.en"]


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize(
    ("languages", "conditions", "passes"),
    [
        ((), (), lambda number: True),
        (("de",), (), lambda number: True),
        (("en", "sw"), (), lambda number: True),
        ((), ("n=3",), lambda number: number == 3),
        (("de",), ("n!=3",), lambda number: number != 3),
    ],
    ids=["all", "one language", "two languages", "a filter", "language and filter"],
)
def test_coded_rows_are_found_by_nearly_all_queries(coded, live, languages, conditions, passes):
    k, vectors, correct = 10, queries(40), 0
    with coded.snapshot() as snapshot:
        selection = snapshot.select(parse_filter(languages, conditions))
        for query, scored in zip(
            vectors, nearest_of_many(snapshot, "rows", vectors, k, selection), strict=True
        ):
            expected = brute_force(live, query, k, languages=languages, passes=passes)
            mine = snapshot.doc_ids(scored.numbers)
            assert len({*mine}) == k
            for doc_id in mine:  # none that is deleted, filtered out or in another language
                document = live[doc_id].document
                assert passes(document.metadata["n"])
                assert not languages or document.language in languages
            exact = [(live[i].vectors["rows"].astype(np.float16) @ query).max() for i in mine]
            assert scored.scores.tolist() == pytest.approx(exact, abs=1e-3)
            assert scored.scores.tolist() == sorted(scored.scores.tolist(), reverse=True)
            correct += len({*expected} & {*mine})
    assert correct / (k * len(vectors)) > 0.97


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize("k", [1, 60, 400, 5000])
def test_as_many_documents_come_as_are_wanted_though_one_has_most_of_the_near_rows(coded, live, k):
    crowd = live[f"en{DOCUMENTS}"].vectors["rows"][0]
    with coded.snapshot() as snapshot:
        selection = snapshot.select(Filter(("en",)))
        scored = nearest(snapshot, "rows", crowd, k, selection)
        mine = snapshot.doc_ids(scored.numbers)
    assert mine[0] == f"en{DOCUMENTS}"
    there = sum(one.document.language == "en" for one in live.values())
    assert len({*mine}) == len(mine) == min(k, there)


def test_a_filter_that_few_documents_pass_finds_all_of_them(coded, live):
    far = -live[f"en{DOCUMENTS}"].vectors["rows"][0]
    wanted = sorted(live)[:5]
    with coded.snapshot() as snapshot:
        allowed = np.zeros(snapshot.size, np.bool_)
        allowed[snapshot.numbers_of(wanted)] = True
        everything = snapshot.select(Filter())
        selection = type(everything)(everything.spans, allowed, everything.languages)
        scored = nearest(snapshot, "rows", far, 10, selection)
        assert sorted(snapshot.doc_ids(scored.numbers)) == wanted


def test_without_faiss_rows_are_all_compared(coded, live, monkeypatch):
    monkeypatch.setattr(quantization, "is_available", lambda: False)
    with coded.snapshot() as snapshot:
        for query in queries(10):
            scored = nearest(snapshot, "rows", query, 25, snapshot.select(Filter()))
            assert snapshot.doc_ids(scored.numbers) == brute_force(live, query, 25)
