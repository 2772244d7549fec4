"""Folders and their index: what is new, changed, moved, copied or gone, and nothing else."""

import gzip
import json
import os
from dataclasses import replace
from functools import partial

import pytest

from closed_folders import refuse_folder
from dragoman.encoders.family import EncoderFamily
from dragoman.errors import UserError
from dragoman.indexes.build import build
from dragoman.indexes.index import Index
from dragoman.indexes.sync import comparison
from dragoman.indexes.sync.report import FileStatus
from dragoman.indexes.sync.synchronization import SyncOptions, sync
from dragoman.text.readers.contents import ReaderConfig
from dragoman.text.readers.pool import ReaderPool
from dragoman.text.readers.scan import Root
from synced_folders import LONG, ids, statuses
from toys import toy_encoder

WORDS = {"house": 0, "water": 1, "teacher": 2, "bread": 3, "ship": 4}


def test_a_second_sync_reads_nothing(folder, run, tmp_path):
    assert run(folder).added == 10
    again = run(folder)
    assert (again.added, again.deleted) == (0, 0)
    assert {file.status for file in again.files} == {FileStatus.UNCHANGED}
    assert ids(tmp_path) == [f"docs/{number}.txt" for number in range(10)]


def test_new_changed_and_deleted_files(folder, run, tmp_path):
    run(folder)
    (folder / "0.txt").write_text(f"{LONG}Changed.")
    (folder / "new.txt").write_text(LONG)
    (folder / "1.txt").unlink()
    report = run(folder)
    assert (report.added, report.deleted) == (2, 1)
    (gone_file,) = [file for file in report.files if file.status is FileStatus.DELETED]
    assert (str(gone_file.path), gone_file.format) == ("docs/1.txt", "gone")
    assert gone_file.reason == "no longer in its folder"
    with Index(tmp_path / "index") as index:
        (changed, gone) = index.documents(["docs/0.txt", "docs/1.txt"])
        assert changed.text.endswith("Changed.")
        assert gone is None
        assert index.count() == 10


def test_a_file_that_was_only_touched_is_not_read_again(folder, run):
    run(folder)
    os.utime(folder / "0.txt", (1, 1))
    assert run(folder).added == 0


def test_a_file_that_has_fewer_texts_than_before_loses_the_others(folder, run, tmp_path):
    rows = folder / "rows.csv"
    rows.write_text("id,text\n1,the house\n2,the water\n3,the ship\n")
    run(folder)
    rows.write_text("id,text\n1,the house by the sea\n")
    run(folder)
    assert [one for one in ids(tmp_path) if "rows" in one] == ["docs/rows.csv#row-1"]


def test_many_missing_files_stop_the_sync_unless_deletions_are_allowed(folder, run, tmp_path):
    run(folder)
    for number in range(3):
        (folder / f"{number}.txt").unlink()
    with pytest.raises(UserError, match="30% of the 10 indexed files are not there"):
        run(folder)
    assert len(ids(tmp_path)) == 10
    assert run(folder, allow_deletes=True).deleted == 3


def test_files_that_move_are_not_missing(folder, run, tmp_path):
    run(folder)
    (folder / "sub").mkdir()
    for number in range(5):
        (folder / f"{number}.txt").rename(folder / "sub" / f"{number}.txt")
    report = run(folder)
    assert report.added == report.deleted == 5
    assert {file.status.value for file in report.files} == {"unchanged", "moved"}
    assert len(ids(tmp_path)) == 10
    assert "docs/sub/0.txt" in ids(tmp_path)


def test_copies_are_read_once_and_indexed_under_their_own_ids(folder, run, tmp_path):
    rows = "id,text\n1,the house\n2,the water\n"
    (folder / "rows.csv").write_text(rows)
    (folder / "same.csv").write_text(rows)
    (folder / "same.txt").write_text(rows)  # read as another type of file
    other = tmp_path / "more"
    other.mkdir()
    (other / "rows.csv").write_text(rows)
    report = run(folder, other)
    copies = {str(file.path): file.copy_of for file in report.files if file.status == "copy"}
    assert copies == {
        str(folder / "same.csv"): "docs/rows.csv",
        str(other / "rows.csv"): "docs/rows.csv",
    }
    assert report.added == 10 + 3 * 2 + 1
    with Index(tmp_path / "index") as index:
        first, second = index.documents(["docs/rows.csv#row-2", "more/rows.csv#row-2"])
        assert first.text == second.text == "the water"
        assert first.metadata["digest"] == second.metadata["digest"]
        assert (second.metadata["root"], second.metadata["path"]) == ("more", "rows.csv")
    assert {file.status for file in run(folder, other).files} == {FileStatus.UNCHANGED}


