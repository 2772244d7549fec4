"""An index in a folder <-> the same index in a cluster: nothing is encoded again.

Documents, rows, counts and words are copied bit for bit, so that rankings are equal. A copy that
was interrupted continues where it stopped. At its end the documents are compared by checksums.
"""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.batches import batched
from dragoman.cluster.address import ClusterAddress
from dragoman.cluster.building import ClusterBuild
from dragoman.cluster.collections import STATE, collection_name
from dragoman.cluster.connection import Connection
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.points import StoredDocument, payload_of
from dragoman.cluster.settings import layout
from dragoman.cluster.snapshot import MEAN
from dragoman.cluster.state import FORMAT, ClusterState
from dragoman.cluster.statistics import Layer
from dragoman.errors import IndexFault
from dragoman.indexes.index import Index
from dragoman.indexes.kinds.layout import Packed
from dragoman.indexes.lock import Lock
from dragoman.indexes.maintenance.checksums import CHECKSUMS, write_checksums
from dragoman.indexes.manifest import MANIFEST, STORE, SYSTEM, Manifest, refuse_foreign_folder
from dragoman.indexes.segment import SegmentReader
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Counts, Record, Space, SpaceKind, Vector
from dragoman.indexes.store import PATIENCE, Store
from dragoman.protocols import Stage, no_stages
from dragoman.storage.folders import replace_folder

BATCH = 256  # documents
PROGRESS, EVERY = "progress", 8  # the blob that counts the batches written, and how often
OWN_FACTS = ("generation", "segment", MEAN)  # that belong to one store alone


def copy_to_cluster(
    folder: Path, address: ClusterAddress, stage: Stage = no_stages
) -> ClusterIndex:
    """The index in ``folder``, copied to a cluster, where it replaces the one of its name."""
    with (
        Index(folder) as index,
        index.snapshot() as snapshot,
        TemporaryDirectory(prefix="dragoman-") as name,
        closing(Connection(address)) as connection,
    ):
        identity = _identity(connection, f"{index.manifest.identity} {snapshot.generation}")
        replace(index.manifest, identity=identity).write(Path(name))
        shutil.copytree(folder / SYSTEM, Path(name) / SYSTEM)
        write_checksums(Path(name))
        spaces = index.system.spaces
        build = ClusterBuild(connection, Path(name), spaces)
        build.facts |= _means(snapshot, spaces)
        done = int(build.state.read_blob(PROGRESS) or 0)
        advance, checksum = stage("copying", len(snapshot)), 0
        for number, batch in enumerate(batched(stored_documents(snapshot, spaces), BATCH)):
            build.add(batch, written=number < done)
            checksum += sum(payload_of(one, spaces, 0)["checksum"] for one in batch)
            if number >= done and (number + 1) % EVERY == 0:
                build.state.write_blob(PROGRESS, str(number + 1).encode(), 0)
            advance(len(batch))
        build.refuse_other(len(snapshot), checksum)
        build.finish(_facts(snapshot), Layer(words=_words(snapshot, spaces)))
    return ClusterIndex(address)


def _identity(connection: Connection, source: str) -> str:
    """That of a copy which was begun from this state of a folder with these settings, or a new one.

    A copy that was finished may have been changed since, so it is not continued.
    """
    for attempt in count():
        state = f"{source} {FORMAT} {layout(connection.settings)} {attempt}"
        identity = hashlib.sha256(state.encode()).hexdigest()[:32]
        collection = collection_name(connection.address.name, identity)
        if not ClusterState(connection, collection + STATE).is_finished():
            break
    return identity


def _means(snapshot: Snapshot, spaces: Sequence[Space]) -> dict[str, str]:
    return {
        f"{MEAN}{space.name}:{code}": str(mean)
        for space in spaces
        if space.kind is SpaceKind.COUNTS
        for code, mean in snapshot.mean_lengths(space.name).items()
    }


def _facts(snapshot: Snapshot) -> dict[str, str]:
    every = snapshot.facts_named("")
    return {name: value for name, value in every.items() if not name.startswith(OWN_FACTS)}


def _words(snapshot: Snapshot, spaces: Sequence[Space]) -> dict[str, dict[str, tuple[str, ...]]]:
    words: dict[str, dict[str, set[str]]] = {}
    for space in (one.name for one in spaces if one.kind is SpaceKind.WORDS):
        for reader in snapshot.readers:
            listed = reader.segment.words(space)
            for code in listed.languages:
                mine = words.setdefault(space, {}).setdefault(code, set())
                mine.update(listed.words(code))
    return {s: {c: tuple(sorted(w)) for c, w in mine.items()} for s, mine in words.items()}


