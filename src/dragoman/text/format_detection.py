"""A source's name and beginning -> the name of its format, or an error that lists the formats.

The ending of the name decides (without ``.gz`` and ``.zst``), or the first line where two formats
share an ending. Files of TREC have any name; their tags decide. Nothing is guessed.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from dragoman import registry
from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError, ending, find_file, open_bytes, read_lines
from dragoman.text.formats import afriqa, ciral
from dragoman.text.formats.plain import QRELS_HEADER
from dragoman.text.formats.sgml_blocks import PROLOGUE
from dragoman.text.formats.sgml_documents import DOCUMENT_TAGS

IRDS = "irds:"
LONGEST_HEADER = 10_000  # letters of a first line that are looked at for names of fields
LONGEST_PROLOGUE = 10_000  # bytes in which the first tags of a file of TREC are
_TABLES = {".csv": "csv", ".tsv": "tsv"}
_DOCUMENTS = {".jsonl": "plain", ".documents": "sasaki", ".docs": "sasaki", **_TABLES}
_QUERIES = {".jsonl": "plain", ".jl": "clirmatrix", ".queries": "sasaki", **_TABLES}
_JUDGMENTS = {".jl": "clirmatrix", ".jsonl": "clirmatrix", ".rel": "sasaki"}
_DICTIONARIES = {".tsv": "tsv", ".txt": "muse", ".tei": "tei", ".xml": "tei"}
_DICTD = {".index": "dictd", ".dict": "dictd"}
_CLICKS = {".jsonl": "jsonl", ".tsv": "tsv"}
_TOPIC_TAGS = re.compile(PROLOGUE + rb"<top(ic)?[\s>]", re.IGNORECASE)


def is_collection(source: str) -> bool:
    """Whether ``source`` holds documents in a format of collections; else it holds people's files.

    A table or JSON file is a collection where it has the fields of one: an id and a text.
    """
    path = Path(source)
    if source.startswith(IRDS):
        return True
    if path.is_dir():
        return find_file(path, "corpus.jsonl") is not None
    if not path.exists() or afriqa.NAME.fullmatch(path.name):
        return True
    if ending(path) not in _DOCUMENTS:
        return _begins_with(path, DOCUMENT_TAGS)
    if ending(path) in (".documents", ".docs"):
        return True
    fields = {*re.findall(r"\w+", first_line(path)[:LONGEST_HEADER].lower())}
    return "text" in fields and bool(fields & {"_id", "id", "doc_id", "docid"})


def document_format(source: str) -> str:
    """The entry of ``DOCUMENT_FORMATS`` that reads ``source``."""
    path = Path(source)
    if source.startswith(IRDS):
        return "irds"
    if path.is_dir():
        if find_file(path, "corpus.jsonl"):
            return "plain"
        raise InputError(
            path,
            None,
            found="a folder without corpus.jsonl",
            expected="a collection",
            advice=f"To search its files: dragoman index {path} -o INDEX",
        )
    if published := _by_name(path, {"afriqa": afriqa.NAME, "ciral": ciral.DOCUMENTS_NAME}):
        return published
    if ending(path) not in _DOCUMENTS and _begins_with(path, DOCUMENT_TAGS):
        return "trec"
    return _by_ending(path, _DOCUMENTS, registry.DOCUMENT_FORMATS)


def query_format(source: str) -> str:
    """The entry of ``QUERY_FORMATS`` that reads ``source``."""
    path = Path(source)
    if source.startswith(IRDS):
        return "irds"
    if path.is_dir():
        return "plain"
    if published := _by_name(path, {"afriqa": afriqa.NAME, "ciral": ciral.QUERIES_NAME}):
        return published
    if ending(path) == ".jsonl" and '"src_query"' in first_line(path):
        return "clirmatrix"
    if ending(path) not in _QUERIES and _begins_with(path, _TOPIC_TAGS):
        return "trec"
    return _by_ending(path, _QUERIES, registry.QUERY_FORMATS)


def judgment_format(source: str) -> str:
    """The entry of ``JUDGMENT_FORMATS`` that reads ``source``; plain columns are TREC's."""
    path = Path(source)
    if source.startswith(IRDS):
        return "irds"
    if path.is_dir():
        return "plain" if find_file(path, "qrels.tsv") or not (path / "qrels").is_dir() else "beir"
    if afriqa.NAME.fullmatch(path.name):
        return "afriqa"
    if named := _JUDGMENTS.get(ending(path)):
        return named
    return "plain" if tuple(first_line(path).split("\t")) == QRELS_HEADER else "trec"


def bitext_format(source: str) -> str:
    """The entry of ``BITEXT_FORMATS`` that reads ``source``; empty for half an aligned pair."""
    path = Path(source)
    if ending(path) in (".tmx", ".tsv"):
        return ending(path)[1:]
    return "tsv" if "\t" in first_line(path) else ""


def dictionary_format(source: str) -> str:
    """The entry of ``DICTIONARY_FORMATS`` that reads ``source``."""
    return _by_ending(Path(source), _DICTIONARIES | _DICTD, registry.DICTIONARY_FORMATS)


def click_format(source: str) -> str:
    """The entry of ``CLICK_FORMATS`` that reads ``source``."""
    return _by_ending(Path(source), _CLICKS, registry.CLICK_FORMATS)


def first_line(path: Path) -> str:
    """The first readable line of ``path``."""
    return next((line for _, line in read_lines(path, Faults(OnError.SKIP))), "")


def _begins_with(path: Path, tags: re.Pattern[bytes]) -> bool:
    """Whether a file, unpacked, begins with some tags; a broken archive begins with none."""
    if not path.is_file():
        return False
    try:
        with open_bytes(path) as stream:
            return tags.match(stream.read(LONGEST_PROLOGUE).removeprefix(BOM_UTF8)) is not None
    except InputError:
        return False


def _by_name(path: Path, names: Mapping[str, re.Pattern[str]]) -> str:
    """The format whose published files have such a name; empty for any other name."""
    return next((one for one, name in names.items() if name.fullmatch(path.name)), "")


def _by_ending(path: Path, endings: Mapping[str, str], formats: Mapping[str, str]) -> str:
    if not path.exists():
        raise InputError(path, None, found="no such file", expected="a readable file")
    name = endings.get(ending(path))
    if name is None:
        raise InputError(
            path,
            None,
            found=f"the ending {ending(path)!r}" if ending(path) else "a name without an ending",
            expected=f"one of {', '.join(sorted(endings))}",
            advice=f"Or name the format: {', '.join(sorted(formats))}.",
        )
    return name
