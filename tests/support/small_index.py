"""A small index with a segment, a deletion and a memtable, and ways to damage it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import dragoman
from dragoman.indexes.documents import TREATMENT, set_fact
from dragoman.types import Document, Query

SETTINGS = {"system": "bm25", "settings": {"translate": False}}
DOCUMENTS = [
    Document("tide", "The tide rises because of the moon.", "Tides", "en", {"year": 2001}),
    Document("bread", "Bread rises because of yeast.", "Bread", "en", {"tags": ["a", "b"]}),
    Document("brot", "Brot geht auf wegen der Hefe.", "Brot", "de", {"year": 2010}),
    Document("gone", "Nobody misses this document.", "", "en", {"year": 1999}),
]
ADDED = Document("salz", "Salz bleibt im Meer, wenn Wasser verdunstet.", "", "de", {"salty": True})
QUERIES = [Query("q", "rises yeast moon", "en"), Query("f", "Hefe Salz Meer", "de")]


def small_index(folder: Path) -> Path:
    """The folder of an index of four documents: three in a segment, one in the memtable."""
    with dragoman.index(DOCUMENTS, folder, **SETTINGS) as index:
        index.delete(["gone"])
        index.add([ADDED])
    return folder


def answers(folder: Path) -> list[object]:
    """What searches of an index give: rankings, filtered rankings and the documents."""
    with dragoman.open(folder) as index:
        rankings = [index.rank(query, 10).hits for query in QUERIES]
        filtered = [index.rank(QUERIES[0], 10, index.scope(where=["year>=2001"])).hits]
        return [*rankings, *filtered, *index.documents(index.doc_ids())]


def segment_of(folder: Path) -> Path:
    """The only segment of an index."""
    (path,) = (folder / "store" / "segments").iterdir()
    return path


def flip(path: Path, place: int = 100, by: int = 0xFF) -> None:
    """Change one byte of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= by
    path.write_bytes(data)


def execute(folder: Path, *statements: str) -> None:
    """Change the database of an index behind its back."""
    with closing(sqlite3.connect(folder / "store" / "documents.sqlite")) as connection:
        connection.executescript(";".join(statements))


def treat_otherwise(folder: Path, language: str) -> None:
    """Make an index as if its documents in a language had been read with older tables."""
    with closing(sqlite3.connect(folder / "store" / "documents.sqlite")) as connection:
        set_fact(connection, f"{TREATMENT}{language}", "older tables")
        connection.commit()
