"""Which file system a folder is on: SQLite's write-ahead log needs shared memory of one machine."""

from pathlib import Path

from dragoman.errors import IndexFault

MOUNTS = Path("/proc/mounts")
NETWORK = {"9p", "afs", "ceph", "cifs", "glusterfs", "lustre", "nfs", "nfs4", "smb3", "smbfs"}


def refuse_network(folder: Path) -> None:
    """Refuse to write an index to a file system that other machines share."""
    kind = filesystem(folder)
    if kind in NETWORK or kind.startswith("fuse.ssh"):
        raise IndexFault(
            f"{folder}: found a network file system ({kind}), where several machines could damage"
            " the database; expected a local disk. Build the index on one, and copy the folder"
            " while it is closed: it can be searched anywhere."
        )


def filesystem(folder: Path) -> str:
    """The kind of file system that a folder is on; empty where the system does not tell."""
    if not MOUNTS.is_file():
        return ""
    place, best, kind = folder.resolve(), -1, ""
    for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        _, mounted, named, *_ = line.split(" ")
        at = Path(mounted.replace("\\040", " "))
        if place.is_relative_to(at) and len(at.parts) >= best:
            best, kind = len(at.parts), named
    return kind
