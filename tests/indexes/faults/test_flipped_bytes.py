"""One flipped byte in every file in turn: the same answer, or an error that names the file.

Never another answer, never an error of another kind; merges and snapshots refuse damaged segments,
and ``verify`` finds every flip that changes anything.

    DRAGOMAN_FLIPS=all pytest tests/indexes/faults/test_flipped_bytes.py    # every byte; an hour
    DRAGOMAN_FLIPS=40 pytest tests/indexes/faults/test_flipped_bytes.py     # as many per page
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragoman
from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes.documents import SCHEMA
from dragoman.indexes.index import Index
from dragoman.indexes.maintenance.archive import snapshot
from dragoman.indexes.maintenance.repair import repair
from dragoman.indexes.maintenance.verification import verify
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Query
from made_records import SPACES, made_record, quick_folder
from observed import answers as all_answers

FLIPS = os.environ.get("DRAGOMAN_FLIPS", "3")  # per page of the database, per block of others
PAGE = 4096
DATABASE = "store/documents.sqlite"
WORDS = ["tide", "moon", "river", "stone", "winter", "garden", "sky", "rain"]
TABLES = {line.split("(")[0].split()[-1] for line in SCHEMA.splitlines() if "CREATE TABLE" in line}


VERSIONS = (range(30), (*range(30, 40), *range(5, 12)), range(38, 46))  # later ones replace


def text_document(number: int, version: int = 0) -> Document:
    words = np.random.default_rng([number, version]).choice(WORDS, 5).tolist()
    metadata = {"year": 2000 + number % 5, "author": f"A{number % 3}", "tags": words[:2]}
    return Document(
        f"d{number}", " ".join(words), f"T{number}", "en" if number % 3 else "de", metadata
    )


def made_index(folder: Path) -> None:
    """An index with rows in every table: three segments, deletions, a memtable."""
    first = [text_document(number) for number in VERSIONS[0]]
    settings = {"translate": False}
    with dragoman.index(first, folder, system="bm25", settings=settings) as index:
        for some in (VERSIONS[1][:10], VERSIONS[1][10:]):
            documents = [text_document(number, version=1) for number in some]
            vectors = index.system.encode(documents)
            index.store_records([*map(Record, documents, vectors)], memtable=0)
        index.delete(["d3", "d31"])
        index.add([text_document(number, version=2) for number in VERSIONS[2]])
    index.close()


def answers(folder: Path) -> list[Any]:
    """What searches find, as they find it in a process that opens the index."""
    with dragoman.open(folder) as index:
        return [*map(repr, _results(index))]


def _results(index: Index) -> Iterator[Any]:
    yield index.count(), dict(index.languages), index.doc_ids()
    for query in ("tide moon", "stone winter rain"):
        for where in ((), ("year>=2002",), ("author=A1|A2",), ("tags!=moon",)):
            yield index.search(query, 8, language="en", where=where).results
        scope = index.scope(["de"], balance=Balance.OFF)
        yield index.rank(Query("q", query, "en"), 8, scope)
    yield index.explain("tide moon", "d33", language="en")
    yield index.documents([f"d{number}" for number in range(50)])


@pytest.fixture(scope="module")
def index():
    """A folder with an index, closed."""
    with quick_folder() as place:
        made_index(place / "index")
        yield place / "index"


def files(folder: Path) -> list[str]:
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in names if not name.endswith("lock"))


def positions(path: Path, rng: np.random.Generator) -> list[int]:
    """Where bytes are flipped: some in every page, mostly where something is written."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    if FLIPS == "all":
        return [*range(len(data))]
    chosen: set[int] = set()
    for start in range(0, len(data), PAGE):
        page = data[start : start + PAGE]
        filled = np.flatnonzero(page)
        some = rng.choice(filled, min(int(FLIPS), len(filled)), replace=False)
        chosen.update((start + some).tolist(), [start + int(rng.integers(len(page)))])
        chosen.update(start + place for place in (0, 3, 4, 5, 7) if place < len(page))
    return sorted(chosen)


def contents(folder: Path) -> Any:
    """All values of the database; None where they cannot be read."""
    try:
        connection = sqlite3.connect(f"file:{folder / DATABASE}?immutable=1", uri=True)
        connection.text_factory = bytes
        rows = [
            sorted(map(repr, connection.execute(f"SELECT * FROM {table}")))  # noqa: S608
            for table in sorted(TABLES)
        ]
        checked = connection.execute("PRAGMA integrity_check").fetchall()
        schema = connection.execute("SELECT sql FROM sqlite_schema").fetchall()
        connection.close()
    except sqlite3.Error:
        return None
    return rows, checked, schema


