"""Rebuild the lexicons that the package ships, byte for byte where the inputs are the same.

    python tools/build_lexicons.py                 all languages, into the package's data folder
    python tools/build_lexicons.py sw tr           two of them
    python tools/build_lexicons.py --check         rebuild beside, compare with what is shipped

Every table is what ``dragoman learn lexicon`` makes of the inputs below with its default settings,
packed. ``manifest.json`` names each input with its SHA-256, and the table's own.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from word_lists import WordLists

from dragoman.lexicons.learning import Learnt, learn
from dragoman.lexicons.report import report
from dragoman.lexicons.shipped import DATA, ENDING, PIVOT
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext, read_dictionary
from dragoman.types import DictionaryEntry, SentencePair

ROOT = Path(__file__).parent.parent
LANGUAGES = "ar bg de el es fi fr ha hi it ru so sw tl tr".split()
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Inputs:
    """All that one language's table is learnt from."""

    language: str
    data: Path
    word_lists: WordLists

    @property
    def bitext(self) -> Path:
        return self.data / "bitext" / f"{PIVOT}-{self.language}.tsv.gz"

    @property
    def dictionary(self) -> Path | None:
        """Not every language has one."""
        path = self.data / "dictionaries" / f"{PIVOT}-{self.language}.tsv.gz"
        return path if path.exists() else None

    def files(self) -> list[Path]:
        listed = [self.dictionary] if self.dictionary else []
        return [self.bitext, *listed, *self.word_lists.archives()]

    def pairs(self) -> list[SentencePair]:
        return list(read_bitext([self.bitext], Faults()))

    def entries(self) -> list[DictionaryEntry]:
        listed = read_dictionary(self.dictionary, Faults()) if self.dictionary else ()
        return [*listed, *self.word_lists.entries(self.language)]


def build(inputs: Inputs) -> Learnt:
    return learn(inputs.pairs(), inputs.entries(), PIVOT, inputs.language)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def build_all(
    languages: list[str], data: Path, word_lists: WordLists
) -> Iterator[tuple[str, bytes, dict[str, object]]]:
    """Language, packed table and what the manifest says of it."""
    for language in languages:
        inputs = Inputs(language, data, word_lists)
        word_lists.archives()
        started = time.monotonic()
        learnt = build(inputs)
        table = learnt.lexicon.pack()
        found = report(learnt)
        english, other = found.sides
        print(
            f"{language}: {found.pairs:,} pairs, {found.entries:,} entries ->"
            f" {english.words:,} and {other.words:,} words, {found.word_pairs:,} word pairs,"
            f" {len(table):,} bytes, {time.monotonic() - started:.0f} s",
            flush=True,
        )
        yield (
            language,
            table,
            {
                "sha256": digest(table),
                "inputs": {path.name: digest(path.read_bytes()) for path in inputs.files()},
            },
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--word-lists", type=Path, default=ROOT / ".cache" / "word-lists")
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    path = options.output / MANIFEST
    manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    different = []
    built = build_all(options.languages, options.data, WordLists(options.word_lists))
    for language, table, facts in built:
        target = options.output / f"{language}{ENDING}"
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
