"""One state of an index: numbers, selections, the best of all by score; it does not change."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import kernels
from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.kernels import compiled, numpy_forms
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import ScoredDocuments
from dragoman.types import Hit
from stored import of_rows, record, snapshot_of

BATCHES = [
    [record(3, "en", year=2001), record(1, "de", year=2003), record(2, "en")],
    [record(4, "de", year=2001), record(5, "sw")],
    [record(6, "en", year=2001)],
]


@pytest.fixture
def snapshot():
    with snapshot_of(BATCHES, deleted=["d2", "d5"]) as made:
        yield made


def selected(snapshot, chosen):
    """The ids of the documents that a selection lets pass."""
    selection = snapshot.select(chosen)
    numbers = []
    for span in selection.spans:
        mask = selection.mask(span)
        places = np.flatnonzero(mask) if len(mask) else np.arange(span.last - span.first)
        numbers += (places + span.base).tolist()
    assert selection.size == len(numbers)
    return sorted(map(snapshot.doc_id, numbers))


def test_documents_are_numbered_segment_after_segment(snapshot):
    assert snapshot.size == 6
    assert snapshot.doc_ids(np.arange(6)) == ["d1", "d2", "d3", "d4", "d5", "d6"]
    languages = snapshot.languages_of(np.array([5, 0, 3, 2, 4]))
    assert languages == ["en", "de", "de", "en", "sw"]
    assert snapshot.reader_of(4) is snapshot.readers[1]
    owners = {
        reader.base: places.tolist()
        for reader, places in snapshot.by_reader(np.array([5, 0, 3, 2]))
    }
    assert owners == {0: [1, 3], 3: [2], 5: [0]}


def test_deleted_documents_are_not_counted_and_not_found(snapshot):
    assert snapshot.languages == {"de": 2, "en": 2}
    assert len(snapshot) == 4
    assert snapshot.numbers_of(["d6", "d5", "nowhere", "d1"]).tolist() == [5, ABSENT, ABSENT, 0]


def test_documents_come_in_the_order_of_their_numbers(snapshot):
    documents = snapshot.documents(np.array([5, 0, 3]))
    assert documents == [BATCHES[2][0].document, BATCHES[0][1].document, BATCHES[1][0].document]
    assert snapshot.documents(np.zeros(0, np.int64)) == []


@pytest.mark.parametrize(
    ("languages", "conditions", "expected"),
    [
        ([], [], ["d1", "d3", "d4", "d6"]),
        (["en"], [], ["d3", "d6"]),
        (["en", "de"], [], ["d1", "d3", "d4", "d6"]),
        (["sw"], [], []),
        (["fr"], [], []),
        ([], ["year=2001"], ["d3", "d4", "d6"]),
        (["en"], ["year=2001"], ["d3", "d6"]),
        ([], ["year=2001", "year>2001"], []),
        ([], ["year>2001"], ["d1"]),
    ],
)
def test_a_selection_has_the_live_documents_that_pass(snapshot, languages, conditions, expected):
    assert selected(snapshot, parse_filter(languages, conditions)) == expected


def test_what_is_worked_out_for_a_state_is_worked_out_once(snapshot):
    made = []
    for _ in range(2):
        assert snapshot.cached("key", lambda: made.append(1) or "value") == "value"
    assert made == [1]
    assert snapshot.select(Filter(("en",))) is snapshot.select(Filter(("en",)))


def test_equal_scores_stand_by_id_wherever_the_documents_are(snapshot):
    scored = ScoredDocuments(np.array([5, 0, 3, 2]), np.array([1.0, 1.0, 2.0, 1.0], np.float32))
    best = snapshot.sort_top_k(scored, 3)
    assert snapshot.hits(best) == [Hit("d4", 2.0), Hit("d1", 1.0), Hit("d3", 1.0)]


def test_a_state_without_documents_has_nothing():
    with snapshot_of([]) as empty:
        assert (len(empty), empty.size, dict(empty.languages)) == (0, 0, {})
        assert selected(empty, Filter()) == []
        assert selected(empty, parse_filter(["de"], ["year=1"])) == []
        assert empty.numbers_of(["d1"]).tolist() == [ABSENT]
        assert empty.languages_of(np.zeros(0, np.int64)) == []
        nothing = empty.top_k(np.zeros(0, np.float32), 3, empty.select(Filter()))
        assert empty.hits(nothing) == []


# a language, a segment, whether it is deleted, whether the filter lets it pass, the score
DRAWN = st.lists(
    st.tuples(
        st.sampled_from(["de", "en"]),
        st.integers(0, 2),
        st.booleans(),
        st.booleans(),
        st.sampled_from([0.0, 0.5, 0.75, 1.0]) | st.floats(0, 1, width=32),
    ),
    max_size=60,
)


@pytest.mark.parametrize("form", [numpy_forms, compiled], ids=["numpy", "compiled"])
@pytest.mark.parametrize("filtered", [False, True], ids=["all", "filtered"])
@settings(max_examples=60, deadline=None)
@given(drawn=DRAWN, k=st.integers(1, 12), language=st.sampled_from([(), ("de",)]))
def test_the_top_is_that_of_a_full_sort(form, filtered, drawn, k, language):
    batches = [[], [], []]
    for n, (code, place, _, fits, _) in enumerate(drawn):
        batches[place].append(of_rows(f"d{n}", [], code, fits=fits))
    deleted = {f"d{n}" for n, one in enumerate(drawn) if one[2]}
    expected = sorted(
        (-score, f"d{n}")
        for n, (code, _, gone, fits, score) in enumerate(drawn)
        if not gone and score > 0 and (fits or not filtered) and (not language or code in language)
    )[:k]
    with snapshot_of(batches, deleted) as snapshot, pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "active", lambda: form)
        ids = snapshot.doc_ids(np.arange(snapshot.size))
        scores = np.array([drawn[int(i[1:])][4] * (i not in deleted) for i in ids], np.float32)
        selection = snapshot.select(parse_filter(language, ["fits=true"] if filtered else []))
        hits = snapshot.hits(snapshot.top_k(scores, k, selection))
    assert [(-hit.score, hit.doc_id) for hit in hits] == expected


def test_a_snapshot_stays_as_it_is_while_others_change_the_store(store):
    store.add([record(n, year=n) for n in range(4)], {}, memtable=0)
    store.add([record(4, year=4)], {})
    with store.snapshot() as before:
        changing = threading.Thread(target=change, args=(store,))
        changing.start()
        changing.join()
        assert before.languages == {"de": 5}
        assert selected(before, parse_filter(None, ["year<3"])) == ["d0", "d1", "d2"]
        numbers = before.numbers_of(["d1", "d2", "d4", "d9"])
        assert numbers[-1] == ABSENT
        texts = [document.text for document in before.documents(numbers[:3])]
        assert texts == [record(n).document.text for n in (1, 2, 4)]
    with store.snapshot() as after:
        assert after.generation > before.generation
        assert after.languages == {"de": 3, "en": 2}
        assert selected(after, parse_filter(None, ["year<3"])) == ["d0"]


def change(store):
    store.delete(["d1"])
    store.add([record(2, "en"), record(9, "en")], {}, memtable=0)
    store.merge(everything=True)


def test_states_that_did_not_change_share_what_was_worked_out(store):
    store.add([record(1)], {})
    with store.snapshot() as first, store.snapshot() as second:
        first.cached("key", lambda: "value")
        assert second.cached("key", lambda: "another") == "value"
    store.add([record(2)], {})
    with store.snapshot() as third:
        assert third.cached("key", lambda: "another") == "another"