def test_a_copy_of_an_indexed_file_is_known_as_one(folder, run, tmp_path):
    run(folder)
    (folder / "copy.txt").write_bytes((folder / "3.txt").read_bytes())
    report = run(folder)
    (copy,) = [file for file in report.files if file.status is FileStatus.COPY]
    assert (copy.path.name, copy.copy_of) == ("copy.txt", "docs/3.txt")
    (folder / "3.txt").unlink()
    assert run(folder).deleted == 1
    assert "docs/copy.txt" in ids(tmp_path)


def test_a_file_with_a_title_alone_is_indexed(folder, run, tmp_path):
    (folder / "title.html").write_text("<html><title>The house by the water</title></html>")
    assert statuses(run(folder))["title.html"] == "read"
    with Index(tmp_path / "index") as index:
        assert index.get("docs/title.html").title == "The house by the water"


def test_a_folder_without_any_text_is_refused_with_what_was_found(run, tmp_path):
    root = tmp_path / "pictures"
    root.mkdir()
    (root / "a.png").write_bytes(b"\x89PNG")
    (root / "numbers.txt").write_text("3.14159 2.71828\n" * 400)
    with pytest.raises(
        UserError, match=r"found no text in 2 files .1 passed over: image; 1 without text.*; "
    ):
        run(root)
    assert not (tmp_path / "index").exists()


def test_files_that_cannot_be_read_are_tried_once(folder, run, monkeypatch):
    for name in ("broken.pdf", "copy.pdf"):
        (folder / name).write_bytes(b"%PDF-1.4 nothing")
    (folder / "empty.html").write_text("<html></html>")
    (folder / "code.py.gz").write_bytes(gzip.compress(b"import this"))
    (folder / "numbers.txt").write_text("3.14159 2.71828\n" * 400)
    first = run(folder)
    read = []
    contents = ReaderPool.read
    monkeypatch.setattr(ReaderPool, "read", lambda *given: read.append(given) or contents(*given))
    again = run(folder)
    assert read == []
    for report in (first, again):
        assert statuses(report)["broken.pdf"] == statuses(report)["copy.pdf"] == "broken"
        assert statuses(report)["empty.html"] == "without text"
        reasons = {file.path.name: file.reason for file in report.files}
        assert reasons["empty.html"] == "a page without text"
        assert reasons["code.py.gz"] == "no file inside that can be read"
        assert reasons["numbers.txt"] == "nothing but text without words"
    assert {file.reason for file in first.files} - {"code"} == {f.reason for f in again.files}
    run(folder, reading=ReaderConfig(text_field="x"))  # which may change what can be read
    assert len(read) == 1
    (folder / "broken.pdf").write_text("Not a PDF: the house by the water.")
    assert run(folder).added == 1


@pytest.mark.parametrize("is_built", [False, True])
def test_an_empty_folder_stops_a_sync(folder, run, tmp_path, is_built):
    if is_built:
        run(folder)
    (tmp_path / "unmounted").mkdir()
    with pytest.raises(UserError, match=r"unmounted: found an empty folder.*--allow-deletes"):
        run(folder, tmp_path / "unmounted")
    run(folder, tmp_path / "unmounted", allow_deletes=True)
    assert len(ids(tmp_path)) == 10


def test_a_touched_file_is_hashed_once(folder, run, monkeypatch):
    run(folder)
    os.utime(folder / "0.txt", (1, 1))
    hashed = []
    digest_of = comparison.digest_of
    monkeypatch.setattr(comparison, "digest_of", lambda one: hashed.append(one) or digest_of(one))
    run(folder)
    run(folder)
    assert [path.name for path in hashed] == ["0.txt"]
    (folder / "0.txt").write_text(f"{LONG}Changed.")
    os.utime(folder / "0.txt", (1, 1))
    assert run(folder).added == 1


def test_a_file_that_vanishes_while_it_is_compared_costs_that_file_only(folder, run, monkeypatch):
    run(folder)
    (folder / "new.txt").write_text(LONG)
    (folder / "newer.txt").write_text(LONG[:-1])
    digest_of = comparison.digest_of

    def vanishing(path):
        if path.name == "new.txt":
            path.unlink()
        return digest_of(path)

    monkeypatch.setattr(comparison, "digest_of", vanishing)
    report = run(folder)
    assert (report.added, statuses(report)["new.txt"]) == (1, "passed over")


def test_what_cannot_be_looked_at_keeps_its_documents(folder, run, tmp_path, monkeypatch):
    (folder / "more").mkdir()
    for number in range(10):
        (folder / "more" / f"{number}.txt").write_text(f"{LONG}Another {number}.")
    run(folder)
    before = ids(tmp_path)
    (folder / "1.txt").unlink()
    refuse_folder(folder / "more", monkeypatch)
    report = run(folder)
    assert ids(tmp_path) == [doc_id for doc_id in before if doc_id != "docs/1.txt"]
    reasons = {file.path.name: file.reason for file in report.files}
    assert reasons["more"] == "cannot be read (Permission denied); what is indexed of it stays"


