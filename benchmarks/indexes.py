"""How true is an index's graph, how fast is it built, opened and optimised, a command begun?

    python benchmarks/indexes.py CORPUS QUERIES INDEX WORK [--documents 3000] [--large 100000]

INDEX is a hybrid index of CORPUS, large enough for a graph, WORK an empty folder with room for two
copies of it.

- recall: how many of the ten nearest documents of real queries the graph finds, and its time
  beside comparing with every vector, for all languages and for each alone;
- building: documents a second through ``dragoman.index``, beside the bare encoder;
- starting: `dragoman search` until the encoder begins to load, beside Python with numpy alone;
- opening: an index of ``--large`` documents, where INDEX has fewer some of them twice, its memory;
- optimising: how long questions wait while it runs, at most, beside before and after.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest import mock

import numpy as np

import dragoman
from dragoman.indexes import reading
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.engine import COUNTS, STORE
from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.spaces import Record
from dragoman.systems.dense.collected import document_passages
from dragoman.systems.hybrid.system import Hybrid
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_queries
from dragoman.types import Document, FloatArray, Hit, Query
from dragoman.vectors.passages import PassageConfig
from dragoman.vectors.sentence import load_encoder

K, ROUNDS = 10, 5
UNTIL_THE_ENCODER = """
import os, sys, time
import dragoman.vectors.pinned as pinned
from dragoman.cli import main
pinned.PinnedModel.require = lambda self: os._exit(0)
sys.argv = ["dragoman", "search", sys.argv[1], "how do tides work", "--query-language", "en"]
main()
"""


def compare_recall(index: Path, queries: list[Query]) -> None:
    """The nearest documents by the graph against those by all vectors."""
    with dragoman.open(index) as opened:
        system, store = opened.system, opened.store
        assert isinstance(system, Hybrid), "the index has to be hybrid"
        questions = [system.dense.question(query.content) for query in queries]
        print(f"\nrecall@{K}, {store.count():,} documents, {len(queries)} queries")
        for language in (None, *opened.languages):
            allowed = parse_filter([language] if language else None)
            found, milliseconds = nearest(store, questions, allowed)
            with mock.patch.object(reading, "EXACT_BELOW", float("inf")):
                exact, against = nearest(store, questions, allowed)
            ids, scores = recalls(found, exact)
            print(
                f"  {language or 'all':4} by ids {ids:.4f}   by scores {scores:.4f}   graph"
                f" {milliseconds:.2f} ms   all vectors {against:.2f} ms"
            )


def nearest(
    store: EdgeStore, questions: list[FloatArray], allowed: Filter
) -> tuple[list[list[Hit]], float]:
    """The nearest documents of each question, and the median of processor time."""
    times, found = [], []
    for question in questions:
        started = time.process_time()
        found.append(store.nearest("dense", question, K, allowed))
        times.append(time.process_time() - started)
    return found, 1000 * float(np.median(times))


def recalls(found: list[list[Hit]], exact: list[list[Hit]]) -> tuple[float, float]:
    """The share of the right documents, and of those that are as near as the last right one."""
    ids, scores = [], []
    for mine, right in zip(found, exact, strict=True):
        ids.append(len({hit.doc_id for hit in mine} & {hit.doc_id for hit in right}) / len(right))
        last = right[-1].score
        scores.append(sum(hit.score >= last for hit in mine) / len(right))
    return float(np.mean(ids)), float(np.mean(scores))


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
    """`dragoman search` until the encoder would load."""
    numpy = seconds_of(work / "compiled", sys.executable, "-c", "import numpy")
    code = UNTIL_THE_ENCODER
    begun = seconds_of(work / "compiled", sys.executable, "-c", code, str(index))
    print("\nstarting, until the encoder begins to load")
    print(
        f"  dragoman search{begun:8.3f} s   python with numpy{numpy:8.3f} s"
        f"   ratio {begun / numpy:.2f}"
    )


def copies(index: Path, count: int) -> Iterator[Record]:
    """The records of an index, over and over, each time with new ids."""
    with closing(EdgeStore.open(index / STORE)) as store:
        for number in range(1, 1 + count // store.count() + 1):
            for record in store.records(["psq", "dense"]):
                document = replace(record.document, doc_id=f"{number}:{record.document.doc_id}")
                yield Record(document, record.vectors)


def enlarged(index: Path, folder: Path, count: int) -> None:
    """An index of ``count`` documents made of another's; the counts stay those of the other."""
    subprocess.run(["cp", "-r", str(index), str(folder)], check=True)
    store = EdgeStore.open(folder / STORE)
    missing = max(0, count - store.count())
    records = islice(copies(index, missing), missing)
    while batch := list(islice(records, 512)):
        store.add(batch)
    store.close()


