"""Folder -> the file system it is on: SQLite's write-ahead log needs a local one."""

from pathlib import Path

from dragoman.errors import IndexFault

MOUNTS = Path("/proc/mounts")
NETWORK = {"9p", "afs", "ceph", "cifs", "glusterfs", "lustre", "nfs", "nfs4", "smb3", "smbfs"}


def refuse_network(folder: Path) -> None:
    """Raise ``IndexFault`` where ``folder`` is on a file system shared by several machines."""
    kind = filesystem(folder)
    if kind in NETWORK or kind.startswith("fuse.ssh"):
        raise IndexFault(
            f"{folder}: found a network file system ({kind}), where several machines could damage"
            " the database; expected a local disk. Build the index on one, and copy the folder"
            " while it is closed: it can be searched anywhere."
        )


def filesystem(folder: Path) -> str:
    """The type of the file system that holds ``folder``, as in ``ext4``; empty where unknown."""
    if not MOUNTS.is_file():
        return ""
    path, deepest, kind = folder.resolve(), -1, ""
    for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        _, mounted, mounted_kind, *_ = line.split(" ")
        mount_point = Path(mounted.replace("\\040", " "))
        if path.is_relative_to(mount_point) and len(mount_point.parts) >= deepest:
            deepest, kind = len(mount_point.parts), mounted_kind
    return kind
