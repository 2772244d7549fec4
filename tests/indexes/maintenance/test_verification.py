"""Every kind of damage is found, told with what it affects, and repaired where that is possible."""

import random
import shutil
import sqlite3
import threading
from contextlib import closing

import pytest

import dragoman
from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes.maintenance import verification
from dragoman.indexes.maintenance.findings import Component, Severity
from dragoman.indexes.maintenance.repair import repair
from dragoman.indexes.maintenance.verification import own_words, verify
from dragoman.systems.lexical.bm25 import Bm25
from dragoman.types import Document
from small_index import (
    ADDED,
    DOCUMENTS,
    SETTINGS,
    answers,
    execute,
    flip,
    segment_of,
    small_index,
    treat_otherwise,
)

KEYS = {"tide": 1, "bread": 2, "brot": 3, "gone": 4, "salz": 5}
IN_SEGMENT = {"tide", "bread", "brot"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return small_index(tmp_path_factory.mktemp("whole") / "index")


@pytest.fixture(scope="module")
def expected(whole):
    return answers(whole)


@pytest.fixture
def index(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "index")


def damage(folder):
    """The damaged parts with the documents that are said to be affected.

    Tallies beside tables warning most changes of a row too, which is not looked at here.
    """
    found = {one.component: set(one.documents) for one in verify(folder).damage}
    if len(found) > 1:
        found.pop(Component.COUNTERS, None)
    return found


def test_nothing_is_found_in_a_whole_index(index):
    report = verify(index)
    assert report == ((), 4, 1)
    assert not report.damage


MENDABLE = {
    "a flipped byte in a segment": (
        lambda folder: flip(segment_of(folder)),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a flipped byte in the footer of a segment": (
        lambda folder: flip(segment_of(folder), -40),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a missing segment": (
        lambda folder: segment_of(folder).unlink(),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a segment that is cut off": (
        lambda folder: segment_of(folder).write_bytes(segment_of(folder).read_bytes()[:-9]),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a segment under another name": (
        lambda folder: execute(folder, "UPDATE segments SET name = '00000009.segment'"),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a segment whose name is no text": (
        lambda folder: execute(folder, "UPDATE segments SET name = x'00ff'"),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a segment with another number of documents": (
        lambda folder: execute(folder, "UPDATE segments SET documents = 9"),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a segment that is not listed": (
        lambda folder: execute(folder, "DELETE FROM segments"),
        {Component.SEGMENTS: IN_SEGMENT, Component.DELETIONS: set()},
    ),
    "documents under swapped keys": (
        lambda folder: execute(
            folder,
            "UPDATE documents SET key = key + 90 WHERE key < 3",
            "UPDATE documents SET key = 93 - key WHERE key > 90",
            "UPDATE fields SET key = 3 - key WHERE key < 3",
        ),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "changed vectors in the memtable": (
        lambda folder: execute(folder, "UPDATE memtable SET vectors = x'00' || vectors"),
        {Component.MEMTABLE: {"salz"}, Component.SEGMENTS: {"salz"}},
    ),
    "vectors in the memtable under another key": (
        lambda folder: execute(folder, "UPDATE memtable SET key = 1"),
        {Component.MEMTABLE: {"tide"}, Component.SEGMENTS: {"salz"}},
    ),
    "no vectors in the memtable": (
        lambda folder: execute(folder, "DELETE FROM memtable"),
        {Component.SEGMENTS: {"salz"}},
    ),
    "metadata that filters do not find": (
        lambda folder: execute(folder, "DELETE FROM fields WHERE key = 1"),
        {Component.FIELDS: {"tide"}},
    ),
    "metadata of another value": (
        lambda folder: execute(folder, "UPDATE fields SET value = 1.5 WHERE key = 3"),
        {Component.FIELDS: {"brot"}},
    ),
    "metadata of no document": (
        lambda folder: execute(folder, "UPDATE fields SET key = 44 WHERE key = 3"),
        {Component.FIELDS: {"brot"}},
    ),
    "a deletion that is forgotten": (
        lambda folder: execute(folder, "DELETE FROM deleted"),
        {Component.SEGMENTS: IN_SEGMENT},
    ),
    "a document that is listed as deleted": (
        lambda folder: execute(folder, "INSERT INTO deleted VALUES (2)"),
        {Component.DELETIONS: {"bread"}},
    ),
    "a deletion of nothing": (
        lambda folder: execute(folder, "INSERT INTO deleted VALUES (77)"),
        {Component.DELETIONS: set()},
    ),
    "a number of segments that is too low": (
        lambda folder: execute(folder, "UPDATE facts SET value = 0 WHERE name = 'segment'"),
        {Component.COUNTERS: set()},
    ),
    "a generation that is no number": (
        lambda folder: execute(folder, "UPDATE facts SET value = 'x' WHERE name = 'generation'"),
        {Component.COUNTERS: set()},
    ),
    "keys that would be given twice": (
        lambda folder: execute(folder, "UPDATE sqlite_sequence SET seq = 1"),
        {Component.COUNTERS: set()},
    ),
    "a list of checksums with a flipped byte": (
        lambda folder: flip(folder / "checksums.json"),
        {Component.CHECKSUMS: set()},
    ),
    "no list of checksums": (
        lambda folder: (folder / "checksums.json").unlink(),
        {Component.CHECKSUMS: set()},
    ),
}


@pytest.mark.parametrize("name", MENDABLE)
def test_what_follows_from_the_texts_is_found_and_mended(index, expected, name):
    change, affected = MENDABLE[name]
    change(index)
    assert damage(index) == affected
    done = repair(index)
    assert done.repaired
    assert done.report.damage == ()
    assert done.report == verify(index)
    assert answers(index) == expected


UNMENDABLE = {
    "a changed text": (
        lambda folder: execute(folder, "UPDATE documents SET text = x'41' WHERE key = 3"),
        {Component.DOCUMENTS: {"brot"}},
        "Add them again from their sources",
    ),
    "a text of another type": (
        lambda folder: execute(folder, "UPDATE documents SET text = 7 WHERE key = 3"),
        {Component.DOCUMENTS: {"brot"}},
        "Add them again from their sources",
    ),
    "a flipped byte in the system": (
        lambda folder: flip(folder / "system" / "config.json", 5),
        {Component.SYSTEM: set()},
        "dragoman export",
    ),
    "a missing file of the system": (
        lambda folder: (folder / "system" / "config.json").unlink(),
        {Component.SYSTEM: set()},
        "dragoman export",
    ),
    "a flipped byte in the manifest": (
        lambda folder: flip(folder / "manifest.json", 20),
        {Component.MANIFEST: set()},
        "Restore the index from a snapshot",
    ),
    "another table": (
        lambda folder: execute(folder, "ALTER TABLE fields ADD COLUMN more"),
        {Component.DATABASE: set()},
        "Restore the index from a snapshot",
    ),
    "no database": (
        lambda folder: (folder / "store" / "documents.sqlite").unlink(),
        {Component.DATABASE: set()},
        "Restore the index from a snapshot",
    ),
    "something else in place of the database": (
        lambda folder: (folder / "store" / "documents.sqlite").write_bytes(b"x" * 9000),
        {Component.DATABASE: set()},
        "Restore the index from a snapshot",
    ),
    "no word on how documents were treated": (
        lambda folder: execute(folder, "DELETE FROM facts WHERE name = 'treatment:de'"),
        {Component.DATABASE: set()},
        "dragoman upgrade",
    ),
    "another word on how documents were treated": (
        lambda folder: execute(folder, "UPDATE facts SET value = 'x' WHERE name = 'treatment:de'"),
        {Component.DATABASE: set()},
        "dragoman upgrade",
    ),
    "documents that were treated otherwise": (
        lambda folder: treat_otherwise(folder, "de"),
        {Component.SYSTEM: set()},
        "dragoman upgrade",
    ),
}


@pytest.mark.parametrize("name", UNMENDABLE)
def test_what_does_not_follow_from_the_texts_is_told_with_the_remedy(index, name):
    change, affected, remedy = UNMENDABLE[name]
    change(index)
    assert damage(index) == affected
    assert remedy in verify(index).damage[0].line("INDEX")
    done = repair(index)
    assert done.report == verify(index)
    assert damage(index) == affected


def test_an_index_of_the_database_is_built_again(index, expected):
    path = index / "store" / "documents.sqlite"
    data = path.read_bytes()
    places = [place for place in range(len(data)) if data.startswith(b"bread", place)]
    in_table = "SELECT id FROM documents NOT INDEXED WHERE key = 2"
    for place in places:
        path.write_bytes(data)
        flip(path, place, by=1)
        with closing(sqlite3.connect(path)) as connection:
            if connection.execute(in_table).fetchone() == (b"bread",):
                break
    assert damage(index) == {Component.DATABASE: set()}
    assert repair(index).repaired == ("store/documents.sqlite: the indexes of its tables rebuilt",)
    assert verify(index).findings == ()
    assert answers(index) == expected


def test_several_kinds_of_damage_are_mended_together(index, expected):
    execute(index, "DELETE FROM fields", "UPDATE memtable SET checksum = 1")
    segment_of(index).unlink()
    (index / "checksums.json").unlink()
    assert len(repair(index).repaired) == 3
    assert verify(index).findings == ()
    assert answers(index) == expected


def test_a_segment_that_only_has_deleted_documents_is_removed(tmp_path):
    with dragoman.index(DOCUMENTS, tmp_path / "index", **SETTINGS) as opened:
        opened.add([ADDED])
        opened.delete([document.doc_id for document in DOCUMENTS])
    segment_of(tmp_path / "index").unlink()
    repair(tmp_path / "index")
    assert verify(tmp_path / "index") == ((), 1, 0)


def test_a_document_that_is_deleted_while_it_is_encoded_again_stays_deleted(index, monkeypatch):
    flip(segment_of(index))
    execute(index, "UPDATE memtable SET checksum = 1")
    encode = Bm25.encode

    def encode_and_delete(self, documents):
        with dragoman.open(index) as other:
            other.delete(["tide", "salz"])
        return encode(self, documents)

    monkeypatch.setattr(Bm25, "encode", encode_and_delete)
    assert repair(index).report == ((), 2, 1)
    monkeypatch.undo()
    with dragoman.open(index) as opened:
        assert opened.doc_ids() == ["bread", "brot"]
        assert [hit.doc_id for hit in opened.search("moon", language="en").ranking.hits] == []


def test_files_that_nothing_names_are_notes(index, expected):
    for name in ("store/segments/00000077.segment", "store/segments/.merging-1", "cat.jpg"):
        (index / name).write_bytes(b"x")
    (index / "system" / "more.json").write_text("{}")
    report = verify(index)
    assert {one.severity for one in report.findings} == {Severity.NOTE}
    assert not report.damage
    assert {one.path: one.component for one in report.findings} == {
        "store/segments/00000077.segment": Component.LEFTOVERS,
        "store/segments/.merging-1": Component.LEFTOVERS,
        "cat.jpg": Component.FILES,
        "system/more.json": Component.SYSTEM,
    }
    assert {one.path for one in repair(index).report.findings} == {"cat.jpg", "system/more.json"}
    assert answers(index) == expected


def dump(path):
    """All rows of a database, in words."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        names = (name for (name,) in connection.execute("SELECT name FROM sqlite_schema"))
        tables = [name.decode() for name in names if not name.startswith(b"sqlite_autoindex")]
        return [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]  # noqa: S608


@pytest.mark.parametrize("by", [0x01, 0x80, 0xFF])
def test_a_flipped_byte_is_found_wherever_it_is(whole, index, by):
    rng = random.Random(by)  # noqa: S311
    for path in sorted(path for path in whole.rglob("*") if path.stat().st_size and path.is_file()):
        if path.name == "lock":
            continue
        data, target = path.read_bytes(), index / path.relative_to(whole)
        used = [place for place, byte in enumerate(data) if byte]  # the rest of a page is empty
        for place in rng.sample(used, min(25, len(used))):
            target.write_bytes(data)
            flip(target, place, by)
            if not verify(index).damage:  # a part of the database that no row is in
                assert path.suffix == ".sqlite", f"{path.name}, byte {place}"
                assert dump(target) == dump(path), f"byte {place}"
        target.write_bytes(data)


def test_documents_that_are_not_found_by_their_own_words_are_a_warning(tmp_path):
    lost = Document("lost", "the and of", language="en")
    dragoman.index([*DOCUMENTS, lost], tmp_path / "index", **SETTINGS).close()
    (finding,) = verify(tmp_path / "index").findings
    assert (finding.severity, finding.documents) == (Severity.WARNING, ("lost",))
    assert finding.found == "of 5 documents 1 are not found by their own words"


def test_own_words_are_the_longest_or_the_beginning():
    assert own_words(Document("d", "a bbb cc bbb dddd eeeee ffffff ggggggg")) == (
        "ggggggg ffffff eeeee dddd bbb"
    )
    assert own_words(Document("d", "水" * 100)) == "水" * verification.LONGEST_WORD
    assert own_words(Document("d", " ", "Titel")) == "Titel"


def test_an_index_that_is_written_and_merged_meanwhile_is_whole(index):
    ended = threading.Event()

    def write():
        with dragoman.open(index) as opened:
            number = 0
            while not ended.is_set():
                number += 1
                opened.add([Document(f"n{number % 7}", f"word{number}", language="en")])
                opened.delete([f"n{(number + 3) % 7}"])
                if number % 5 == 0:
                    opened.store.add([], {}, memtable=-1)
                    opened.optimize()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(15):
            assert verify(index).damage == ()
    finally:
        ended.set()
        writer.join()


def test_what_is_no_index_is_an_error(tmp_path):
    with pytest.raises(IndexFault, match=r"found no manifest\.json"):
        verify(tmp_path)


@pytest.mark.parametrize("name", ["system/config.json", "manifest.json"])
def test_a_damaged_file_is_named_before_a_search_reads_it(index, name):
    flip(index / name, 30)
    with pytest.raises(DragomanError, match=name), dragoman.open(index) as opened:
        opened.search("moon", language="en")
