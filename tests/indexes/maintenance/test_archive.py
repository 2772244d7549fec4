"""Snapshots that are taken while an index lives, and indexes that are restored from them."""

import io
import shutil
import tarfile
import threading

import pytest
import zstandard

import dragoman
from dragoman.errors import IndexFault, InputError
from dragoman.indexes.maintenance import archive
from dragoman.indexes.maintenance.archive import restore, snapshot
from dragoman.indexes.maintenance.verification import verify
from dragoman.storage.database import StorageError
from dragoman.text.files import open_bytes
from dragoman.types import Document
from small_index import SETTINGS, answers, execute, flip, segment_of, small_index

MEMBERS = [
    "manifest.json",
    "checksums.json",
    "system/config.json",
    "store/documents.sqlite",
    "store/segments/00000001.segment",
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return small_index(tmp_path_factory.mktemp("whole") / "index")


@pytest.fixture(scope="module")
def packed(whole, tmp_path_factory):
    path = tmp_path_factory.mktemp("packed") / "index.tar.zst"
    snapshot(whole, path)
    return path


@pytest.fixture
def index(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "index")


def members(path):
    """The files in an archive by name."""
    with open_bytes(path) as stream, tarfile.open(fileobj=stream, mode="r|") as opened:
        return {member.name: opened.extractfile(member).read() for member in opened}


def pack(path, files, *others):
    """An archive of these files and members."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as written:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            written.addfile(member, io.BytesIO(content))
        for member in others:
            written.addfile(member)
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(plain.getvalue()))
    return path


def test_a_restored_index_is_the_one_that_was_packed(whole, packed, tmp_path):
    report = restore(packed, tmp_path / "deep" / "restored")
    assert (report.documents, report.segments) == (4, 1)
    assert verify(tmp_path / "deep" / "restored").findings == ()
    assert answers(tmp_path / "deep" / "restored") == answers(whole)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["restored"]


def test_a_restored_index_can_be_changed_and_an_empty_folder_is_filled(packed, tmp_path):
    (tmp_path / "restored").mkdir()
    restore(packed, tmp_path / "restored")
    with dragoman.open(tmp_path / "restored") as opened:
        opened.add([Document("new", "Neues vom Mond", language="de")])
        opened.optimize()
        assert opened.count() == 5
    assert verify(tmp_path / "restored").findings == ()


def test_the_same_state_gives_the_same_bytes(whole, packed, tmp_path):
    snapshot(whole, tmp_path / "again.tar.zst")
    assert (tmp_path / "again.tar.zst").read_bytes() == packed.read_bytes()
    assert [*members(packed)] == MEMBERS


def test_what_a_killed_process_has_left_is_not_packed(index, packed, tmp_path):
    (index / "store" / "segments" / "00000099.segment").write_bytes(b"left over")
    (index / "cat.jpg").write_bytes(b"cat")
    snapshot(index, tmp_path / "again.tar.zst")
    assert (tmp_path / "again.tar.zst").read_bytes() == packed.read_bytes()


def test_snapshots_of_an_index_that_is_written_hold_what_was_acknowledged(index, tmp_path):
    acknowledged, ended = [0], threading.Event()

    def write():
        with dragoman.open(index) as opened:
            while not ended.is_set():
                number = acknowledged[0] + 1
                opened.add([Document(f"n{number:04}", f"word{number} tide", language="en")])
                acknowledged[0] = number
                if number % 4 == 0:
                    opened.store.add([], {}, memtable=-1)
                    opened.optimize()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(8):
            before = acknowledged[0]
            snapshot(index, tmp_path / f"{number}.tar.zst")
            after = acknowledged[0] + 1  # the next may be committed and not told yet
            restore(tmp_path / f"{number}.tar.zst", tmp_path / f"{number}")
            with dragoman.open(tmp_path / f"{number}") as opened:
                added = [doc_id for doc_id in opened.doc_ids() if doc_id.startswith("n")]
            assert added == [f"n{n:04}" for n in range(1, len(added) + 1)]
            assert before <= len(added) <= after
    finally:
        ended.set()
        writer.join()


def test_a_merge_that_unlinks_a_segment_meanwhile_is_waited_for(index, tmp_path, monkeypatch):
    with dragoman.open(index) as opened:
        opened.add([Document(f"n{n}", "tide", language="en") for n in range(3)])
        opened.store.add([], {}, memtable=-1)
        merged, link = [], archive._link

        def link_after_a_merge(source, target):
            if source.suffix == ".segment" and not merged:
                merged.append(source.name)
                opened.optimize()
            link(source, target)

        monkeypatch.setattr(archive, "_link", link_after_a_merge)
        report = snapshot(index, tmp_path / "merged.tar.zst")
    assert merged == ["00000001.segment"]
    assert (report.documents, report.segments) == (7, 1)
    assert "store/segments/00000003.segment" in members(tmp_path / "merged.tar.zst")


def test_an_index_that_is_built_anew_meanwhile_is_taken_whole(index, tmp_path, monkeypatch):
    built, link = [], archive._link

    def link_after_a_build(source, target):
        link(source, target)
        if source.name == "checksums.json" and not built:
            built.append(source.name)
            new = [Document("new", "Neues vom Mond", language="de")]
            dragoman.index(new, index, **SETTINGS).close()

    monkeypatch.setattr(archive, "_link", link_after_a_build)
    assert snapshot(index, tmp_path / "new.tar.zst").documents == 1
    assert restore(tmp_path / "new.tar.zst", tmp_path / "restored").documents == 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda folder: flip(segment_of(folder)), r"segments/00000001\.segment: found byte"),
        (lambda folder: segment_of(folder).unlink(), r"00000001\.segment: found no such file"),
        (lambda folder: flip(folder / "system" / "config.json", 9), r"system/config\.json: found"),
        (lambda folder: (folder / "checksums.json").unlink(), r"checksums\.json: found no such"),
        (
            lambda folder: execute(folder, "UPDATE documents SET title = x'41'"),
            r"documents\.sqlite: found documents whose texts differ",
        ),
        (
            lambda folder: (folder / "store" / "documents.sqlite").write_bytes(b"x" * 9000),
            r"documents\.sqlite: found a damaged database",
        ),
    ],
    ids=["segment", "no segment", "system", "no checksums", "text", "database"],
)
def test_damage_is_not_packed(index, tmp_path, monkeypatch, change, named):
    monkeypatch.setattr(archive, "PAUSE", 0.0)
    change(index)
    path = tmp_path / "index.tar.zst"
    path.write_bytes(b"the snapshot of yesterday")
    with pytest.raises(IndexFault, match=f"{named}.*dragoman verify"):
        snapshot(index, path)
    assert path.read_bytes() == b"the snapshot of yesterday"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["index", "index.tar.zst"]


def test_snapshots_are_files_outside_of_the_index(index, tmp_path):
    for path in (tmp_path, index / "store" / "index.tar.zst"):
        with pytest.raises(InputError, match="expected a file outside of the index"):
            snapshot(index, path)
    with pytest.raises(IndexFault, match="expected an index folder"):
        snapshot(tmp_path, tmp_path / "index.tar.zst")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match=r"Not a directory|File exists"):
        snapshot(index, tmp_path / "file" / "index.tar.zst")


def test_nothing_is_overwritten(packed, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    for path in (tmp_path / "photos", tmp_path / "photos" / "cat.jpg"):
        with pytest.raises(InputError, match="nothing is overwritten"):
            restore(packed, path)
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"cat"


def refused(path, tmp_path, message):
    """Whether an archive is refused and nothing is left of it."""
    (tmp_path / "here").mkdir(exist_ok=True)
    with pytest.raises(InputError, match=message):
        restore(path, tmp_path / "here" / "restored")
    return not any((tmp_path / "here").iterdir())


@pytest.mark.parametrize(
    "name",
    [
        "../escaped",
        "/escaped",
        "system/../../escaped",
        "system/./more.json",
        "system",
        "store/documents.sqlite-wal",
        "store/segments/more.txt",
        "store/segments/deep/00000002.segment",
        "cat.jpg",
        "manifest.json",
    ],
)
def test_members_that_no_snapshot_has_are_refused(packed, tmp_path, name):
    member = tarfile.TarInfo(name)
    path = pack(tmp_path / "bad.tar.zst", members(packed), member)
    assert refused(path, tmp_path, "found the member .* expected a file that `dragoman snapshot`")
    assert not list(tmp_path.rglob("escaped"))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_are_refused(packed, tmp_path, kind):
    member = tarfile.TarInfo("system/more.json")
    member.type, member.linkname = kind, "/etc/passwd"
    path = pack(tmp_path / "bad.tar.zst", members(packed), member)
    assert refused(path, tmp_path, "found the member 'system/more.json'")


def test_a_member_that_is_larger_than_the_disk_is_refused_before_it_is_written(packed, tmp_path):
    member = tarfile.TarInfo("system/more.bin")
    member.size = 1 << 60
    plain = io.BytesIO(member.tobuf())
    path = tmp_path / "large.tar.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(plain.getvalue()))
    with pytest.raises(StorageError, match=r"the snapshot's system/more\.bin has 1,152,921"):
        restore(path, tmp_path / "restored")
    assert [one.name for one in tmp_path.iterdir()] == ["large.tar.zst"]


@pytest.mark.parametrize("missing", ["manifest.json", "checksums.json", "store/documents.sqlite"])
def test_an_archive_without_a_needed_file_is_refused(packed, tmp_path, missing):
    files = {name: data for name, data in members(packed).items() if name != missing}
    path = pack(tmp_path / "bad.tar.zst", files)
    assert refused(path, tmp_path, f"an archive without {missing}")


@pytest.mark.parametrize("name", MEMBERS)
def test_damage_in_an_archive_is_not_restored(packed, tmp_path, name):
    files = members(packed)
    files[name] = bytes([files[name][0] ^ 0xFF]) + files[name][1:]
    path = pack(tmp_path / "bad.tar.zst", files)
    assert refused(path, tmp_path, f"in {name}; expected an index without damage. Nothing was")


def test_an_archive_that_is_cut_off_or_changed_is_refused(packed, tmp_path):
    data = packed.read_bytes()
    path = tmp_path / "bad.tar.zst"
    for place in range(0, len(data), 97):
        path.write_bytes(data[:place])
        assert refused(path, tmp_path, "expected"), f"cut off at {place}"
        path.write_bytes(data)
        flip(path, place)
        assert refused(path, tmp_path, "expected"), f"flipped at {place}"


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "cat.jpg").write_bytes(b"cat" * 1000)
    assert refused(tmp_path / "cat.jpg", tmp_path, "no archive of an index")
    assert refused(tmp_path / "nowhere", tmp_path, "no such file")
