"""Labels that communities translate -> names and short texts in English and another language.

Properties of Wikidata (CC0 1.0; the npm package wikidata-properties 1.0.0): what can be said of
anything, from "place of birth" to "orbital period", with a sentence on each. Presets of
OpenStreetMap's editors (ISC; npm, @openstreetmap/id-tagging-schema 6.19.2): what stands in a
landscape, from glaciers to bakeries.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from archives import members, npm

WIKIDATA = npm("wikidata-properties", "1.0.0")
OPENSTREETMAP = npm("@openstreetmap/id-tagging-schema", "6.19.2")
PACKAGES = (WIKIDATA, OPENSTREETMAP)

BYTE_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")  # JavaScript has it, JSON has not
SYNONYMS = frozenset({"aliases", "terms"})

Pair = tuple[str, str]


class LabelLists:
    """The lists of ``PACKAGES`` in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, language: str) -> Iterator[Pair]:
        """English and other names of the same things."""
        yield from _both(self._properties(), "labels", language)
        for key, pair in self._presets(language):
            if key not in SYNONYMS:
                yield pair

    def texts(self, language: str) -> Iterator[Pair]:
        """Descriptions, and lists of synonyms in no order."""
        yield from _both(self._properties(), "descriptions", language)
        for english, other in _both(self._properties(), "aliases", language):
            yield ", ".join(english), ", ".join(other)
        for key, pair in self._presets(language):
            if key in SYNONYMS:
                yield pair

    def _properties(self) -> list[dict[str, Any]]:
        return _properties(self._folder / WIKIDATA.archive)

    def _presets(self, language: str) -> Iterator[tuple[str, Pair]]:
        files = members(self._folder / OPENSTREETMAP.archive, ".json")
        path = f"dist/translations/{language}.json"
        if path not in files:
            return
        english = json.loads(files["dist/translations/en.json"])["en"]["presets"]
        yield from _leaves(english, json.loads(files[path])[language].get("presets", {}))


@cache
def _properties(archive: Path) -> list[dict[str, Any]]:
    """The list that the package's one module holds."""
    script = members(archive, "lib/index.mjs")["lib/index.mjs"].decode("utf-8")
    written = BYTE_ESCAPE.sub(r"\\u00\1", script[script.index("[") :])
    found: list[dict[str, Any]] = json.JSONDecoder().raw_decode(written)[0]
    return found


def _both(properties: list[dict[str, Any]], kind: str, language: str) -> Iterator[tuple[Any, Any]]:
    """English and other values of one kind, where a property has both."""
    for found in properties:
        values = found.get(kind, {})
        if values.get("en") and values.get(language):
            yield values["en"], values[language]


def _leaves(english: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Pair]]:
    """Texts that stand at the same place of both trees, with the last step of the way there."""
    for key, value in english.items():
        match value, other.get(key):
            case dict(), dict() as below:
                yield from _leaves(value, below)
            case str(), str() as translated if value and translated:
                yield key, (value, translated)
