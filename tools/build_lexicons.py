"""Rebuild the lexicons that the package ships, byte for byte where the inputs are the same.

    python tools/build_lexicons.py                 all languages, into the package's data folder
    python tools/build_lexicons.py sw tr           two of them
    python tools/build_lexicons.py --check         rebuild beside, compare with what is shipped

The one collection among the inputs (MPL-2.0) is built by our own command:

    dragoman collection get libreoffice-help --languages en,de,el,es,fi,fr,it,ru -o FOLDER

where FOLDER is build/lexicons/collections/libreoffice-help. The texts of ``debian-packages`` are
under the licence of each package, the GPL among them, so no shipped number comes from them. The
default encoder (dragoman models get default) drops misaligned pairs (``bitext_sources``).

Every table is what ``dragoman learn lexicon`` makes of the inputs below with its default settings,
packed. ``manifest.json`` names each input with its SHA-256, and the table's own.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bitext_sources import read_pairs
from word_lists import WordLists

from dragoman.lexicons.learning import LexiconTrainingResult, learn_lexicon
from dragoman.lexicons.report import lexicon_report
from dragoman.lexicons.shipped_lexicons import DATA, PIVOT, SUFFIX
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry, SentencePair

ROOT = Path(__file__).parent.parent
LANGUAGES = (  # noqa: SIM905
    "ar bg cs de el es fi fr ha hi id it ja ko nl pl pt ru so sw th tl tr uk vi yo zh"
).split()
COLLECTIONS = ("libreoffice-help",)
WORK = ROOT / "build" / "lexicons"
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Inputs:
    """All that one language's table is learnt from."""

    language: str
    data: Path
    collections: Path
    word_lists: WordLists

    @property
    def bitext(self) -> list[Path]:
        """Sentence pairs of collections, of their training items only."""
        parts = [self.collections / collection / "bitext" for collection in COLLECTIONS]
        return self._existing(parts)

    @property
    def sourced_bitext(self) -> list[Path]:
        """Sentence pairs whose sources are named, English first."""
        return self._existing([self.data / "bitext", self.data / "bitext-more"])

    def _existing(self, folders: Iterable[Path]) -> list[Path]:
        paths = [folder / f"{PIVOT}-{self.language}.tsv.gz" for folder in folders]
        return [path for path in paths if path.exists()]

    @property
    def dictionary(self) -> Path | None:
        """Not every language has one."""
        path = self.data / "dictionaries" / f"{PIVOT}-{self.language}.tsv.gz"
        return path if path.exists() else None

    def files(self) -> list[Path]:
        """Everything that decides the table, beside the code."""
        listed = [self.dictionary] if self.dictionary else []
        return [
            *self.sourced_bitext,
            *self.bitext,
            *listed,
            *self.word_lists.archives(self.language),
        ]

    def pairs(self) -> list[SentencePair]:
        """All sentence pairs."""
        read = read_bitext(self.bitext, Faults()) if self.bitext else ()
        sourced = read_pairs(self.sourced_bitext, self.language)
        return [*sourced, *read, *self.word_lists.pairs(self.language)]

    def entries(self) -> list[DictionaryEntry]:
        """All dictionary entries."""
        listed = read_dictionary(self.dictionary, Faults()) if self.dictionary else ()
        return [*listed, *self.word_lists.entries(self.language)]


def build(inputs: Inputs) -> LexiconTrainingResult:
    """What the command learns from the same inputs."""
    return learn_lexicon(inputs.pairs(), inputs.entries(), PIVOT, inputs.language)


def digest(content: bytes) -> str:
    """The SHA-256 of ``content``."""
    return hashlib.sha256(content).hexdigest()


def build_all(every: Iterable[Inputs]) -> Iterator[tuple[str, bytes, dict[str, object]]]:
    """Language, packed table and what the manifest says of it."""
    for inputs in every:
        files = inputs.files()
        started = time.monotonic()
        learnt = build(inputs)
        table = learnt.lexicon.pack()
        found = lexicon_report(learnt)
        english, other = found.sides
        print(
            f"{inputs.language}: {found.pairs:,} pairs, {found.entries:,} entries ->"
            f" {english.words:,} and {other.words:,} words, {found.word_pairs:,} word pairs,"
            f" {len(table):,} bytes, {time.monotonic() - started:.0f} s",
            flush=True,
        )
        digests = {_named(path, inputs): digest(path.read_bytes()) for path in files}
        yield inputs.language, table, {"sha256": digest(table), "inputs": digests}


def _named(path: Path, inputs: Inputs) -> str:
    """The path below the folder that holds it, because languages' files share their names."""
    for root in (inputs.data, inputs.collections, inputs.word_lists.folder):
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def main() -> int:
    """Build or check; 1 where a table differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--word-lists", type=Path, default=WORK / "word-lists")
    parser.add_argument("--collections", type=Path, default=WORK / "collections")
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    path = options.output / MANIFEST
    manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    different = []
    word_lists = WordLists(options.word_lists)
    every = (
        Inputs(language, options.data, options.collections, word_lists)
        for language in options.languages
    )
    for language, table, facts in build_all(every):
        target = options.output / f"{language}{SUFFIX}"
        if options.check:
            if not target.exists() or target.read_bytes() != table:
                different.append(language)
            continue
        target.write_bytes(table)
        manifest[language] = facts
        written = json.dumps(manifest, indent=2, sort_keys=True)
        path.write_text(written + "\n", encoding="utf-8")
    if different:
        print(f"differ from what is shipped: {', '.join(different)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