class Flips:
    """In a fork: all flips of one file, and what each of them leads to."""

    def __init__(self, folder: Path, name: str) -> None:
        self.whole, self.folder, self.name = folder, folder.with_name("flipped"), name
        self.before, self.contents = answers(folder), contents(folder)

    def __call__(self, say: Callable[[Any], object]) -> None:
        rng = np.random.default_rng(5)
        for number, position in enumerate(positions(self.whole / self.name, rng)):
            bit = int(rng.integers(8))
            self.flipped(position, bit)
            searched = self.searched()
            self.flipped(position, bit)
            verified = self.verified()
            repaired = "not tried"
            if verified == "found" and number % 5 == 0:
                repaired = self.repaired()
            say([f"{self.name}, byte {position}, bit {bit}", searched, verified, repaired])

    def flipped(self, position: int, bit: int) -> None:
        """The whole folder, but for one bit."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.whole, self.folder)
        path = self.folder / self.name
        data = bytearray(path.read_bytes())
        data[position] ^= 1 << bit
        path.write_bytes(data)

    def searched(self) -> str:
        try:
            found = answers(self.folder)
        except DragomanError as error:
            named = (self.folder / self.name).as_posix() in str(error)
            return "refused" if named else f"the file is not named: {error}"
        except Exception as error:  # noqa: BLE001 - what must not be
            return f"{type(error).__name__}: {error}"
        return "the same" if found == self.before else f"another answer: {self.difference(found)}"

    def difference(self, found: list[str]) -> str:
        pairs = zip(found, self.before, strict=True)
        return next(f"{now[:200]} for {then[:200]}" for now, then in pairs if now != then)

    def verified(self) -> str:
        try:
            damage = verify(self.folder).damage
        except DragomanError as error:
            return f"refused: {error}"
        except Exception as error:  # noqa: BLE001 - what must not be
            return f"{type(error).__name__}: {error}"
        if damage:
            return "found"
        unchanged = self.name == DATABASE and contents(self.folder) == self.contents
        return "unchanged" if unchanged else "not found"

    def repaired(self) -> str:
        """What a search finds after a repair that leaves no damage."""
        try:
            if repair(self.folder).report.damage:
                return "not mended"
        except DragomanError:
            return "not mended"
        try:
            found = answers(self.folder)
        except Exception as error:  # noqa: BLE001 - what must not be
            return f"{type(error).__name__}: {error}"
        return "the same" if found == self.before else f"another answer: {self.difference(found)}"


def test_a_flipped_byte_never_gives_another_answer(index):
    wrong: list[str] = []
    for name in files(index):
        outcomes = forked_lines(Flips(index, name))
        assert outcomes
        for case, searched, verified, repaired in outcomes:
            if searched not in {"the same", "refused"}:
                wrong.append(f"{case}: {searched}")
            if verified not in {"found", "unchanged"}:
                wrong.append(f"{case}: verify: {verified}")
            if repaired not in {"not tried", "not mended", "the same"}:
                wrong.append(f"{case}: repaired: {repaired}")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong)


def forked_lines(work: Callable[[Callable[[Any], object]], None]) -> list[Any]:
    """What a fork says, one JSON value a line; it must come to its end."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        with os.fdopen(writer, "w") as stream:
            work(lambda value: stream.write(f"{json.dumps(value)}\n"))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        lines = [json.loads(line) for line in stream]
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, f"died after {lines[-1:]}"
    return lines


@pytest.fixture(scope="module")
def store():
    """A folder with a store of every kind of space: two segments with deletions."""
    with quick_folder() as place:
        made, rng = Store.create(place / "store", SPACES), np.random.default_rng(6)
        for first in (0, 20):
            made.add([made_record(f"d{first + n}", rng) for n in range(30)], {}, memtable=0)
        made.close()
        yield place / "store"


def test_damaged_segments_are_refused_by_searches_and_merges(store):
    rng = np.random.default_rng(7)
    opened = Store(store, SPACES)
    with opened.snapshot() as state:
        before = all_answers(state)
    opened.close()
    listed = sorted((store / "segments").iterdir())
    for path in listed:
        whole = path.read_bytes()
        for position in positions(path, rng):
            data = bytearray(whole)
            data[position] ^= 1 << int(rng.integers(8))
            path.write_bytes(data)
            damaged = Store(store, SPACES)
            with pytest.raises(IndexFault, match=path.name):
                damaged.merge(everything=True)
            try:
                with damaged.snapshot() as state:
                    assert all_answers(state) == before, f"{path.name}, byte {position}"
            except IndexFault as error:
                assert str(path) in str(error)  # noqa: PT017 - an answer is as good
            damaged.close()
            assert sorted((store / "segments").iterdir()) == listed
        path.write_bytes(whole)


def test_no_snapshot_is_written_of_a_damaged_index(index, tmp_path):
    for name in files(index):
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        shutil.copytree(index, tmp_path / "copy")
        path = tmp_path / "copy" / name
        data = bytearray(path.read_bytes())
        data[data.find(b"garden") if name == DATABASE else len(data) * 2 // 3] ^= 16
        path.write_bytes(data)
        with pytest.raises(DragomanError):
            snapshot(tmp_path / "copy", tmp_path / "index.tar.zst")
        assert not (tmp_path / "index.tar.zst").exists()


@pytest.mark.parametrize("damaged", [b'"year": 2003', b"garden"])
def test_a_damaged_document_can_be_added_again(index, tmp_path, damaged):
    before = answers(index)
    shutil.copytree(index, tmp_path / "copy")
    path = tmp_path / "copy" / DATABASE
    data = bytearray(path.read_bytes())
    data[data.rfind(damaged) + len(damaged) - 1] ^= 128
    path.write_bytes(data)
    (finding,) = verify(tmp_path / "copy").damage
    assert finding.documents
    versions = {f"d{n}": v for v, some in enumerate(VERSIONS) for n in some}
    again = [text_document(int(name[1:]), versions[name]) for name in finding.documents]
    with dragoman.open(tmp_path / "copy") as opened:
        opened.add(again)
    assert not verify(tmp_path / "copy").damage
    assert answers(tmp_path / "copy") == before
