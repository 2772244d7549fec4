"""The writers of a service's indexes, opened when the first write comes."""

from pathlib import Path
from threading import Lock

from dragoman.indexes.index import Index
from dragoman.service.tasks.store import DATABASE, index_state
from dragoman.service.tasks.writer import Writer


class Writers:
    """One writer for each index of a service."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self._writers: dict[Path, Writer] = {}
        self._opening = Lock()

    def resume(self, index: Index) -> None:
        """Take up the tasks that an earlier service left for an index."""
        if (index_state(self.state, index.folder) / DATABASE).is_file():
            self.of(index)

    def of(self, index: Index) -> Writer:
        """The writer of an index."""
        with self._opening:
            if index.folder not in self._writers:
                folder = index_state(self.state, index.folder)
                self._writers[index.folder] = Writer(index, folder)
            return self._writers[index.folder]

    def known(self, index: Index) -> Writer | None:
        """The writer of an index that has been written to; None without one."""
        return self._writers.get(index.folder)

    def close(self) -> None:
        """End all writers; their tasks go on with the next service."""
        with self._opening:
            for writer in self._writers.values():
                writer.close()
            self._writers.clear()
