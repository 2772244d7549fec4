"""Write a small index of today's format under tests/indexes/formats/NUMBER, once per release.

An index that was released is never written again: the test opens it as it is.

    python tools/format_fixture.py
"""

import sys
from pathlib import Path

import dragoman
from dragoman.indexes.manifest import FORMAT
from dragoman.types import Document

FOLDER = Path(__file__).parent.parent / "tests" / "indexes" / "formats"
DOCUMENTS = [
    Document("tide", "The tide rises because of the moon.", "Tides", "en", {"year": 2001}),
    Document("bread", "Bread rises because of yeast.", "Bread", "en", {"tags": ["food", "oven"]}),
    Document("brot", "Brot geht auf wegen der Hefe.", "Brot", "de", {"year": 2010}),
    Document("gone", "This document was deleted.", "", "en", {"year": 1999}),
]
ADDED = Document("salz", "Salz bleibt, wenn Meerwasser verdunstet.", "", "de", {"year": 2020})


def main() -> None:
    """Build the index; no table is part of it, because those are learnt again now and then."""
    target = FOLDER / str(FORMAT)
    if target.exists():
        sys.exit(f"{target}: is there already. An index that was released stays as it is.")
    settings = {"translate": False}
    with dragoman.index(DOCUMENTS, target, system="bm25", settings=settings) as index:
        index.delete(["gone"])
        index.add([ADDED])
    for name in ("lock", "store/lock", "store/merge.lock"):
        (target / name).unlink(missing_ok=True)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {size:,} bytes")


if __name__ == "__main__":
    main()
