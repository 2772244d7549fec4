"""Tuned weights outlive whatever happens to an index, and every process sees them."""

import shutil
import subprocess
import sys

import pytest

import dragoman
from dragoman.errors import IndexFault
from dragoman.indexes.maintenance.archive import restore, snapshot
from dragoman.indexes.maintenance.repair import repair
from dragoman.indexes.maintenance.upgrade import upgrade
from dragoman.tuning.record import TUNING, TuningRecord, save_tuning, saved_tuning
from dragoman.types import Document
from small_index import flip, segment_of, treat_otherwise
from small_tuning import QUERIES, tunable_index

RECORD = TuningRecord(
    weights={"keyword_weight": 0.8},
    measure="nDCG@10",
    queries=56,
    source="qrels.tsv",
    default=0.25,
    held_out=0.75,
    low=0.4,
    high=0.6,
    date="2026-11-18",
    dragoman="1.0",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("record") / "index"
    tunable_index(folder).close()
    return folder


@pytest.fixture
def folder(built, tmp_path):
    return shutil.copytree(built, tmp_path / "index")


def best(folder):
    with dragoman.open(folder) as index:
        return index.rank(QUERIES[0], 1).hits[0].doc_id


def test_a_record_is_read_as_it_was_written():
    assert TuningRecord.from_fact(RECORD.as_fact()) == RECORD
    assert TuningRecord.from_fact("") is None
    assert str(RECORD) == (
        "keyword_weight 0.8; nDCG@10 0.7500 on held-out queries, 0.2500 untuned (+0.5000, +0.4000"
        " to +0.6000); 56 judged queries of qrels.tsv, 2026-11-18"
    )


@pytest.mark.parametrize("fact", ["{", "[]", '{"weights": {}}'])
def test_a_record_that_cannot_be_read_says_how_to_remove_it(fact):
    with pytest.raises(IndexFault, match="dragoman tune INDEX --reset"):
        TuningRecord.from_fact(fact)


def test_an_open_index_notices(folder):
    with dragoman.open(folder) as index, dragoman.open(folder) as other:
        first = index.rank(QUERIES[0], 1).hits[0].doc_id
        save_tuning(other, RECORD)
        assert saved_tuning(index) == RECORD
        assert first == "mq00"
        assert index.rank(QUERIES[0], 1).hits[0].doc_id == "dq00"
        save_tuning(other, None)
        assert saved_tuning(index) is None
        assert index.rank(QUERIES[0], 1).hits[0].doc_id == first


def test_an_open_index_notices_what_another_process_tuned(folder):
    script = (
        "import sys; sys.path[:0] = sys.argv[2:]; import dragoman\n"
        "from dragoman.tuning.record import TuningRecord, save_tuning\n"
        "with dragoman.open(sys.argv[1]) as index:\n"
        f"    save_tuning(index, TuningRecord.from_fact({RECORD.as_fact()!r}))"
    )
    with dragoman.open(folder) as index:
        assert index.rank(QUERIES[0], 1).hits[0].doc_id == "mq00"
        subprocess.run([sys.executable, "-c", script, str(folder)], check=True)
        assert index.rank(QUERIES[0], 1).hits[0].doc_id == "dq00"


def add_and_merge(folder, tmp_path):
    with dragoman.open(folder) as index:
        index.add([Document("new", "another text", language="en")])
        index.delete(["mq55"])
        index.optimize()
    return folder


def pack_and_restore(folder, tmp_path):
    snapshot(folder, tmp_path / "index.tar.zst")
    restore(tmp_path / "index.tar.zst", tmp_path / "restored")
    return tmp_path / "restored"


def copy_folder(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copied")


def upgrade_in_place(folder, tmp_path):
    treat_otherwise(folder, "en")
    assert upgrade(folder, version="1")
    return folder


def rebuild_segment(folder, tmp_path):
    flip(segment_of(folder))
    assert repair(folder).repaired
    return folder


@pytest.mark.parametrize(
    "change", [add_and_merge, pack_and_restore, copy_folder, upgrade_in_place, rebuild_segment]
)
def test_tuned_weights_are_still_there_after(change, folder, tmp_path):
    assert best(folder) == "mq00"
    with dragoman.open(folder) as index:
        save_tuning(index, RECORD)
    changed = change(folder, tmp_path)
    with dragoman.open(changed) as index:
        assert saved_tuning(index) == RECORD
    assert best(changed) == "dq00"


def test_a_new_build_begins_untuned(folder):
    with dragoman.open(folder) as index:
        save_tuning(index, RECORD)
    tunable_index(folder).close()
    assert best(folder) == "mq00"


def test_a_damaged_record_is_refused(folder):
    with dragoman.open(folder) as index:
        index.change(lambda store: store.add((), {TUNING: "{"}))
        with pytest.raises(IndexFault, match="--reset"):
            index.rank(QUERIES[0], 1)
        save_tuning(index, None)
        assert index.rank(QUERIES[0], 1).hits
