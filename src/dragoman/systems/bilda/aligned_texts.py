"""Collections or line-aligned files -> aligned texts: one text per language for each item.

The documents of an item in a named collection have ids of language and name, as in ``it:0ad``;
items that lack one of the languages are skipped. Line-aligned files are those of the format
``comparable``.
"""

from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dragoman.errors import ConfigError, InputError
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.formats.bitext import check_line_counts
from dragoman.text.source import read_documents
from dragoman.types import Document, Text

AlignedTexts = tuple[Text, ...]  # one per language


def align_documents(
    documents: Iterable[Document], languages: Sequence[str], names: Names[str] | None = None
) -> Iterator[AlignedTexts]:
    """The texts of items that exist in all ``languages``, restricted to ``names`` if given."""
    incomplete: dict[str, dict[str, Text]] = {}
    for document in documents:
        code, _, name = document.doc_id.partition(":")
        if code not in languages or code != document.language or not name:
            continue
        if names is not None and name not in names:
            continue
        versions = incomplete.setdefault(name, {})
        versions[code] = document.content
        if len(versions) == len(languages):
            yield tuple(versions[code] for code in languages)
            del incomplete[name]


def collection_texts(
    collection: Collection, languages: Sequence[str], split: str | None
) -> Iterator[AlignedTexts]:
    """The aligned texts of a collection; with a ``split``, those of items whose query is in it.

    Items without a query are in no split: their variants may be in any.
    """
    names = None if split is None else {query.query_id for query in collection.queries(split)}
    count = 0
    for texts in align_documents(collection.documents(), languages, names):
        count += 1
        yield texts
    if not count:
        among = "" if split is None else f" of the split {split!r}"
        raise InputError(
            collection.name,
            None,
            found=f"no item{among} in {' and '.join(languages)}",
            expected="documents whose ids are language and name, as in 'en:0ad' and 'fr:0ad'",
        )


def comparable_texts(
    paths: Sequence[Path], languages: Sequence[str], faults: Faults
) -> Iterator[AlignedTexts]:
    """The texts on the same line of aligned files, one document per line."""
    if len(paths) != len(languages):
        raise ConfigError(
            f"found {len(paths)} files for {' and '.join(languages)}; expected one per language"
        )
    for path in paths[1:]:
        check_line_counts(paths[0], path)
    by_line = [
        {d.doc_id: d.content for d in read_documents(path, faults, "comparable", code)}
        for path, code in zip(paths, languages, strict=True)
    ]
    for line, text in by_line[0].items():
        if all(line in texts for texts in by_line):
            yield (text, *(texts[line] for texts in by_line[1:]))
