"""Bitext and dictionary files that can be read several times, with the faults of the last time."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.cli import terminal
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry, SentencePair


@dataclass
class BitextFiles:
    """Sentence pairs, read from their files in every iteration."""

    paths: list[str]
    faults: Faults  # of the last iteration
    languages: tuple[str, str]

    def __iter__(self) -> Iterator[SentencePair]:
        self.faults = Faults(self.faults.on_error)
        return read_bitext(self.paths, self.faults, languages=self.languages)


@dataclass
class DictionaryFiles:
    """Dictionary entries, read from their files in every iteration."""

    paths: list[Path]
    faults: Faults  # of the last iteration

    def __iter__(self) -> Iterator[DictionaryEntry]:
        self.faults = Faults(self.faults.on_error)
        for path in self.paths:
            yield from read_dictionary(path, self.faults)


def report_faults(*sources: BitextFiles | DictionaryFiles) -> None:
    """Print what was skipped in the files."""
    for source in sources:
        terminal.report(source.faults)