def stored_documents(snapshot: Snapshot, spaces: Sequence[Space]) -> Iterator[StoredDocument]:
    """The live documents of a folder, segment by segment, with their packed vectors."""
    for reader in snapshot.readers:
        live = np.ones(len(reader.segment), np.bool_)
        if len(reader.deleted):
            live = ~reader.deleted
        packed = {
            space.name: _packed_counts(reader, space.name)
            for space in spaces
            if space.kind is SpaceKind.COUNTS
        }
        rows = [space.name for space in spaces if space.kind is SpaceKind.ROWS]
        for some in batched(np.flatnonzero(live).tolist(), BATCH):
            documents = snapshot.documents(np.array(some) + reader.base)
            for position, document in zip(some, documents, strict=True):
                vectors: dict[str, Packed] = {n: mine[position] for n, mine in packed.items()}
                for name in rows:
                    if len(matrix := reader.segment.rows(name).of(position)):
                        vectors[name] = {"rows": matrix}
                yield StoredDocument(document, vectors)


def _packed_counts(reader: SegmentReader, space: str) -> list[Packed]:
    """The counts of each document of a segment, whose postings are by dimension."""
    postings = reader.segment.postings(space)
    postings.check(postings.starts[:1], postings.starts[-1:])
    owners = np.asarray(postings.documents)
    order = np.argsort(owners, kind="stable")
    dimensions = postings.dimensions.repeat(np.diff(postings.starts))[order]
    counts = np.asarray(postings.counts)[order]
    ends = np.searchsorted(owners[order], np.arange(len(reader.segment) + 1)).tolist()
    return [
        {
            "dimensions": dimensions[first:last],
            "counts": counts[first:last],
            "length": postings.lengths[row : row + 1],
        }
        for row, (first, last) in enumerate(pairwise(ends))
    ]


def copy_to_folder(address: ClusterAddress, folder: Path, stage: Stage = no_stages) -> Index:
    """The index in a cluster, copied to ``folder``, which is replaced when all is there."""
    refuse_foreign_folder(folder)
    staging = folder.with_name(f".{folder.name}.copying")
    staging.mkdir(parents=True, exist_ok=True)
    with Lock(staging, patience=0), ClusterIndex(address) as source:
        _begin_folder(source, staging)
        with Index(staging) as target, source.snapshot() as snapshot:
            _fill_folder(source, snapshot, target, stage)
        if (folder / STORE).is_dir():
            with Lock(folder / STORE, PATIENCE):
                old = replace_folder(staging, folder)
        else:
            old = replace_folder(staging, folder)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)
    return Index(folder)


def _begin_folder(source: ClusterIndex, staging: Path) -> None:
    """An empty index with the manifest and system, unless a copy of this build was begun."""
    spaces = source.system.spaces
    if (staging / CHECKSUMS).is_file() and Manifest.read(staging).identity == (
        source.manifest.identity
    ):
        return
    for name in (STORE, SYSTEM):
        shutil.rmtree(staging / name, ignore_errors=True)
    shutil.copytree(source.folder / SYSTEM, staging / SYSTEM)
    shutil.copy(source.folder / MANIFEST, staging / MANIFEST)
    Store.create(staging / STORE, spaces).close()
    write_checksums(staging)


def _fill_folder(source: ClusterIndex, snapshot: Snapshot, target: Index, stage: Stage) -> None:
    """Copy the documents that are not there yet, by id, and compare them at the end."""
    spaces, store = source.system.spaces, source.cluster_store
    words = Layer.sum(store.statistics(store.state.head()).layers).words
    doc_ids, done = snapshot.all_ids(), {*target.doc_ids()}
    advance, given = stage("copying", len(doc_ids)), set[tuple[str, str]]()
    for some in batched(doc_ids, 8 * BATCH):
        missing = [doc_id for doc_id in some if doc_id not in done]
        if missing:
            records = [_record(one, spaces, words, given) for one in store.stored(missing)]
            target.store_records(records, memtable=0)
        advance(len(some))
    if target.count() != len(doc_ids):
        raise IndexFault(
            f"{source.place}: {target.count():,} documents were copied; expected {len(doc_ids):,},"
            " as there were at the beginning. Repeat the command."
        )
    target.change(lambda opened: opened.add((), _facts(snapshot)))
    target.optimize()


def _record(
    stored: StoredDocument,
    spaces: Sequence[Space],
    words: Mapping[str, Mapping[str, tuple[str, ...]]],
    given: set[tuple[str, str]],
) -> Record:
    """A document as it is stored; the first one of a language brings all words of it."""
    vectors: dict[str, Vector] = {}
    for space in spaces:
        packed, language = stored.vectors.get(space.name), stored.document.language
        if space.kind is SpaceKind.WORDS and (space.name, language) not in given:
            given.add((space.name, language))
            vectors[space.name] = words.get(space.name, {}).get(language, ())
        elif packed and space.kind is SpaceKind.COUNTS:
            length = int(packed["length"][0])
            vectors[space.name] = Counts(packed["dimensions"], packed["counts"], length)
        elif packed and space.kind is SpaceKind.ROWS:
            vectors[space.name] = packed["rows"]
    return Record(stored.document, vectors)
