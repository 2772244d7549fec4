"""The writers of a service's indexes, opened when the first write comes."""

import logging
from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from dragoman.errors import DragomanError
from dragoman.indexes.index import Index
from dragoman.service.tasks.store import DATABASE, index_state
from dragoman.service.tasks.writer import Writer

log = logging.getLogger("dragoman.service")


class Writers:
    """One writer for each index of a service."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self._writers: dict[Path, Writer] = {}
        self._opening = Lock()
        self.receiving = 0  # uploads at the moment

    def resume(self, indexes: Iterable[Index]) -> None:
        """Take up the tasks that an earlier service left."""
        for index in indexes:
            if (index_state(self.state, index.folder) / DATABASE).is_file():
                try:
                    self.of(index)
                except (DragomanError, OSError) as error:  # searches go on
                    log.warning("%s: nothing is written to it: %s", index.folder, error)

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

    def count_active(self) -> int:
        """How many tasks wait or run."""
        return sum(one.store.count_active() for one in [*self._writers.values()])

    def close(self) -> None:
        """End all writers; their tasks go on with the next service."""
        with self._opening:
            for writer in self._writers.values():
                writer.close()
            self._writers.clear()
