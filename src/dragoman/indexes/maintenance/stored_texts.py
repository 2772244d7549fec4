"""The stored documents of an index, readable without its system: for exports and upgrades."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from dragoman.indexes import documents as table
from dragoman.indexes.maintenance.database_check import tolerant_transaction
from dragoman.indexes.manifest import STORE, Manifest
from dragoman.indexes.store import DATABASE
from dragoman.storage.database import Database, decode_text
from dragoman.types import Document

OF_THE_STORE = ("generation", "segment", table.TREATMENT)  # facts that a new store has of its own


class StoredTexts:
    """The documents as the database has them; neither segments nor the system are read."""

    def __init__(self, folder: Path) -> None:
        path = folder / STORE / DATABASE
        if not path.is_file():
            Manifest.read(folder)  # raises the error that describes the folder
        self.database = Database(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def count(self) -> int:
        """The number of documents."""
        with self.database.read_transaction() as connection:
            (count,) = connection.execute("SELECT COUNT(*) FROM documents").fetchone()
        return int(count)

    def doc_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        with self.database.read_transaction() as connection:
            rows = connection.execute("SELECT id FROM documents").fetchall()
        return sorted(decode_text(doc_id) for (doc_id,) in rows)

    def treatments(self) -> dict[str, str]:
        """How the documents of each language were treated; "" where that is not recorded."""
        with tolerant_transaction(self.database) as connection:
            rows = connection.execute("SELECT DISTINCT language FROM documents").fetchall()
            known = table.recorded_treatments(connection)
            return {**{language: "" for (language,) in rows}, **known}

    def facts(self) -> dict[str, str]:
        """What is recorded with the documents, apart from how they are stored and were treated."""
        with tolerant_transaction(self.database) as connection:
            every = table.facts_named(connection, "")
        return {name: v for name, v in every.items() if not name.startswith(OF_THE_STORE)}

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of ``doc_ids``; ``None`` where one does not exist."""
        with self.database.read_transaction() as connection:
            return table.documents_of(connection, table.keys_of(connection, doc_ids))
