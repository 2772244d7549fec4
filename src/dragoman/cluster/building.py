"""Documents -> a new index in a cluster, which replaces the one of its name when it is complete.

The points are written to new collections, which no search sees until one change of aliases
publishes them. A build that is repeated with the same identity continues where it stopped.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dragoman import compilation, registry
from dragoman.cluster.address import ClusterAddress
from dragoman.cluster.collections import (
    STATE,
    collection_name,
    create_collections,
    enough_nodes,
    publish,
    remove_collections,
)
from dragoman.cluster.connection import Connection
from dragoman.cluster.index import SUPPORTED, SYSTEM_FILES, ClusterIndex
from dragoman.cluster.points import StoredDocument
from dragoman.cluster.snapshot import MEAN
from dragoman.cluster.state import ClusterState, Files, Head
from dragoman.cluster.statistics import Layer
from dragoman.cluster.store import ClusterStore
from dragoman.errors import IndexFault, UserError
from dragoman.indexes.documents import TREATMENT
from dragoman.indexes.maintenance.checksums import CHECKSUMS, write_checksums
from dragoman.indexes.manifest import MANIFEST, SYSTEM, Manifest
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.pipeline import EncodingWorkers, Pipeline, passages_of
from dragoman.indexes.spaces import Space
from dragoman.indexes.spool import Spool
from dragoman.indexes.system import CollectsStatistics, System
from dragoman.protocols import Stage, no_stages
from dragoman.storage.staging import staged_folder
from dragoman.types import Document

SUMMED = 32  # layers that are kept before they are summed


class ClusterBuild:
    """A build that is being filled."""

    def __init__(self, connection: Connection, folder: Path, spaces: Sequence[Space]) -> None:
        self.connection = connection
        self.manifest = Manifest.read(folder)
        refuse_unsupported(self.manifest.system)
        self.collection = collection_name(connection.address.name, self.manifest.identity)
        create_collections(connection, self.collection, spaces)
        self.store = ClusterStore(connection, self.collection, spaces)
        self.state = ClusterState(connection, self.collection + STATE)
        files = [folder / MANIFEST, folder / CHECKSUMS, *(folder / SYSTEM).rglob("*")]
        contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in files
            if path.is_file()
        }
        self.state.write_blob(SYSTEM_FILES, Files(contents).to_bytes(), 0)
        self.facts: dict[str, str] = {}
        self._layers: list[Layer] = []

    def add(self, documents: Sequence[StoredDocument], *, written: bool = False) -> None:
        """Write documents; those that an earlier attempt has ``written`` are only counted."""
        layer = Layer.of_change(documents, (), self.store.spaces, {})
        for space, lengths in layer.lengths.items():
            for code, (total, filled) in lengths.items():
                if filled:
                    self.facts.setdefault(f"{MEAN}{space}:{code}", str(total / filled))
        if not written:
            self.store.write_points(documents, self.facts, 0)
        self._layers.append(layer)
        if len(self._layers) >= SUMMED:
            self._layers = [Layer.sum(self._layers)]

    def refuse_other(self, count: int, checksum: int) -> None:
        """Refuse to go on where the points are not those that were written, by their checksums."""
        found = [one.payload["checksum"] for one in self.store.retrieval.scroll(["checksum"])]
        if (len(found), sum(found)) != (count, checksum):
            raise IndexFault(
                f"{self.connection.address}: found {len(found):,} documents with the sum"
                f" {sum(found)} of their checksums; expected {count:,} with {checksum}. Repeat the"
                " command; if that does not help, remove the collection"
                f" {self.collection} first."
            )

    def finish(self, facts: Mapping[str, str], words: Layer | None = None) -> None:
        """Write the statistics, publish the build and remove the one before.

        ``words`` is a layer of words that are not those of single documents.
        """
        recorded = Layer(facts={**self.facts, **facts})
        layers = [*self._layers, recorded, *([words] if words else [])]
        self.state.write_blob("base:0", Layer.sum(layers).to_bytes(), 0)
        self.state.create_head(Head(self.manifest.identity))
        before = publish(self.connection, self.collection)
        if before is not None:
            time.sleep(self.connection.settings.read_seconds)  # searches that have begun may end
            remove_collections(self.connection, before)


def refuse_unsupported(system: str) -> None:
    """Refuse a system whose search reads all documents."""
    if system not in SUPPORTED:
        raise UserError(
            f"Found the system {system!r}; a cluster searches with {', '.join(SUPPORTED)}. Others"
            " can re-rank its hits: --rerank"
        )


def build_in_cluster(
    documents: Iterable[Document],
    address: ClusterAddress,
    *,
    system: str,
    version: str,
    settings: Mapping[str, object] | None = None,
    stage: Stage = no_stages,
    workers: EncodingWorkers | None = None,
) -> ClusterIndex:
    """The index of ``documents`` in a cluster, which replaces the one of its name at the end."""
    refuse_unsupported(system)
    kind = registry.system(system)
    config = kind.configure(settings or {})
    connection = Connection(address)
    connection.read(lambda client: enough_nodes(client, address.settings))  # before all is read
    with TemporaryDirectory(prefix="dragoman-") as name:
        folder = Path(name)
        made: System = kind.create(config)
        spool = Spool.write(documents, folder, stage("reading", None))
        if isinstance(made, CollectsStatistics):
            made.collect(spool, stage("collecting statistics", spool.count))
        with staged_folder(folder / SYSTEM) as saved:
            made.save(saved)
        warnings = tuple(made.warnings(sorted(spool.languages)))
        Manifest(version, made.name, made.settings, warnings).write(folder)
        write_checksums(folder)
        build = ClusterBuild(connection, folder, made.spaces)
        compilation.enable()
        advance = stage("indexing passages", spool.passages)
        with Pipeline(made, spool, workers=workers) as pipeline:
            for records in pipeline:
                packed = [(one.document, pack_record(one, made.spaces)) for one in records]
                build.add([StoredDocument(*one) for one in packed])
                advance(passages_of(record.document for record in records))
        build.finish({f"{TREATMENT}{code}": made.treatment(code) for code in spool.languages})
    connection.close()
    return ClusterIndex(address)
