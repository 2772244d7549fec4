"""An index in a cluster: the ``Index`` of a folder whose documents are elsewhere.

The manifest and the system (settings, own tables, students) are small files. They are kept in the
cluster, and in the user's cache of every machine that has the index open.
"""

from pathlib import Path
from typing import Any

from dragoman.cluster.address import ClusterAddress, parse_cluster_address
from dragoman.cluster.collections import STATE, current_collection
from dragoman.cluster.connection import Connection
from dragoman.cluster.state import ClusterState, Files
from dragoman.cluster.store import ClusterStore
from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes.documents import TREATMENT
from dragoman.indexes.index import Index
from dragoman.indexes.manifest import Manifest
from dragoman.indexes.search.answer import Answer
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.system import System
from dragoman.storage.cache import cache_folder
from dragoman.storage.staging import staged_folder
from dragoman.types import Query, Ranking

SYSTEM_FILES = "files"
SUPPORTED = ("bm25", "dense", "hybrid", "psq")  # systems that the conformance tests cover


class ClusterIndex(Index):
    """An open index in a cluster; searches may come from several threads and several processes."""

    def __init__(self, address: ClusterAddress | str) -> None:
        self.address = parse_cluster_address(address) if isinstance(address, str) else address
        self.connection = Connection(self.address)
        try:
            self._collection = published(self.connection)
            super().__init__(local_files(self.connection, self._collection))
        except BaseException:
            self.connection.close()
            raise

    @property
    def place(self) -> str:
        """Where the index is, for messages."""
        return str(self.address)

    @property
    def name(self) -> str:
        """The name of the index in a service."""
        return self.address.name

    def probe(self) -> str:
        """Why it cannot be searched truthfully now; empty where it can.

        All shards must answer, and have as many documents as the statistics count.
        """
        store = self.cluster_store
        try:
            head = store.state.head()
            expected = sum(store.statistics(head).languages.values())
            found = store.retrieval.count(None)
            written_meanwhile = head.owner or store.state.head() != head
        except DragomanError as error:
            return str(error)
        if found == expected or written_meanwhile:
            return ""
        return f"{self.place}: found {found:,} documents; expected {expected:,}."

    def search(self, text: str, k: int = 10, **options: Any) -> Answer:  # noqa: ANN401
        """As in a folder; repeated where the build that it began with was removed meanwhile."""
        with self.connection.one_search():
            return self._with_retries(lambda: super(ClusterIndex, self).search(text, k, **options))

    def rank(
        self, query: Query, k: int, scope: Scope | None = None, rerank: Rerank | str | None = None
    ) -> Ranking:
        """The ranking alone; repeated as ``search`` is."""
        ranked = super().rank
        with self.connection.one_search():
            return self._with_retries(lambda: ranked(query, k, scope, rerank))

    def close(self) -> None:
        """Close the connections."""
        super().close()
        self.connection.close()

    def _open_store(self) -> ClusterStore:
        return ClusterStore(self.connection, self._collection, self.system.spaces)

    @property
    def cluster_store(self) -> ClusterStore:
        """The store, for what needs its collections."""
        assert isinstance(self.store, ClusterStore)
        return self.store

    def _reopen(self) -> None:
        self._collection = published(self.connection)
        self.folder = local_files(self.connection, self._collection)
        self._store = self._system = None
        self.manifest = Manifest.read(self.folder)

    def _treatments(self, system: System) -> dict[str, str]:
        store = ClusterStore(self.connection, self._collection, system.spaces)
        facts = store.statistics(store.state.head()).facts
        return {n.removeprefix(TREATMENT): v for n, v in facts.items() if n.startswith(TREATMENT)}


def open_if_there(address: str) -> ClusterIndex | None:
    """The index at an address; None where the cluster has none of this name."""
    connection = Connection(parse_cluster_address(address))
    try:
        there = current_collection(connection) is not None
    finally:
        connection.close()
    return ClusterIndex(address) if there else None


def published(connection: Connection) -> str:
    """The collection of the index; an error where the cluster has no such index."""
    collection = current_collection(connection)
    if collection is None:
        raise IndexFault(
            f"{connection.address}: the cluster has no index of this name. Build one with: dragoman"
            f" index SOURCE --store {connection.address}"
        )
    return collection


def local_files(connection: Connection, collection: str) -> Path:
    """The folder in the cache that has the manifest and the system of a build."""
    folder = cache_folder() / "clusters" / collection
    if folder.is_dir():
        return folder
    data = ClusterState(connection, collection + STATE).read_blob(SYSTEM_FILES)
    if data is None:
        raise IndexFault(
            f"{connection.address}: found no manifest and system; expected those of the build."
            " Build the index again."
        )
    with staged_folder(folder) as staging:
        for name, content in Files.from_bytes(data).contents.items():
            path = (staging / name).resolve()
            if not path.is_relative_to(staging.resolve()):
                raise IndexFault(f"{connection.address}: found the file name {name!r}; refused.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return folder
