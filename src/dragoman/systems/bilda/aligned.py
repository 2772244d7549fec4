"""Collections -> aligned texts: the same item in each language, one after the other.

Named collections call the document of an item ``it:0ad``, language and name; items that stand in
all wanted languages are taken. The other way are line-aligned files, the ``comparable`` format.
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

Item = tuple[Text, ...]  # one text per language


def aligned_items(
    documents: Iterable[Document], languages: Sequence[str], names: Names[str] | None = None
) -> Iterator[Item]:
    """The items that stand in all ``languages``, of those in ``names`` where given."""
    waiting: dict[str, dict[str, Text]] = {}
    for document in documents:
        code, _, name = document.doc_id.partition(":")
        if code not in languages or code != document.language or not name:
            continue
        if names is not None and name not in names:
            continue
        versions = waiting.setdefault(name, {})
        versions[code] = document.content
        if len(versions) == len(languages):
            yield tuple(versions[code] for code in languages)
            del waiting[name]


def collection_items(
    collection: Collection, languages: Sequence[str], split: str | None
) -> Iterator[Item]:
    """The collection's aligned items; with a ``split``, those whose query belongs to it.

    An item without a query belongs to no split: its variants may be in any.
    """
    names = None if split is None else {query.query_id for query in collection.queries(split)}
    found = 0
    for item in aligned_items(collection.documents(), languages, names):
        found += 1
        yield item
    if not found:
        among = "" if split is None else f" of the split {split!r}"
        raise InputError(
            collection.name,
            None,
            found=f"no item{among} in {' and '.join(languages)}",
            expected="documents whose ids are language and name, as in 'en:0ad' and 'fr:0ad'",
        )


def comparable_items(
    paths: Sequence[Path], languages: Sequence[str], faults: Faults
) -> Iterator[Item]:
    """The lines that two or more aligned files share, one document to a line."""
    if len(paths) != len(languages):
        raise ConfigError(
            f"found {len(paths)} files for {' and '.join(languages)}; expected one per language"
        )
    for path in paths[1:]:
        check_line_counts(paths[0], path)
    sides = [
        {d.doc_id: d.content for d in read_documents(path, faults, "comparable", code)}
        for path, code in zip(paths, languages, strict=True)
    ]
    for number, text in sides[0].items():
        if all(number in side for side in sides):
            yield (text, *(side[number] for side in sides[1:]))
