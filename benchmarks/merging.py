"""Does the memory of a merge grow with the documents that are merged?

    python benchmarks/merging.py CORPUS.jsonl -o FOLDER [--documents 7500,60000]

CORPUS is in the plain format, such as `dragoman collection get debian-packages` writes. Fills a
hybrid index with the first documents of it: their words as they are, and made-up vectors, one for
each passage, because memory does not depend on their numbers. Then a new process merges all
segments into one by ``optimize``. Memory is private: pages that no file backs.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

import dragoman
from dragoman.batches import batched
from dragoman.encoders.passages import PassageConfig
from dragoman.indexes.spaces import Record
from dragoman.systems.dense.system import document_passages
from dragoman.text.files import Faults
from dragoman.text.source import read_documents
from dragoman.types import Document

SEGMENT = 2048  # documents
INTERVAL = 0.01  # seconds between two looks at the memory
MERGED = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from merging import merge
merge(sys.argv[1])
"""


def main() -> None:
    """Print one row for every number of documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=str)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--documents", default="7500,60000")
    options = parser.parse_args()
    print(f"{'documents':>10}{'rows':>10}{'segment MB':>12}{'before MB':>11}{'merge MB':>10}")
    for number in map(int, options.documents.split(",")):
        folder = options.output / f"{number}"
        shutil.rmtree(folder, ignore_errors=True)
        fill(folder, islice(read_documents(options.corpus, Faults()), number))
        command = [sys.executable, "-c", MERGED, str(folder)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        before, peak, rows, size = json.loads(done.stdout)
        print(
            f"{number:>10,}{rows:>10,}{size / 1e6:>12.0f}{before / 1e3:>11.0f}"
            f"{(peak - before) / 1e3:>10.0f}",
            flush=True,
        )


def fill(folder: Path, documents: Iterator[Document]) -> None:
    """A hybrid index of the documents, in several segments."""
    rng = np.random.default_rng(0)
    dragoman.index([next(documents)], folder, system="hybrid").close()
    with dragoman.open(folder) as index:
        with index.snapshot() as snapshot:
            width = snapshot.readers[0].segment.rows("dense").rows.shape[1]
        for batch in batched(documents, SEGMENT):
            words = index.system.psq.encode(batch)  # type: ignore[attr-defined]
            records = []
            for document, vectors in zip(batch, words, strict=True):
                passages = len(document_passages(document, PassageConfig()))
                rows = rng.standard_normal((passages, width), np.float32)
                rows /= np.linalg.norm(rows, axis=1, keepdims=True)
                records.append(Record(document, {**vectors, "dense": rows}))
            index.store_records(records, memtable=0)


def merge(folder: str) -> None:
    """Merge an index; prints private kB before, their peak, rows and bytes of the segment."""
    with dragoman.open(folder) as index:
        before = peak = private()
        ended = threading.Event()

        def look() -> None:
            nonlocal peak
            while not ended.wait(INTERVAL):
                peak = max(peak, private())

        watcher = threading.Thread(target=look)
        watcher.start()
        index.optimize()
        ended.set()
        watcher.join()
        with index.snapshot() as snapshot:
            (reader,) = snapshot.readers
            rows = len(reader.segment.rows("dense").rows)
    size = sum(path.stat().st_size for path in Path(folder, "store", "segments").iterdir())
    print(json.dumps([before, peak, rows, size]))


def private() -> int:
    """The kB of this process that no file backs."""
    found = re.search(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) if found else 0


if __name__ == "__main__":
    main()
