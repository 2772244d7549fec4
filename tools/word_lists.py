"""Public word lists -> dictionary entries: Unicode's CLDR names and the thousand commonest words.

Both are npm packages, pinned here; ``npm pack`` fetches what is missing, and the archives are read
as they are. CLDR 48.2 (Unicode License v3): emoji and symbol names, countries and languages, months
and days, the same keys in every language. thousand-most-common-words 1.0.1 (MIT): English and
other words side by side.
"""

import json
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dragoman.types import DictionaryEntry

CLDR = "48.2.0"
PACKAGES = {
    "cldr-annotations-full": CLDR,
    "cldr-dates-full": CLDR,
    "cldr-localenames-full": CLDR,
    "thousand-most-common-words": "1.0.1",
}
CLDR_CODES = {"tl": "fil"}


@dataclass(frozen=True)
class WordLists:
    """The archives of ``PACKAGES`` in one folder."""

    folder: Path

    def archives(self) -> list[Path]:
        """The archives, fetched where they are missing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for package, version in PACKAGES.items():
            path = self.folder / f"{package}-{version}.tgz"
            if not path.exists():
                command = ["npm", "pack", f"{package}@{version}", "--silent"]
                subprocess.run(command, cwd=self.folder, check=True)
            paths.append(path)
        return paths

    def entries(self, language: str) -> list[DictionaryEntry]:
        """English and ``language``, each pair once."""
        pairs = [*self._named_alike(language), *self._thousand(language)]
        return list(dict.fromkeys(DictionaryEntry(*map(_line, pair)) for pair in pairs))

    def _named_alike(self, language: str) -> Iterator[tuple[str, str]]:
        english, other = self._names("en"), self._names(CLDR_CODES.get(language, language))
        for key in sorted(english.keys() & other.keys()):
            if other[key] != key[-1]:  # an untranslated name is its own code
                yield english[key], other[key]

    def _names(self, language: str) -> Mapping[tuple[str, str], str]:
        read = self._read
        names: dict[tuple[str, str], str] = {}
        path = f"annotations/{language}/annotations.json"
        annotations = read("cldr-annotations-full", path)["annotations"]["annotations"]
        names.update(
            (("symbol", key), value["tts"][0])
            for key, value in annotations.items()
            if "tts" in value
        )
        for kind in ("territories", "languages"):
            found = read("cldr-localenames-full", f"main/{language}/{kind}.json")
            listed = found["main"][language]["localeDisplayNames"][kind]
            names.update(((kind, key), name) for key, name in listed.items() if "-alt-" not in key)
        found = read("cldr-dates-full", f"main/{language}/ca-gregorian.json")
        calendar = found["main"][language]["dates"]["calendars"]["gregorian"]
        for kind in ("months", "days"):
            names.update(((kind, k), v) for k, v in calendar[kind]["stand-alone"]["wide"].items())
        return names

    def _thousand(self, language: str) -> Iterator[tuple[str, str]]:
        found = self._read("thousand-most-common-words", f"words/{language}.json")
        for word in found["words"]:
            if word["englishWord"].strip() and word["targetWord"].strip():
                yield word["englishWord"], word["targetWord"]

    def _read(self, package: str, path: str) -> Any:  # noqa: ANN401 - whatever the file holds
        return json.loads(_members(self.folder / f"{package}-{PACKAGES[package]}.tgz")[path])


@cache
def _members(archive: Path) -> Mapping[str, bytes]:
    """Every JSON file of a package, without the leading folder."""
    members = {}
    with tarfile.open(archive) as stream:
        for member in stream:
            if member.isfile() and member.name.endswith(".json"):
                extracted = stream.extractfile(member)
                assert extracted is not None, member.name
                members[member.name.partition("/")[2]] = extracted.read()
    return members


def _line(text: str) -> str:
    return " ".join(text.split())
