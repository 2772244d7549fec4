"""Statistics and scores of a snapshot: those of plain dicts, however documents are spread."""

import math
import sqlite3
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import compilation
from dragoman.indexes.filters import Filter
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.segment import NONE_DELETED, Entry, Segment, SegmentReader
from dragoman.indexes.spaces import Counts, Record, Space, SpaceKind
from dragoman.indexes.stored_snapshot import StoredSnapshot
from dragoman.scores.bm25 import Bm25Config
from dragoman.types import Document

SPACES = (Space("words", SpaceKind.COUNTS),)
CONFIG = Bm25Config()
DIMENSIONS = [0, 1, 7, 100, 2**32 - 1]

# counts that half precision holds exactly, a language, the segment, whether it is deleted
documents = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(DIMENSIONS), st.sampled_from([0.25, 0.5, 1.0, 3.0])),
        st.sampled_from(["de", "en"]),
        st.integers(0, 2),
        st.booleans(),
    ),
    max_size=12,
)
queries = st.dictionaries(st.sampled_from(DIMENSIONS), st.sampled_from([0.5, 1.0, 2.0]), min_size=1)


def entry(number, counts, language):
    dimensions = np.array(sorted(counts), np.uint32)
    values = np.array([counts[one] for one in sorted(counts)], np.float32)
    vector = Counts(dimensions, values, math.ceil(values.sum()))
    record = Record(Document(f"d{number:02}", "", language=language), {"words": vector})
    return Entry(number, record.document.doc_id, language, pack_record(record, SPACES))


def snapshot_of(drawn):
    """A snapshot of the drawn documents, and the numbers that they have in it."""
    parts, numbers, first = [], {}, 0
    for segment in sorted({place for _, _, place, _ in drawn}):
        mine = [n for n, one in enumerate(drawn) if one[2] == segment]
        made = Segment.of([entry(n, *drawn[n][:2]) for n in mine], SPACES)
        deleted = np.array([drawn[key][3] for key in made.keys.tolist()], np.bool_)
        parts.append(SegmentReader(made, deleted if deleted.any() else NONE_DELETED, first))
        numbers |= {key: first + place for place, key in enumerate(made.keys.tolist())}
        first += len(made)
    return StoredSnapshot(1, tuple(parts), sqlite3.connect(":memory:")), numbers


def scores_by_dicts(drawn, query):
    """BM25's sums by number of the drawn document, with plain loops."""
    live = [one for one in drawn if not one[3]]
    lengths = {
        code: [math.ceil(sum(c.values())) for c, language, _, _ in live if language == code and c]
        for code in ("de", "en")
    }
    scores = {}
    for number, (counts, language, _, deleted) in enumerate(drawn):
        if deleted or not counts:
            continue
        mean = sum(lengths[language]) / len(lengths[language])
        norm = 1.2 * (0.25 + 0.75 * math.ceil(sum(counts.values())) / mean)
        parts = [
            weight * counts[d] / (counts[d] + norm) for d, weight in query.items() if d in counts
        ]
        if parts:
            scores[number] = sum(parts)
    return scores


def check(drawn, query):
    snapshot, numbers = snapshot_of(drawn)
    postings = SnapshotPostings(snapshot, "words")
    located = postings.locate(np.array([*query], np.int64))
    live = Counter(d for counts, _, _, deleted in drawn if not deleted for d in counts)
    assert located.frequencies.tolist() == [live[dimension] for dimension in query]
    scores = postings.scores(located, np.array([*query.values()]), CONFIG)
    expected = scores_by_dicts(drawn, query)
    by_number = {numbers[key]: score for key, score in expected.items()}
    wanted = [by_number.get(number, 0.0) for number in range(snapshot.size)]
    assert scores.tolist() == pytest.approx(wanted, rel=1e-5)
    best = snapshot.top_k(scores, len(drawn) or 1, snapshot.select(Filter()))
    assert sorted(best.numbers.tolist()) == sorted(by_number)
    snapshot.connection.close()


def test_scores_of_a_hand_worked_example():
    drawn = [({7: 2.0, 1: 1.0}, "en", 0, False), ({7: 1.0}, "en", 1, False)]
    snapshot, _ = snapshot_of(drawn)
    postings = SnapshotPostings(snapshot, "words")
    assert postings.mean_lengths == {"en": 2.0}
    scores = postings.scores(postings.locate(np.array([7])), np.array([3.0]), CONFIG)
    longer, shorter = 1.2 * (0.25 + 0.75 * 3 / 2), 1.2 * (0.25 + 0.75 * 1 / 2)
    assert scores.tolist() == pytest.approx([3 * 2 / (2 + longer), 3 * 1 / (1 + shorter)])
    snapshot.connection.close()


@pytest.mark.parametrize("compiled", [False, True])
@given(drawn=documents, query=queries)
@settings(max_examples=80, deadline=None)
def test_sums_and_statistics_are_those_of_plain_dicts(compiled, drawn, query):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "is_enabled", lambda: compiled)
        check(drawn, query)


def test_a_snapshot_without_segments_has_no_statistics():
    snapshot = StoredSnapshot(1, (), sqlite3.connect(":memory:"))
    postings = SnapshotPostings(snapshot, "words")
    assert postings.mean_lengths == {}
    assert postings.locate(np.array([7])).frequencies.tolist() == [0]
    snapshot.connection.close()
