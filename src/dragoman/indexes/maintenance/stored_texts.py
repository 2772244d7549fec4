"""The documents of an index, whatever its system: to export them or to build the index again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from dragoman.indexes import documents as table
from dragoman.indexes.maintenance.database_check import lenient
from dragoman.indexes.manifest import STORE, Manifest
from dragoman.indexes.store import DATABASE
from dragoman.storage.database import Database
from dragoman.types import Document


class StoredTexts:
    """The documents as the database has them; neither segments nor the system are read."""

    def __init__(self, folder: Path) -> None:
        path = folder / STORE / DATABASE
        if not path.is_file():
            Manifest.read(folder)  # which says what else this is
        self.database = Database(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def count(self) -> int:
        """How many documents there are."""
        with self.database.read_transaction() as connection:
            (found,) = connection.execute("SELECT COUNT(*) FROM documents").fetchone()
        return int(found)

    def doc_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        with self.database.read_transaction() as connection:
            rows = connection.execute("SELECT id FROM documents").fetchall()
        return sorted(table.decode_text(doc_id) for (doc_id,) in rows)

    def treatments(self) -> dict[str, str]:
        """How documents of each language were treated; empty where that is not recorded."""
        with lenient(self.database) as connection:
            rows = connection.execute("SELECT DISTINCT language FROM documents").fetchall()
            known = table.recorded_treatments(connection)
            return {**{language: "" for (language,) in rows}, **known}

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of their ids; ``None`` where one is not there."""
        with self.database.read_transaction() as connection:
            return table.documents_of(connection, table.keys_of(connection, doc_ids))
