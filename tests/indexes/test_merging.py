"""Which segments are merged and when; what a merge leaves of them."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import merging
from dragoman.indexes.documents import StoredSegment
from dragoman.indexes.memtable import MEMTABLE
from dragoman.indexes.merging import FAN, merge, select_merge
from dragoman.indexes.segment import Segment, SegmentReader
from dragoman.indexes.store import SEGMENTS, Store
from dragoman.storage.array_file import DamagedFile
from stored import SPACES, record


def stored(*sizes):
    return [StoredSegment(f"{n:08d}.segment", size, 0, 0) for n, size in enumerate(sizes)]


def names(segments, chosen):
    return [segments[place].name for place in chosen]


def test_segments_of_one_tier_are_merged_when_there_are_enough():
    few = stored(*[MEMTABLE] * (FAN - 1))
    assert select_merge(few, {}) == []
    many = stored(*[MEMTABLE] * FAN)
    assert select_merge(many, {}) == [one.name for one in many]


def test_a_large_segment_is_not_written_again_for_small_ones():
    segments = stored(100_000, *[MEMTABLE] * FAN)
    assert select_merge(segments, {}) == names(segments, range(1, FAN + 1))


def test_the_smallest_tier_comes_first():
    segments = stored(*[MEMTABLE * FAN] * FAN, *[3] * FAN)
    assert select_merge(segments, {}) == names(segments, range(FAN, 2 * FAN))


def test_a_segment_that_has_lost_many_documents_is_written_again_alone():
    segments = stored(300, 3000)
    assert select_merge(segments, {segments[1].name: 1000}) == []
    assert select_merge(segments, {segments[1].name: 1001}) == names(segments, [1])
    assert select_merge(segments, {segments[0].name: 101, segments[1].name: 3000}) == names(
        segments, [0]
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 3000), st.integers(MEMTABLE + 1, 2 * MEMTABLE))
def test_segments_stay_few_and_documents_are_written_few_times(batches, size):
    segments, written, number = [], 0, 0
    for _ in range(batches):
        segments.append(StoredSegment(f"{number:08d}", size, 0, 0))
        number += 1
        while chosen := select_merge(segments, {}):
            count = sum(one.documents for one in segments if one.name in chosen)
            segments = [one for one in segments if one.name not in chosen]
            segments.append(StoredSegment(f"{number:08d}", count, 0, 0))
            written, number = written + count, number + 1
    total = batches * size
    assert sum(one.documents for one in segments) == total
    tiers = 1 + log(total / MEMTABLE, FAN)
    assert len(segments) < FAN * tiers
    assert written < total * tiers


def filled(store: Store, *batches):
    for batch in batches:
        store.add([record(number) for number in batch], {}, memtable=0)


def parts_of(store):
    with store.snapshot() as snapshot:
        return [
            (sorted(reader.segment.ids), sorted(np.array(list(reader.segment.ids))[reader.deleted]))
            if len(reader.deleted)
            else (sorted(reader.segment.ids), [])
            for reader in snapshot.readers
        ]


def test_a_store_merges_what_is_due_and_nothing_else(store):
    filled(store, *([n] for n in range(FAN - 1)))
    assert not store.merge()
    filled(store, [FAN - 1])
    store.delete(["d2"])
    assert store.merge()
    left = sorted(f"d{n}" for n in range(FAN) if n != 2)
    assert parts_of(store) == [(left, [])]
    assert not store.merge()


def test_files_that_were_merged_are_gone_and_no_key_is_marked_any_longer(store):
    filled(store, range(4), range(4, 8))
    store.delete(["d1", "d6"])
    assert store.merge(everything=True)
    with store.snapshot() as snapshot:
        (reader,) = snapshot.readers
        (marked,) = snapshot.connection.execute("SELECT COUNT(*) FROM deleted").fetchone()
        assert marked == 0
    assert [path.name for path in (store.folder / SEGMENTS).iterdir()] == [reader.segment.name]
    assert not store.merge(everything=True)


def test_a_store_of_deleted_documents_is_left_without_segments(store):
    filled(store, range(4))
    store.delete([f"d{n}" for n in range(4)])
    assert store.merge(everything=True)
    assert parts_of(store) == []
    assert list((store.folder / SEGMENTS).iterdir()) == []


def test_what_is_deleted_or_replaced_during_a_merge_stays_so(store, monkeypatch):
    filled(store, range(4), range(4, 8))

    def merged(*arguments):
        done = merge(*arguments)
        store.delete(["d1"])
        store.add([record(5, "en")], {})
        return done

    monkeypatch.setattr("dragoman.indexes.store.merge", merged)
    assert store.merge(everything=True)
    with store.snapshot() as snapshot:
        assert snapshot.languages == {"de": 6, "en": 1}
        assert -1 in snapshot.numbers_of(["d1"])
    monkeypatch.undo()
    assert store.merge(everything=True)
    assert parts_of(store) == [
        (sorted(f"d{n}" for n in range(8) if n not in (1, 5)), []),
        (["d5"], []),
    ]


def test_a_snapshot_that_was_taken_before_a_merge_can_still_be_read(store):
    filled(store, range(4), range(4, 8))
    with store.snapshot() as before:
        assert store.merge(everything=True)
        assert sorted(before.doc_ids(np.arange(8))) == sorted(f"d{n}" for n in range(8))
        documents = before.documents(before.numbers_of(["d6", "d0"]))
        assert [document.doc_id for document in documents] == ["d6", "d0"]
        for reader in before.readers:
            reader.segment.arrays.check()


def test_two_do_not_merge_at_the_same_time(store, monkeypatch):
    filled(store, range(4), range(4, 8))
    second = []

    def merged(*arguments):
        second.append(store.merge(everything=True))
        return merge(*arguments)

    monkeypatch.setattr("dragoman.indexes.store.merge", merged)
    assert store.merge(everything=True)
    assert second == [False]


def test_damage_is_not_copied_under_a_new_checksum(store, tmp_path):
    filled(store, range(1500))
    with store.snapshot() as snapshot:
        (path,) = (store.folder / SEGMENTS).iterdir()
        identity = snapshot.readers[0].segment.arrays.identity
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    damaged = SegmentReader(Segment.open(path, identity))
    with pytest.raises(DamagedFile, match="expected the bytes that were written"):
        merging.merge(tmp_path / "merged", [damaged], SPACES)
    assert not (tmp_path / "merged").exists()