def test_an_index_in_its_own_folder_is_no_document(run, tmp_path):
    (tmp_path / "a.txt").write_text(LONG)
    run(tmp_path)
    before = ids(tmp_path)
    assert run(tmp_path).added == 0
    assert ids(tmp_path) == before


def test_only_documents_of_the_own_root_are_touched(folder, run, tmp_path):
    other = tmp_path / "more"
    other.mkdir()
    (other / "0.txt").write_text(LONG)
    run(folder)
    run(other)
    run(folder)
    assert "more/0.txt" in ids(tmp_path)
    assert len(ids(tmp_path)) == 11


def test_a_folder_that_is_named_twice_is_one(folder, run, tmp_path):
    report = run(folder, folder / "." / ".." / "docs")
    assert (report.added, len(report.files), len(ids(tmp_path))) == (10, 10, 10)


def test_two_folders_of_one_name_are_refused_while_both_are_there(folder, run, tmp_path):
    run(folder)
    other = tmp_path / "elsewhere" / "docs"
    other.mkdir(parents=True)
    (other / "0.txt").write_text(LONG)
    with pytest.raises(UserError, match="needs another name: --label NAME"):
        run(other)
    with pytest.raises(UserError, match="would both be called 'docs'"):
        run(folder, other)


def test_a_broken_file_is_reported_and_stops_only_a_strict_sync(folder, run, tmp_path):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    with pytest.raises(UserError, match="a broken PDF"):
        run(folder, strict=True)
    report = run(folder)
    assert statuses(report)["broken.pdf"] == "broken"
    assert report.added == 10
    lines = [json.loads(line) for line in report.lines()]
    assert {line["status"] for line in lines} == {"read", "broken"}


def test_a_file_that_breaks_off_is_read_in_part(folder, run, tmp_path):
    text = "".join(f"{LONG} {number}\n" for number in range(2000)).encode()
    (folder / "cut.txt.gz").write_bytes(gzip.compress(text)[:-900])
    with pytest.raises(UserError, match="found a broken archive"):
        run(folder, strict=True)
    report = run(folder)
    assert statuses(report)["cut.txt.gz"] == "read in part"
    assert any("cut.txt.gz#cut.txt" in one for one in ids(tmp_path))
    assert statuses(run(folder))["cut.txt.gz"] == "unchanged"


def test_an_interrupted_sync_is_completed_by_the_next(folder, run, tmp_path, monkeypatch):
    rows = "".join(f"{number},house number {number}\n" for number in range(600))
    (folder / "rows.csv").write_text(f"id,text\n{rows}")
    run(folder)
    (folder / "rows.csv").write_text(f"id,text\n{rows}".replace("house", "water"))
    added = Index.store_records
    batches = []

    def interrupted(self, records, *more, **options):
        if batches:
            raise KeyboardInterrupt
        batches.append(len(records))
        return added(self, records, *more, **options)

    monkeypatch.setattr(Index, "store_records", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(folder)
    monkeypatch.undo()
    run(folder)
    with Index(tmp_path / "index") as index:
        texts = index.documents([one for one in index.doc_ids() if "rows" in one])
        assert {document.text.split()[0] for document in texts} == {"water"}
        assert len(texts) == 600


def test_unchanged_and_copied_passages_are_not_encoded_again(tmp_path, monkeypatch):
    encoded: list[str] = []
    encode = EncoderFamily.encode

    def counted(self, texts, *more):
        encoded.extend(text.body for text in texts)
        return encode(self, texts, *more)

    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en"})
    monkeypatch.setattr("dragoman.encoders.family.load_encoder", lambda name: toy)
    monkeypatch.setattr(EncoderFamily, "encode", counted)
    root = tmp_path / "docs"
    root.mkdir()
    paragraphs = [f"The {word} is near the old {word} in the town. " * 12 for word in WORDS]
    for name in ("long.txt", "same.txt"):
        (root / name).write_text("\n\n".join(paragraphs))
    options = SyncOptions(create=partial(build, system="dense", version="test"), languages=("en",))
    sync([Root.of(root)], tmp_path / "index", options)
    first = len(encoded)
    assert first == len({*encoded})
    encoded.clear()
    (root / "same.txt").unlink()
    (root / "long.txt").rename(root / "moved.txt")
    sync([Root.of(root)], tmp_path / "index", replace(options, allow_deletes=True))
    assert encoded == []
    (root / "moved.txt").write_text("\n\n".join([*paragraphs, "A ship came in."]))
    sync([Root.of(root)], tmp_path / "index", options)
    assert 0 < len(encoded) < first
