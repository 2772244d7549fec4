"""The translation table of each language: the user's if there is one, else the shipped one."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.lexicons import shipped_lexicons
from dragoman.lexicons.lexicon import Lexicon

PIVOT = shipped_lexicons.PIVOT


class TranslationTables:
    """Tables between the pivot and other languages, loaded on first use."""

    def __init__(self, folders: Sequence[Path] = (), *, use_shipped: bool = True) -> None:
        self.folders = tuple(folders)
        self._use_shipped = use_shipped
        self._loaded: dict[str, Lexicon | None] = {}

    @cached_property
    def user_tables(self) -> dict[str, tuple[Path, Lexicon]]:
        """The user's tables by language, each from the language into the pivot."""
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
        """Whether there is a table from ``language`` into the pivot."""
        if language in self.user_tables:
            return True
        return self._use_shipped and language in shipped_lexicons.shipped_languages()

    def languages(self) -> tuple[str, ...]:
        """The languages with a table, and the pivot."""
        shipped = shipped_lexicons.shipped_languages() if self._use_shipped else ()
        return tuple(sorted({*self.user_tables, *shipped, PIVOT}))

    def table(self, language: str) -> Lexicon | None:
        """The table from ``language`` into the pivot; None if there is none."""
        if language in self.user_tables:
            return self.user_tables[language][1]
        if language not in self._loaded:
            self._loaded[language] = (
                shipped_lexicons.shipped_lexicon(language).reversed()
                if self.has(language)
                else None
            )
        return self._loaded[language]

    def fingerprint(self, language: str) -> str:
        """Equal for tables with equal translations; empty if there is no table."""
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
        " as source or target, because all languages are translated through it."
    )
