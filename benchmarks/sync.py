"""How much of the first build does `dragoman sync` cost when few files have changed?

    python benchmarks/sync.py CORPUS.jsonl -o FOLDER [--files 10000] [--descriptions 5]

CORPUS is in the plain format, such as `dragoman collection get debian-packages` writes. Makes real
files of it (text, Markdown, HTML, JSON; one of them long), builds the default system, changes files
and syncs. Every step is a process of its own: wall and processor time include starting Python,
loading the encoder and the processes that read files. Encoded texts are those that the sentence
encoder was given.
"""

import argparse
import gzip
import html
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

LONG = 400  # descriptions in the long file
CHANGED, DELETED = 100, 50  # one in a hundred files; files
Description = tuple[str, str]  # title, text


def main() -> None:
    """Print one row for every step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--descriptions", type=int, default=5, help="in each file")
    parser.add_argument("--step", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        one_sync(options.corpus, options.output)
        return
    folder, index = options.output / "files", options.output / "index"
    shutil.rmtree(options.output, ignore_errors=True)
    paths = write_files(options.corpus, folder, options.files, options.descriptions)
    size = sum(path.stat().st_size for path in paths)
    print(f"{len(paths):,} files, {size / 1e6:.1f} MB")
    columns = ("read", "encoded", "share", "wall s", "share", "cpu s", "share")
    print(" " * 32 + "".join(f"{column:>9}" for column in columns))
    base: list[float] = []
    for name, change in steps(paths):
        change()
        measured = measure(folder, index)
        base = base or measured
        shares = [100 * value / first for value, first in zip(measured, base, strict=True)]
        read, encoded, wall, cpu = measured
        print(
            f"{name:>32}{read:>9,.0f}{encoded:>9,.0f}{shares[1]:>8.2f}%{wall:>9.1f}"
            f"{shares[2]:>8.2f}%{cpu:>9.1f}{shares[3]:>8.2f}%",
            flush=True,
        )


def steps(paths: Sequence[Path]) -> Iterator[tuple[str, Callable[[], object]]]:
    """The changes to the files before each sync, with their names."""
    long, others = paths[0], paths[1:]
    yield "first build", lambda: None
    yield "nothing changed", lambda: None
    yield "1 % of the files changed", lambda: [*map(extend, others[::CHANGED])]
    yield "1 % touched, not changed", lambda: [*map(Path.touch, others[1::CHANGED])]
    yield "nothing changed", lambda: None
    yield f"{DELETED} files copied", lambda: [*map(copy, others[-DELETED:])]
    yield "one file moved", lambda: others[2].rename(others[2].with_name(f"moved-{others[2].name}"))
    yield "one paragraph of a long file", lambda: change_paragraph(long)
    yield f"{DELETED} files deleted", lambda: [*map(Path.unlink, others[3 : 3 + DELETED])]


def measure(folder: Path, index: Path) -> list[float]:
    """Files read, texts encoded, wall and processor seconds of one sync in a new process."""
    spent, begun = children_seconds(), time.monotonic()
    command = [sys.executable, __file__, str(folder), "-o", str(index), "--step"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    wall, cpu = time.monotonic() - begun, children_seconds() - spent
    read, encoded = json.loads(done.stdout)
    return [float(read), float(encoded), wall, cpu]


def children_seconds() -> float:
    """Processor seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one_sync(folder: Path, index: Path) -> None:
    """Sync as the command does; prints the number of files read and of texts encoded."""
    from dragoman.cli.building import builder
    from dragoman.encoders.family import EncoderFamily
    from dragoman.indexes.sync.report import FileStatus
    from dragoman.indexes.sync.synchronization import SyncOptions, sync
    from dragoman.text.readers.scan import Root

    encoded, encode = [0], EncoderFamily.encode

    def counted(self: EncoderFamily, texts: Sequence, *rest: object) -> object:  # type: ignore[type-arg]
        encoded[0] += len(texts)
        return encode(self, texts, *rest)  # type: ignore[arg-type]

    EncoderFamily.encode = counted  # type: ignore[assignment, method-assign]
    report = sync([Root.of(folder)], index, SyncOptions(create=builder("", None, None)))
    known = (FileStatus.UNCHANGED, FileStatus.DELETED)
    read = sum(file.status not in known for file in report.files)
    print(json.dumps((read, encoded[0])))


def write_files(corpus: Path, folder: Path, count: int, each: int) -> list[Path]:
    """Files of several formats in folders of a hundred; the first is long."""
    texts = descriptions(corpus)
    paths = []
    for number in range(count):
        chosen = [*islice(texts, LONG if number == 0 else each)]
        if not chosen:
            raise SystemExit(f"{corpus}: found text for {number:,} files; expected {count:,}")
        ending, written = FORMATS[number % len(FORMATS)]
        path = folder / f"{number // 100:03}" / f"{number:05}{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(chosen), encoding="utf-8")
        paths.append(path)
    return paths


def descriptions(corpus: Path) -> Iterator[Description]:
    """Titles and texts."""
    with (gzip.open if corpus.suffix == ".gz" else open)(corpus, "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            yield record.get("title", ""), record["text"]


def as_text(chosen: Sequence[Description]) -> str:
    """Paragraphs."""
    return "\n\n".join(f"{title}\n\n{text}" for title, text in chosen) + "\n"


def as_markdown(chosen: Sequence[Description]) -> str:
    """Sections with headings."""
    return "\n\n".join(f"## {title}\n\n{text}" for title, text in chosen) + "\n"


def as_html(chosen: Sequence[Description]) -> str:
    """A page."""
    sections = "\n".join(f"<h2>{html.escape(a)}</h2><p>{html.escape(b)}</p>" for a, b in chosen)
    title = html.escape(chosen[0][0])
    return f"<!DOCTYPE html><html><title>{title}</title><main>{sections}</main></html>\n"


def as_json(chosen: Sequence[Description]) -> str:
    """One record."""
    return json.dumps({"title": chosen[0][0], "text": as_text(chosen)}, ensure_ascii=False)


FORMATS = ((".txt", as_text), (".md", as_markdown), (".html", as_html), (".json", as_json))


def extend(path: Path) -> None:
    """Change a file: a sentence before its last word."""
    head, _, tail = path.read_text("utf-8").rpartition(" ")
    path.write_text(f"{head} Another sentence was written here in {os.getpid()} days. {tail}")


def copy(path: Path) -> None:
    """Copy a file to another name."""
    shutil.copy(path, path.with_name(f"copy-{path.name}"))


def change_paragraph(path: Path) -> None:
    """Change one paragraph in the middle of a file."""
    paragraphs = path.read_text("utf-8").split("\n\n")
    paragraphs[len(paragraphs) // 2] += " This paragraph has been revised."
    path.write_text("\n\n".join(paragraphs), encoding="utf-8")


if __name__ == "__main__":
    main()
