"""A source that a user names -> documents, queries, judgments, runs, bitext, dictionaries, clicks.

A source is a file, a folder or ``irds:NAME``. Its format is the one named, or the one that
``format_detection`` infers. ``language`` applies to texts that do not name their own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman import registry
from dragoman.errors import ConfigError, InputError
from dragoman.text import format_detection
from dragoman.text.files import Faults, ending, require_file
from dragoman.text.formats import bitext
from dragoman.text.judgments import Judgment, collect_judgments
from dragoman.text.languages import canonical
from dragoman.types import Click, DictionaryEntry, Document, Judgments, Query, Ranking, SentencePair


def read_documents(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002 - the name users know
    language: str = "",
) -> Iterator[Document]:
    """The documents of a file, a folder or ``irds:NAME``."""
    name = format or format_detection.document_format(str(source))
    read = registry.find(registry.DOCUMENT_FORMATS, name, "document format")
    code = canonical(language) if language else ""
    for document in read(_file(source, name, "corpus.jsonl"), faults):
        yield document if document.language or not code else replace(document, language=code)


def read_queries(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002
    language: str = "",
) -> Iterator[Query]:
    """The queries of a file, a folder or ``irds:NAME``."""
    name = format or format_detection.query_format(str(source))
    read = registry.find(registry.QUERY_FORMATS, name, "query format")
    code = canonical(language) if language else ""
    for query in read(_file(source, name, "queries.jsonl"), faults):
        yield query if query.language or not code else replace(query, language=code)


def read_judgments(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002
    columns: str = "",
) -> Judgments:
    """The judgments of a qrels file, a folder or ``irds:NAME``.

    ``columns`` names the order of a TREC file's columns where the data leaves it open.
    """
    return collect_judgments(judgment_rows(source, faults, format, columns), faults)


def judgment_rows(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002
    columns: str = "",
) -> Iterator[Judgment]:
    """The judgments one by one, with their locations; nothing is checked across rows."""
    if columns and format not in (None, "", "trec"):
        raise ConfigError(f"Found columns for the format {format!r}; expected the format trec.")
    name = "trec" if columns else format or format_detection.judgment_format(str(source))
    read = registry.find(registry.JUDGMENT_FORMATS, name, "judgment format")
    path = _file(source, name, "qrels.tsv")
    rows: Iterator[Judgment] = read(path, faults, columns) if columns else read(path, faults)
    return rows


def read_run(path: str | Path, faults: Faults) -> Iterator[Ranking]:
    """The rankings of a TREC run, best hit first, equal scores by document id."""
    read: Callable[..., Iterator[Ranking]] = registry.find(registry.RUN_FORMATS, "trec", "run")
    return read(Path(path), faults)


def read_bitext(
    sources: Sequence[str | Path],
    faults: Faults,
    format: str | None = None,  # noqa: A002
    languages: tuple[str, str] | None = None,
) -> Iterator[SentencePair]:
    """The pairs of all ``sources``: TSV and TMX files, two aligned files in a row, folders of them.

    ``languages`` is needed for a TMX file with more than two languages.
    """
    first_side: Path | None = None  # of two aligned files
    for path in _expand(sources):
        name = format or format_detection.bitext_format(str(path))
        if name:
            yield from _read_whole(path, name, faults, languages)
        elif first_side is None:
            first_side = path
        else:
            yield from bitext.read_aligned(first_side, path, faults)
            first_side = None
    if first_side is not None:
        raise InputError(
            first_side,
            None,
            found="one file without tabs and no second file after it",
            expected="a TSV or TMX file, or two aligned files one after the other",
        )


def _read_whole(
    path: Path, name: str, faults: Faults, languages: tuple[str, str] | None
) -> Iterator[SentencePair]:
    read = registry.find(registry.BITEXT_FORMATS, name, "bitext format")
    options: dict[str, Any] = {}
    if name == "tmx" and languages is not None:
        options = {"source": languages[0], "target": languages[1]}
    pairs: Iterator[SentencePair] = read(path, faults, **options)
    return pairs


def _expand(sources: Sequence[str | Path]) -> Iterator[Path]:
    for source in sources:
        path = Path(source)
        inside = bitext_files(path) if path.is_dir() else [path]
        if not inside:
            raise InputError(path, None, found="no bitext", expected="*.tsv or *.tmx files")
        yield from inside


def bitext_files(folder: Path) -> list[Path]:
    """The TSV and TMX files of ``folder``, sorted by name."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and ending(path) in (".tsv", ".tmx")
    ]


def read_dictionary(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002
) -> Iterator[DictionaryEntry]:
    """The entries of a dictionary, one per translation."""
    name = format or format_detection.dictionary_format(str(source))
    read = registry.find(registry.DICTIONARY_FORMATS, name, "dictionary format")
    entries: Iterator[DictionaryEntry] = read(Path(source), faults)
    return entries


def read_clicks(
    source: str | Path,
    faults: Faults,
    format: str | None = None,  # noqa: A002
) -> Iterator[Click]:
    """The rows of a click log."""
    name = format or format_detection.click_format(str(source))
    read = registry.find(registry.CLICK_FORMATS, name, "click log format")
    clicks: Iterator[Click] = read(Path(source), faults)
    return clicks


def _file(source: str | Path, name: str, file_name: str) -> Path:
    """``file_name`` in the folder ``source`` for the plain format, else ``source`` itself."""
    path = Path(source)
    return require_file(path, file_name) if name == "plain" and path.is_dir() else path
