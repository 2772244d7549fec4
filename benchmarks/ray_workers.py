"""Documents encoded in one process, by one and by two Ray workers, and by actors of Ray Data.

    python benchmarks/ray_workers.py ../shared/data/kubernetes-docs/en.jsonl.gz --documents 300

A line has the documents a second, the processor time of all processes that took part, from the
first batch to the last, and whether the vectors are those of the first line. Starting Ray and
loading the encoder are not counted: every line encodes one small batch before.
"""

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from dragoman import compilation, registry
from dragoman.indexes.memtable import pack_record, to_bytes
from dragoman.indexes.pipeline import Pipeline
from dragoman.indexes.spaces import Record
from dragoman.indexes.system import System
from dragoman.text.files import Faults
from dragoman.text.language_detection import with_languages
from dragoman.text.source import read_documents
from dragoman.types import Document
from dragoman.workers.ray_workers import RayWorkers

SIZE = 32  # documents in a batch, so that some hundred are many batches
TICKS = os.sysconf("SC_CLK_TCK")
Encode = Callable[[list[Document]], Iterator[list[Record]]]


def processor_seconds() -> float:
    """The processor time of this process and all that it has started and that still run."""
    parents, spent = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        spent[int(folder.name)] = (int(fields[11]) + int(fields[12])) / TICKS

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return sum(seconds for process, seconds in spent.items() if is_ours(process))


def measure(name: str, documents: list[Document], encode: Encode, system: System) -> str:
    """Encode and print a line; the hash of all vectors in their order comes back."""
    list(encode(documents[:SIZE]))
    began, spent = time.perf_counter(), processor_seconds()
    records = [record for batch in encode(documents) for record in batch]
    seconds, spent = time.perf_counter() - began, processor_seconds() - spent
    digest = hashlib.sha256()
    for record in records:
        digest.update(record.document.doc_id.encode())
        digest.update(to_bytes(pack_record(record, system.spaces)))
    rate = len(documents) / seconds
    print(f"{name:24}{rate:12.1f}{1000 * spent / len(documents):16.1f}   {digest.hexdigest()[:12]}")
    return digest.hexdigest()


def ray_data(system: System, actors: int) -> Encode:
    """Batches through a pool of actors of Ray Data, in their order."""
    import ray.data

    from dragoman.processors import limit_cores
    from dragoman.workers.saved_files import LoadedSystem, SystemFiles

    ray.data.DataContext.get_current().execution_options.preserve_order = True
    ray.data.DataContext.get_current().enable_progress_bars = False
    files = ray.put(SystemFiles.of(system))

    class Encoder:
        """An actor with the system."""

        def __init__(self) -> None:
            limit_cores(1)
            compilation.enable()
            self.loaded = LoadedSystem(ray.get(files))

        def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
            documents = list(batch["item"])
            treatments = {one.language: system.treatment(one.language) for one in documents}
            encoded = self.loaded.treating(treatments).encode(documents)
            records = [Record(*both) for both in zip(documents, encoded, strict=True)]
            return {"records": records}

    def encode(documents: list[Document]) -> Iterator[list[Record]]:
        data = ray.data.from_items(documents).map_batches(
            Encoder, batch_size=SIZE, concurrency=actors, num_cpus=0.5
        )
        yield [row["records"] for row in data.iter_rows()]

    return encode


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--system", default="hybrid")
    parser.add_argument("--ray-data", action="store_true", help="with a line for Ray Data")
    given = parser.parse_args()
    read = with_languages(read_documents(given.corpus, Faults()))
    documents = list(islice(read, given.documents))
    kind = registry.system(given.system)
    system: System = kind.create(kind.configure({}))
    compilation.enable()
    print(f"{len(documents)} documents of {Path(given.corpus).name}, {given.system}")
    print(f"{'':24}{'documents/s':>12}{'ms of processor':>16}   vectors")

    def pipeline(workers: RayWorkers | None) -> Encode:
        def encode(some: list[Document]) -> Iterator[list[Record]]:
            with Pipeline(system, some, SIZE, workers) as batches:
                yield from batches

        return encode

    hashes = {measure("this process, 2 cores", documents, pipeline(None), system)}
    for count in (1, 2):
        with RayWorkers(f"local:{count}") as workers:
            hashes.add(measure(f"workers local:{count}", documents, pipeline(workers), system))
            if count == 2 and given.ray_data:
                encode = ray_data(system, count)
                hashes.add(measure("2 actors of Ray Data", documents, encode, system))
    sys.exit(0 if len(hashes) == 1 else "the vectors differ")


if __name__ == "__main__":
    main()
