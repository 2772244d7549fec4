"""How fast is an index built, opened and changed, how large is it, how does it grow?

    python benchmarks/indexes.py CORPUS QUERIES INDEX WORK [--documents 3000] [--rows 1000000]

INDEX is a hybrid index of CORPUS, WORK an empty folder with room for a large copy of it. ``--only``
names some of the parts:

- building: documents a second through ``dragoman.index``, beside the bare encoder;
- starting: `dragoman search` until the encoder begins to load, and as a whole command;
- first: the first searches of a process that has not called ``warm_up``, beside its later ones;
- adding: one document until it is acknowledged, beside one fsync;
- growing: an index of ``--rows`` rows, made of INDEX's own with noise: its time a search, beside
  INDEX's, its bytes and memory.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

import dragoman
from dragoman.encoders.passages import PassageConfig
from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.indexes.index import Index
from dragoman.indexes.spaces import Counts, Record, Vector
from dragoman.systems.dense.system import document_passages
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_queries
from dragoman.types import Document, Query

K, ROUNDS, ADDED = 10, 5, 200
NOISE = 0.3  # of a row's length, so that a copy is near to its origin and not the same
BATCH = 2048
PARTS = ("building", "starting", "first", "adding", "growing")
UNTIL_THE_ENCODER = """
import os, sys
import dragoman.encoders.pinned_model as pinned
from dragoman.cli import main
pinned.PinnedModel.require = lambda self: os._exit(0)
sys.argv = ["dragoman", "search", sys.argv[1], "how do tides work", "--query-language", "en"]
main()
"""
FIRST_SEARCHES = """
import json, sys, time
import dragoman
index = dragoman.open(sys.argv[1])
queries = json.loads(sys.argv[2])
index.system.dense.query_vector(dragoman.Text("load the encoder", "en"))
times = []
for text, language in queries:
    started = time.perf_counter()
    index.rank(dragoman.Query("q", text, language), 10)
    times.append(1000 * (time.perf_counter() - started))
print(json.dumps(times))
"""


def compare_building(documents: list[Document], work: Path) -> None:
    """Documents a second through an index build and through the bare encoder, by turns.

    Where the machine's speed changes from minute to minute, the share of the processors that the
    encoder's threads had tells more than the clock: a median over the rounds.
    """
    encoder = load_encoder("default")
    passages = [p.body for d in documents for p in document_passages(d, PassageConfig())]
    encoder.encode(passages[:100])  # begins its threads
    builds: dict[str, list[tuple[float, float]]] = {"encoder": [], "dense": [], "hybrid": []}
    for number in range(ROUNDS):
        for system, measured in builds.items():
            before, started = encoding_seconds(), time.perf_counter()
            if system == "encoder":
                encoder.encode(passages)
            else:
                dragoman.index(documents, work / f"{system}-{number}", system=system).close()
            seconds = time.perf_counter() - started
            measured.append((seconds, (encoding_seconds() - before) / seconds))
    print(f"\nbuilding, {len(documents):,} documents, {len(passages):,} passages")
    bare = min(seconds for seconds, _ in builds["encoder"])
    whole = np.median([share for _, share in builds["encoder"]])
    for name, measured in builds.items():
        seconds = min(seconds for seconds, _ in measured)
        share = np.median([share for _, share in measured]) / whole
        print(
            f"  {name:10}{len(documents) / seconds:8.1f} documents/s   of the encoder's"
            f" {bare / seconds:.2f} by the clock, {share:.2f} by processor time"
        )


def encoding_seconds() -> float:
    """The processor time that the encoder's threads have had."""
    encoding = [each for each in threading.enumerate() if each.name.startswith("encoder")]
    files = [Path(f"/proc/self/task/{each.native_id}/schedstat") for each in encoding]
    return sum(int(file.read_text().split()[0]) for file in files) / 1e9


