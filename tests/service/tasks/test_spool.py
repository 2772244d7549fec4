import hashlib

from dragoman.service.tasks.spool import SpooledFile, TaskSpool
from dragoman.types import Document


def test_files_come_back_with_their_names_and_digests(tmp_path):
    spool = TaskSpool(tmp_path)
    with spool.begin("t") as data:
        data.open_file("../a.txt")
        data.write(b"one ")
        data.write(b"two")
        data.close_file()
        assert data.count == 1
        data.finish()
    ((path, file),) = spool.files("t")
    assert path.read_bytes() == b"one two"
    assert path.parent == spool.path("t")
    digest = hashlib.blake2b(b"one two", digest_size=16).hexdigest()
    assert file == SpooledFile("../a.txt", 7, digest)


def test_documents_come_back_as_they_were(tmp_path):
    spool = TaskSpool(tmp_path)
    documents = [
        Document("a", "line\nbreak \u2028 \x00 <script>", "t", "en", {"year": 1}),
        Document("b", "ب"),
    ]
    with spool.begin("t") as data:
        assert data.write_documents(documents) == 2
        data.finish()
    assert [*spool.documents("t")] == documents


def test_what_was_not_finished_is_removed(tmp_path):
    spool = TaskSpool(tmp_path)
    with spool.begin("t") as data:
        data.open_file("a")
        data.write(b"half")
    assert [*spool.folder.iterdir()] == []


def test_a_sweep_leaves_what_is_needed(tmp_path):
    spool = TaskSpool(tmp_path)
    for name in ("needed", "used"):
        with spool.begin(name) as data:
            data.write_documents([])
            data.finish()
    (spool.folder / "killed.part").mkdir()
    spool.sweep(["needed"])
    assert [one.name for one in spool.folder.iterdir()] == ["needed"]


def test_other_users_cannot_read_the_spool(tmp_path):
    spool = TaskSpool(tmp_path)
    assert spool.folder.stat().st_mode & 0o077 == 0
