"""A recorded log of calls -> the folder as a disk may hold it when the power fails at some call.

What a file's own fsync covered is there. Of later writes any part may be: all, none, or some
sectors of some of them. The same holds for names, which the fsync of their folder covers.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

HEAD = struct.Struct("<cIQI")  # kind, handle, offset, length, as in shim.c
SECTOR = 512
LEFT_OUT = ("-shm",)  # memory that SQLite maps: not recorded, and worth nothing after a crash


@dataclass(frozen=True)
class Call:
    """One recorded call."""

    kind: str
    handle: int
    offset: int
    data: bytes

    @property
    def path(self) -> str:
        return self.data.decode()


@dataclass
class File:
    """What is surely on the disk, and the writes that may not be: (offset, data or None)."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for write in self.pending:
            _apply(self.durable, *write)
        self.pending.clear()

    def after_crash(self, chance: float, rng: np.random.Generator) -> bytes:
        """The content where each pending write survives by chance; between 0 and 1 also in part."""
        content = bytearray(self.durable)
        for offset, data in self.pending:
            if chance in (0, 1) or data is None:
                if rng.random() < chance:
                    _apply(content, offset, data)
                continue
            for start in range(0, len(data), SECTOR):
                if rng.random() < chance:
                    _apply(content, offset + start, data[start : start + SECTOR])
        return bytes(content)


@dataclass
class Folder:
    """The names that are surely on the disk, and all of this moment."""

    durable: dict[str, "File | Folder"] = field(default_factory=dict)
    entries: dict[str, "File | Folder"] = field(default_factory=dict)


# one change of names, whole or not at all: (folder, name, what it names from now on)
Renaming = list[tuple[Folder, str, File | Folder | None]]


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def read_log(path: Path) -> Iterator[Call]:
    """The calls in their order."""
    data, place = path.read_bytes(), 0
    while place < len(data):
        kind, handle, offset, length = HEAD.unpack_from(data, place)
        place += HEAD.size
        yield Call(kind.decode(), handle, offset, data[place : place + length])
        place += length


class Disk:
    """A folder of the disk while a log is replayed."""

    def __init__(self, root: Path) -> None:
        """Begin with what is in the folder, all of it flushed."""
        self._root = PurePosixPath(root.resolve())
        self._top = _read(root)
        self._handles: dict[int, File | Folder] = {}
        self._renamings: list[Renaming] = []

    def play(self, call: Call) -> None:
        """One call more."""
        if call.kind in "OCE":
            self._open(call)
        elif call.kind in "WT" and isinstance(self._handles[call.handle], Folder):
            pass  # an unnamed file (O_TMPFILE), opened by the path of its folder, is never seen
        elif call.kind == "W":
            self._file(call).pending.append((call.offset, call.data))
        elif call.kind == "T":
            self._file(call).pending.append((call.offset, None))
        elif call.kind == "S":
            self._sync(self._handles[call.handle])
        elif call.kind in "UX":
            self._rename([(*self._place(call.path), None)])
        elif call.kind == "M":
            self._rename([(*self._place(call.path), Folder())])
        elif call.kind in "RY":
            source, target = map(self._place, call.path.split("\0"))
            moved = source[0].entries[source[1]]
            replaced = target[0].entries[target[1]] if call.kind == "Y" else None
            self._rename([(*source, replaced), (*target, moved)])
        else:
            raise ValueError(call)

    def _open(self, call: Call) -> None:
        if PurePosixPath(call.path) == self._root:
            self._handles[call.handle] = self._top
            return
        folder, name = self._place(call.path)
        if call.kind == "C":
            self._rename([(folder, name, File())])
        self._handles[call.handle] = folder.entries[name]
        if call.kind == "E":
            self._file(call).pending.append((0, None))

    def _file(self, call: Call) -> File:
        found = self._handles[call.handle]
        assert isinstance(found, File)
        return found

    def _place(self, path: str) -> tuple[Folder, str]:
        *parents, name = PurePosixPath(path).relative_to(self._root).parts
        folder = self._top
        for parent in parents:
            found = folder.entries[parent]
            assert isinstance(found, Folder)
            folder = found
        return folder, name

    def _rename(self, renaming: Renaming) -> None:
        self._renamings.append(renaming)
        for folder, name, node in renaming:
            _bind(folder.entries, name, node)

    def _sync(self, node: File | Folder) -> None:
        if isinstance(node, File):
            node.sync()
            return
        left = []
        for renaming in self._renamings:
            if any(folder is node for folder, _, _ in renaming):
                for folder, name, named in renaming:
                    _bind(folder.durable, name, named)
            else:
                left.append(renaming)
        self._renamings = left

    def write_out(
        self, target: Path, writes: float, names: float, rng: np.random.Generator
    ) -> None:
        """The folder after a crash, where unflushed writes and names survive with these chances."""
        changed: dict[int, dict[str, File | Folder]] = {}
        for renaming in self._renamings:
            if rng.random() < names:
                for folder, name, node in renaming:
                    _bind(changed.setdefault(id(folder), dict(folder.durable)), name, node)

        def write(folder: Folder, path: Path) -> None:
            path.mkdir(parents=True)
            for name, node in changed.get(id(folder), folder.durable).items():
                if isinstance(node, Folder):
                    write(node, path / name)
                elif not name.endswith(LEFT_OUT):
                    (path / name).write_bytes(node.after_crash(writes, rng))

        write(self._top, target)


def _bind(names: dict[str, File | Folder], name: str, node: File | Folder | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def _read(path: Path) -> Folder:
    found = Folder()
    for one in path.iterdir():
        node = _read(one) if one.is_dir() else File(bytearray(one.read_bytes()))
        found.durable[one.name] = found.entries[one.name] = node
    return found