def seconds_of(folder: Path, *command: str) -> float:
    """The least wall time of a command, modules compiled, as they are after the first time."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    least = float("inf")
    for _ in range(1 + ROUNDS):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        least = min(least, time.perf_counter() - started)
    return least


def compare_starting(index: Path, work: Path) -> None:
    """`dragoman search` until the encoder would load, and as a whole."""
    folder, python = work / "compiled", sys.executable
    numpy = seconds_of(folder, python, "-c", "import numpy")
    begun = seconds_of(folder, python, "-c", UNTIL_THE_ENCODER, str(index))
    search = ["-m", "dragoman", "search", str(index), "free text editor"]
    whole = seconds_of(folder, python, *search)
    print(f"\nstarting, beside Python with numpy ({numpy:.3f} s)")
    print(f"  dragoman search, until the encoder{begun:8.3f} s   ratio {begun / numpy:.2f}")
    print(f"  dragoman search, the whole command{whole:8.3f} s   ratio {whole / numpy:.2f}")


def compare_first(index: Path, queries: list[Query]) -> None:
    """The first searches of a process without ``warm_up``; the encoder is loaded before."""
    asked = json.dumps([(query.text, query.language) for query in queries[:60]])
    rounds = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", FIRST_SEARCHES, str(index), asked]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rounds.append(json.loads(done.stdout))
    times = np.median(np.array(rounds), axis=0)
    later = float(np.median(times[20:]))
    print(f"\nfirst searches without warm_up, ms (later ones {later:.2f})")
    print("  " + " ".join(f"{each:.1f}" for each in times[:8]))
    print(f"  median of the first ten {np.median(times[:10]):.2f}, ratio", end=" ")
    print(f"{np.median(times[:10]) / later:.2f}")


def compare_adding(documents: list[Document], index: Path, work: Path) -> None:
    """One document after the other until each is acknowledged, beside a write and its fsync."""
    subprocess.run(["cp", "-r", str(index), str(work / "adding")], check=True)
    times, flushes = [], []
    with dragoman.open(work / "adding") as opened, (work / "flushed").open("wb") as file:
        opened.add(documents[:1])  # loads encoder and tables
        for number, document in enumerate(documents[:ADDED]):
            started = time.perf_counter()
            opened.add([replace(document, doc_id=f"new-{number}")])
            times.append(1000 * (time.perf_counter() - started))
            started = time.perf_counter()
            file.write(os.urandom(4096))
            file.flush()
            os.fsync(file.fileno())
            flushes.append(1000 * (time.perf_counter() - started))
    print(f"\nadding one document, {len(times)} times, ms until acknowledged")
    print(
        f"  median {np.median(times):.1f}, 95 % below {np.quantile(times, 0.95):.1f}, most"
        f" {max(times):.1f}; a write with fsync: median {np.median(flushes):.2f}"
    )


def copies(index: Index) -> Iterator[Record]:
    """The records of an index, over and over, with new ids and noise on every row."""
    rng = np.random.default_rng(0)
    with index.snapshot() as snapshot:
        (reader,) = snapshot.readers
        segment = reader.segment
        postings, matrix = segment.postings("psq"), segment.rows("dense")
        order = np.argsort(postings.documents, kind="stable")
        starts = np.searchsorted(postings.documents[order], np.arange(len(segment) + 1))
        dimensions = np.repeat(postings.dimensions, np.diff(postings.starts))[order]
        counts = postings.counts[order]
        documents = snapshot.documents(np.arange(len(segment)))
    number = 0
    while True:
        number += 1
        for place, (first, last) in enumerate(pairwise(starts.tolist())):
            rows = matrix.of(place).astype(np.float32)
            rows += NOISE * rng.standard_normal(rows.shape, np.float32) / rows.shape[1] ** 0.5
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            document = replace(documents[place], doc_id=f"{number}:{documents[place].doc_id}")
            length = int(postings.lengths[place])
            vectors: dict[str, Vector] = {
                "psq": Counts(dimensions[first:last], counts[first:last], length),
                "dense": rows,
                "words": document.title.split()[:1],
            }
            yield Record(document, vectors)


def enlarged(index: Path, folder: Path, rows: int) -> None:
    """An index of ``rows`` rows made of another's."""
    subprocess.run(["cp", "-r", str(index), str(folder)], check=True)
    with dragoman.open(index) as source, dragoman.open(folder) as target:
        with source.snapshot() as snapshot:
            have = sum(len(reader.segment.rows("dense").rows) for reader in snapshot.readers)
        records = copies(source)
        while have < rows:
            batch = list(islice(records, BATCH))
            have += sum(len(np.asarray(record.vectors["dense"])) for record in batch)
            target.store_records(batch, memtable=0)
        target.optimize()


def memory() -> tuple[float, float]:
    """Megabytes in memory: of this process alone, and mapped from files."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    fields = {line.split(":")[0]: line.split()[1] for line in status if line.startswith("Rss")}
    return int(fields["RssAnon"]) / 1024, int(fields["RssFile"]) / 1024


SEARCHED = f"""
import json, sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from indexes import memory
import dragoman, numpy as np
index = dragoman.open(sys.argv[1])
index.warm_up()
times = []
for text, language in json.loads(sys.argv[2]):
    started = time.perf_counter()
    index.rank(dragoman.Query("q", text, language), 10)
    times.append(1000 * (time.perf_counter() - started))
print(json.dumps([float(np.median(times)), *memory(), index.count()]))
"""


def measure_growth(index: Path, large: Path, queries: list[Query]) -> None:
    """The time of a search, bytes and memory, of an index and of a larger one."""
    asked = json.dumps([(query.text, query.language) for query in queries])
    print("\ngrowing: ms a search (median), bytes a document, MB private and mapped")
    first = 0.0
    for folder in (index, large):
        best: list[float] = []
        for _ in range(3):
            command = [sys.executable, "-c", SEARCHED, str(folder), asked]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found = json.loads(done.stdout)
            best = min(best or found, found)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        first = first or best[0]
        print(
            f"  {best[3]:9,} documents{best[0]:8.2f} ms   ratio {best[0] / first:5.2f}"
            f"{size / best[3]:8,.0f} bytes   {best[1]:,.0f} MB and {best[2]:,.0f} MB"
        )


def main() -> None:
    """Read the options and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=str)
    parser.add_argument("queries", type=str)
    parser.add_argument("index", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--number", type=int, default=300, help="of queries")
    parser.add_argument("--documents", type=int, default=3_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print(json.dumps({"cores": len(os.sched_getaffinity(0)), "index": str(options.index)}))
    every = list(read_queries(options.queries, Faults()))
    queries = every[:: max(1, len(every) // options.number)][: options.number]
    documents = list(islice(read_documents(options.corpus, Faults()), options.documents))
    if "starting" in options.only:
        compare_starting(options.index, options.work)
    if "first" in options.only:
        compare_first(options.index, queries)
    if "adding" in options.only:
        compare_adding(documents, options.index, options.work)
    if "building" in options.only:
        compare_building(documents, options.work)
    if "growing" in options.only:
        if not (options.work / "large").is_dir():
            enlarged(options.index, options.work / "large", options.rows)
        measure_growth(options.index, options.work / "large", queries)


if __name__ == "__main__":
    main()
