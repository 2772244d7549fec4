import pytest

from dragoman.errors import IndexFault
from dragoman.storage import filesystems
from dragoman.storage.filesystems import filesystem, refuse_network


@pytest.fixture
def mounts(tmp_path, monkeypatch):
    """A table of mounts of our own; what it names need not be mounted."""
    table = tmp_path / "mounts"
    table.write_text(
        "/dev/vda / ext4 rw 0 0\n"
        f"server:/share {tmp_path}/far nfs4 rw 0 0\n"
        f"/dev/vdb {tmp_path}/far/near xfs rw 0 0\n"
        f"me@host: {tmp_path}/a\\040b fuse.sshfs rw 0 0\n"
    )
    monkeypatch.setattr(filesystems, "MOUNTS", table)
    return tmp_path


def test_the_innermost_mount_tells_the_file_system(mounts):
    assert filesystem(mounts) == "ext4"
    assert filesystem(mounts / "far" / "index") == "nfs4"
    assert filesystem(mounts / "far" / "near" / "index") == "xfs"
    assert filesystem(mounts / "farther") == "ext4"


def test_a_network_file_system_is_refused_by_name(mounts):
    refuse_network(mounts / "far" / "near")
    with pytest.raises(IndexFault, match=r"network file system \(nfs4\).* local disk"):
        refuse_network(mounts / "far" / "index")
    with pytest.raises(IndexFault, match=r"fuse\.sshfs"):
        refuse_network(mounts / "a b")


def test_an_unknown_system_tells_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(filesystems, "MOUNTS", tmp_path / "none")
    assert filesystem(tmp_path) == ""
    refuse_network(tmp_path)