def memory() -> float:
    """Megabytes that are in memory and this process's own, without mapped files."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("RssAnon"))
    return int(line.split()[1]) / 1024


OPENED = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from indexes import memory
import dragoman
from dragoman import registry
from pathlib import Path
registry.resident("hybrid"), registry.resident("psq"), registry.resident("dense")
index = dragoman.open(sys.argv[1])
before, started = memory(), time.perf_counter()
index.store, index.languages
store = time.perf_counter() - started
registry.resident("psq").load(Path(sys.argv[1]) / "{COUNTS}" / "psq")
psq = time.perf_counter() - started - store
opened = memory() - before
index.system
index.search("how do tides work", language="en")
print(store, psq, opened, memory() - before, index.count())
"""


def measure_opening(index: Path) -> None:
    """Seconds to open an index, imports and the encoder aside, and its memory."""
    best: list[float] = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", OPENED, str(index)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = [float(word) for word in done.stdout.split()]
        best = min(best or found, found)
    store, psq, opened, searched, count = best
    print(f"\nopening, {count:,.0f} documents, encoder and imports aside")
    print(f"  store {store:.3f} s   counts of psq {psq:.3f} s   together {store + psq:.3f} s")
    print(
        f"  memory of its own {opened:.0f} MB, after a search {searched:.0f} MB"
        " (with encoder and tables)"
    )


def measure_optimising(index: Path) -> None:
    """The times of questions before, while and after the store is optimised."""
    with dragoman.open(index) as opened:
        questions = np.random.default_rng(0).standard_normal((1000, 512)).astype(np.float32)
        questions /= np.linalg.norm(questions, axis=1, keepdims=True)
        working = threading.Event()

        def ask(number: int) -> float:
            started = time.perf_counter()
            opened.store.nearest("dense", questions[number % 1000], 10)
            return time.perf_counter() - started

        def optimise() -> None:
            opened.optimize()
            working.clear()

        times = {"before": [ask(number) for number in range(50)], "while": []}
        working.set()
        started = time.perf_counter()
        threading.Thread(target=optimise).start()
        while working.is_set():
            times["while"].append(ask(len(times["while"])))
            time.sleep(0.005)  # lets the other thread in, as waiting for the next question does
        spent = time.perf_counter() - started
        times["after"] = [ask(number) for number in range(300)]
    print(f"\noptimising, {spent:.0f} s; milliseconds of a question")
    for name, each in times.items():
        ms = 1000 * np.array(each)
        print(
            f"  {name:8}{len(ms):7,} questions   median {np.median(ms):8.2f}   most {ms.max():8.1f}"
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
    parser.add_argument("--large", type=int, default=100_000)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print(json.dumps({"cores": len(os.sched_getaffinity(0)), "index": str(options.index)}))
    every = list(read_queries(options.queries, Faults()))
    compare_recall(options.index, every[:: max(1, len(every) // options.number)][: options.number])
    compare_starting(options.index, options.work)
    documents = list(islice(read_documents(options.corpus, Faults()), options.documents))
    compare_building(documents, options.work)
    enlarged(options.index, options.work / "large", options.large)
    measure_optimising(options.work / "large")
    measure_opening(options.work / "large")


if __name__ == "__main__":
    main()
