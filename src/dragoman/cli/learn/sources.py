"""Bitext and dictionary files that can be read several times, with the faults of the last time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dragoman.cli import terminal
from dragoman.text.files import Faults
from dragoman.text.format_detection import bitext_format
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


def warn_if_swapped(bitext: BitextFiles, dictionaries: DictionaryFiles) -> None:
    """Warn about files whose columns look as if they were in the other order."""
    from dragoman.text.column_languages import are_swapped
    from dragoman.text.languages import name

    source, target = bitext.languages
    for paths, pairs in _each_file(bitext, dictionaries):
        if are_swapped(pairs, source, target):
            terminal.warn(
                f"{paths}: the columns look swapped. The first looks like {name(target)} and the"
                f" second like {name(source)}, but --languages {source}-{target} names"
                f" {name(source)} first. If so, press Ctrl-C and repeat the command with"
                f" --languages {target}-{source}."
            )


def _each_file(
    bitext: BitextFiles, dictionaries: DictionaryFiles
) -> "Iterator[tuple[str, Iterable[SentencePair] | Iterable[DictionaryEntry]]]":
    """The pairs of each file by its name; those of aligned files together."""
    single = all(Path(path).is_file() and bitext_format(path) for path in bitext.paths)
    for paths in [[path] for path in bitext.paths] if single else [bitext.paths]:
        if paths:
            yield ", ".join(paths), replace(bitext, paths=paths)
    for path in dictionaries.paths:
        yield str(path), replace(dictionaries, paths=[path])


def report_faults(*sources: BitextFiles | DictionaryFiles) -> None:
    """Print what was skipped in the files."""
    for source in sources:
        terminal.report(source.faults)
