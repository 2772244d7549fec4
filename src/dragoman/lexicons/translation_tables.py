"""Which translation table serves which language: the user's own first, then the shipped one."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.lexicons import shipped_lexicons
from dragoman.lexicons.lexicon import Lexicon

PIVOT = shipped_lexicons.PIVOT


class TranslationTables:
    """Tables between the pivot and other languages, read when first asked for."""

    def __init__(self, folders: Sequence[Path] = (), *, use_shipped: bool = True) -> None:
        self.folders = tuple(folders)
        self._use_shipped = use_shipped
        self._read: dict[str, Lexicon | None] = {}

    @cached_property
    def user_tables(self) -> dict[str, tuple[Path, Lexicon]]:
        """The user's tables by language, from the language into the pivot."""
        tables: dict[str, tuple[Path, Lexicon]] = {}
        for folder in self.folders:
            table = into_pivot(Lexicon.load(folder), folder)
            if table.source in tables:
                first = tables[table.source][0]
                raise ConfigError(
                    f"Found two tables for {table.source!r}, {first} and {folder}; expected one."
                )
            tables[table.source] = (folder, table)
        return tables

    def has(self, language: str) -> bool:
        """Whether words of ``language`` can be translated into the pivot."""
        if language in self.user_tables:
            return True
        return self._use_shipped and language in shipped_lexicons.shipped_languages()

    def languages(self) -> tuple[str, ...]:
        """The languages whose words can be translated, the pivot among them."""
        others = {
            *self.user_tables,
            *(shipped_lexicons.shipped_languages() if self._use_shipped else ()),
        }
        return tuple(sorted({*others, PIVOT}))

    def table(self, language: str) -> Lexicon | None:
        """The table from ``language`` into the pivot."""
        if language in self.user_tables:
            return self.user_tables[language][1]
        if language not in self._read:
            found = (
                shipped_lexicons.shipped_lexicon(language).reversed()
                if self.has(language)
                else None
            )
            self._read[language] = found
        return self._read[language]

    def fingerprint(self, language: str) -> str:
        """What must be equal for two tables to translate alike; empty where there is none."""
        if language in self.user_tables:
            return f"own:{self.user_tables[language][1].digest()}"
        if self.has(language):
            path = shipped_lexicons.DATA / f"{language}{shipped_lexicons.SUFFIX}"
            return f"shipped:{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
        return ""


def into_pivot(table: Lexicon, folder: Path) -> Lexicon:
    """The table with the pivot as its target."""
    if table.target == PIVOT:
        return table
    if table.source == PIVOT:
        return table.reversed()
    raise ConfigError(
        f"{folder}: found a table for {table.source}-{table.target}; expected one with {PIVOT!r}"
        " on one side, through which all languages meet."
    )
