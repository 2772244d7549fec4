"""Unicode's CLDR -> names in English and another language, by the keys that they share.

CLDR 48.2 (Unicode License v3): symbols and their keywords, countries, languages, scripts, cities,
units, months and days. Its currencies are left out: Hausa explains them ("Peso of the country of
Mexico"), which cost .015 of nDCG@10 on AfriQA's Hausa questions.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from archives import members, npm

VERSION = "48.2.0"
ANNOTATIONS = npm("cldr-annotations-full", VERSION)
DATES = npm("cldr-dates-full", VERSION)
NAMES = npm("cldr-localenames-full", VERSION)
UNITS = npm("cldr-units-full", VERSION)
PACKAGES = (ANNOTATIONS, DATES, NAMES, UNITS)

CODES = {"tl": "fil"}

Names = Mapping[tuple[str, str], str]


class CldrLists:
    """The lists of ``PACKAGES`` in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, language: str) -> Iterator[tuple[str, str]]:
        """English and other names of the same things."""
        english, other = self._names("en"), self._names(CODES.get(language, language))
        for key in sorted(english.keys() & other.keys()):
            if other[key] != key[-1]:  # an untranslated name is its own code
                yield english[key], other[key]

    def keywords(self, language: str) -> Iterator[tuple[str, str]]:
        """The keywords of every symbol, in no order, English and other."""
        english, other = map(self._annotations, ("en", CODES.get(language, language)))
        for symbol in sorted(english.keys() & other.keys()):
            both = english[symbol].get("default"), other[symbol].get("default")
            if both[0] and both[1]:
                yield ", ".join(both[0]), ", ".join(both[1])

    def _names(self, language: str) -> Names:
        names = {
            ("symbol", key): value["tts"][0]
            for key, value in self._annotations(language).items()
            if "tts" in value
        }
        for kind in ("territories", "languages", "scripts"):
            listed = self._main(NAMES.archive, language, kind)["localeDisplayNames"][kind]
            names.update(((kind, key), name) for key, name in listed.items() if "-alt-" not in key)
        calendar = self._main(DATES.archive, language, "ca-gregorian")
        gregorian = calendar["dates"]["calendars"]["gregorian"]
        for kind in ("months", "days"):
            wide = gregorian[kind]["stand-alone"]["wide"]
            names.update(((kind, key), name) for key, name in wide.items())
        zones = self._main(DATES.archive, language, "timeZoneNames")["dates"]["timeZoneNames"]
        names.update((("city", place), city) for place, city in _cities(zones.get("zone", {})))
        units = self._main(UNITS.archive, language, "units")["units"]["long"]
        names.update(
            (("unit", key), value["displayName"])
            for key, value in units.items()
            if "displayName" in value
        )
        return names

    def _annotations(self, language: str) -> Any:  # noqa: ANN401 - as the file has it
        path = f"annotations/{language}/annotations.json"
        return self._read(ANNOTATIONS.archive, path)["annotations"]["annotations"]

    def _main(self, archive: str, language: str, name: str) -> Any:  # noqa: ANN401
        return self._read(archive, f"main/{language}/{name}.json")["main"][language]

    def _read(self, archive: str, path: str) -> Any:  # noqa: ANN401
        return json.loads(members(self._folder / archive, ".json")[path])


def _cities(zones: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    """The city that stands for each time zone, by the zone's name."""
    for name, value in sorted(zones.items()):
        if name == "exemplarCity":
            yield place, value
        elif isinstance(value, dict):
            yield from _cities(value, f"{place}/{name}")
