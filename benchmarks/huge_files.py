"""Do huge files take bounded memory and no more time than their passages need?

    python benchmarks/huge_files.py CORPUS.jsonl -o FOLDER [--megabytes 1,6,40]

CORPUS is in the plain format, such as `dragoman collection get debian-packages` writes. Makes one
text of its titles and texts in each size, and three files of the last size that nobody reads:
minified code in one line, base64, and a paragraph over and over. Each is indexed by `dragoman
index` in a process of its own, with the default system; memory is the peak of that process, all
pages and the private ones, which no file backs. The last line has what the encoder alone takes for
as many passages as the largest text has.
"""

import argparse
import base64
import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SAMPLE = 4000  # passages that the encoder is timed on
CODE = "function(a,b){return a.c[b]||(a=b,!1)};"
PARAGRAPH = "This message and what is attached to it are meant for the person named above only.\n\n"


def main() -> None:
    """Print one row for every file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--megabytes", default="1,6,40")
    options = parser.parse_args()
    shutil.rmtree(options.output, ignore_errors=True)
    sizes = [float(size) for size in options.megabytes.split(",")]
    print(
        f"{'':>12}{'MB':>7}{'documents':>11}{'passages':>10}{'wall s':>8}{'cpu s':>8}{'peak MB':>9}"
        f"{'private':>9}"
    )
    passages, folder = 0, options.output
    for size in sizes:
        folder = options.output / f"text-{size:g}"
        write(folder / "text.txt", descriptions(options.corpus), int(size * 1e6))
        passages = measured(folder, folder.with_name(f"{folder.name}-index"))
    for name, pieces in (
        ("minified", repeated(CODE)),
        ("base64", encoded()),
        ("repeated", repeated(PARAGRAPH)),
    ):
        write(options.output / name / f"{name}.txt", pieces, int(sizes[-1] * 1e6))
        measured(options.output / name, options.output / f"{name}-index")
    seconds = encoder_seconds(folder / "text.txt", passages)
    print(f"the encoder alone, {passages:,} passages: {seconds:.0f} s of processor time")


def descriptions(corpus: Path) -> Iterator[str]:
    """Titles and texts of documents."""
    with (gzip.open if corpus.suffix == ".gz" else open)(corpus, "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            yield f"{record.get('title', '')}\n\n{record['text']}\n\n"


def repeated(text: str) -> Iterator[str]:
    """A text over and over."""
    while True:
        yield text


def encoded() -> Iterator[str]:
    """Lines of base64."""
    rng = random.Random(0)  # noqa: S311 - no secret
    while True:
        yield base64.encodebytes(rng.randbytes(5700)).decode()


def write(path: Path, pieces: Iterator[str], size: int) -> None:
    """A file of the pieces, up to so many bytes."""
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8") as stream:
        while stream.tell() < size and (piece := next(pieces, "")):
            stream.write(piece)


def measured(folder: Path, index: Path) -> int:
    """The number of passages of a folder that was indexed; prints what it took."""
    begun, log = time.monotonic(), index.with_suffix(".log")
    command = [sys.executable, "-m", "dragoman", "index", str(folder), "-o", str(index)]
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream)
        private, used = peak_of(process.pid)
    wall, cpu = time.monotonic() - begun, used.ru_utime + used.ru_stime
    documents, passages = counted(index)
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    print(
        f"{folder.name:>12}{size:>7.1f}{documents:>11,}{passages:>10,}{wall:>8.0f}{cpu:>8.0f}"
        f"{used.ru_maxrss / 1e3:>9.0f}{private / 1e3:>9.0f}"
    )
    kept = ("indexing", "left out", "error", "without text")
    lines = [line for line in log.read_text().splitlines() if line.startswith(kept)]
    print("\n".join(f"{'':>12} {line}" for line in lines), flush=True)
    return passages


def peak_of(process: int) -> tuple[int, resource.struct_rusage]:
    """The most private memory of a process until it ends, in kB, and what it used in all."""
    private = 0
    while True:
        ended, _, used = os.wait4(process, os.WNOHANG)
        if ended:
            return private, used
        status = Path(f"/proc/{process}/status").read_text()
        anonymous = re.search(r"RssAnon:\s+(\d+)", status)
        private = max(private, int(anonymous[1]) if anonymous else 0)  # none once it has ended
        time.sleep(0.05)


def counted(index: Path) -> tuple[int, int]:
    """Documents and passages of an index; none where there is no index."""
    from dragoman.encoders.passages import PassageConfig
    from dragoman.indexes.index import Index
    from dragoman.indexes.maintenance.export import live_documents
    from dragoman.systems.dense.system import document_passages

    if not index.exists():
        return 0, 0
    with Index(index) as opened:
        documents = [*live_documents(opened)]
    return len(documents), sum(len(document_passages(one, PassageConfig())) for one in documents)


def encoder_seconds(path: Path, passages: int) -> float:
    """Processor seconds of the encoder alone for so many passages, by those of a sample."""
    from dragoman.encoders.passages import PassageConfig, split_passages
    from dragoman.encoders.sentence_encoder import load_encoder

    with path.open(encoding="utf-8") as stream:
        texts = [one.text for one in split_passages(stream.read(2_000_000), PassageConfig())]
    encode: Callable[[list[str]], object] = load_encoder("default").encode
    encode(texts[:100])
    begun = time.process_time()
    encode(texts[:SAMPLE])
    return (time.process_time() - begun) / min(SAMPLE, len(texts)) * passages


if __name__ == "__main__":
    main()
