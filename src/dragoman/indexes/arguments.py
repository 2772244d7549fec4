"""Arguments of callers, checked where they come in: wrong types are errors that say what to do."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import isfinite
from os import PathLike
from typing import Any, TypeVar

from dragoman.errors import UserError
from dragoman.text.languages import canonical
from dragoman.types import Document

MOST_HITS = 10_000

Choice = TypeVar("Choice", bound=StrEnum)


def check_query(text: object, k: object, snippet_length: object = 0) -> None:
    """Refuse a query that is no text or a blank one, and numbers that are no whole numbers."""
    if not isinstance(text, str):
        raise UserError(f"Found a query of type {type(text).__name__}; expected a text.")
    if not text or text.isspace():
        raise UserError("Found an empty query; expected a sentence or a few words.")
    for name, number in (("k", k), ("snippet_length", snippet_length)):
        if not isinstance(number, int) or isinstance(number, bool):
            raise UserError(f"Found {name} = {number!r}; expected a whole number.")
    if isinstance(snippet_length, int) and snippet_length < 0:
        raise UserError(f"Found snippet_length = {snippet_length}; expected 0 or more letters.")


def check_text(name: str, value: object) -> None:
    """Refuse a value that is no text."""
    if not isinstance(value, str):
        raise UserError(f"Found {name} = {value!r}; expected a text.")


def check_flag(name: str, value: object) -> None:
    """Refuse a value that is neither true nor false."""
    if not isinstance(value, bool):
        raise UserError(f"Found {name} = {value!r}; expected True or False.")


def check_path(path: object) -> None:
    """Refuse a value that names no folder."""
    if not isinstance(path, str | PathLike) or not str(path):
        raise UserError(f"Found the path {path!r}; expected the name of a folder.")


def check_depth(k: int) -> None:
    """Refuse a number of hits that is too small or too large."""
    if not 1 <= k <= MOST_HITS:
        raise UserError(f"k is {k:,}; expected 1 to {MOST_HITS:,}.")


def one_of(name: str, value: object, choices: type[Choice]) -> Choice:
    """The choice that a value names."""
    try:
        return choices(str(value))
    except ValueError as error:
        known = ", ".join(repr(str(one)) for one in choices)
        raise UserError(f"Found {name} = {value!r}; expected one of {known}.") from error


def text_list(name: str, values: object) -> list[str]:
    """Several texts; one text alone would be read letter by letter and is refused."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UserError(f"Found {name} = {values!r}; expected a list of texts: [{values!r}].")
    listed = [*values]
    for value in listed:
        if not isinstance(value, str):
            raise UserError(f"Found {value!r} in {name}; expected texts.")
    return listed


def checked_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, each refused where it cannot be stored."""
    if isinstance(documents, Document | Mapping | str) or not isinstance(documents, Iterable):
        raise UserError(
            f"Found one {type(documents).__name__} as documents; expected a list of documents."
        )
    for number, document in enumerate(documents, start=1):
        if not isinstance(document, Document):
            raise UserError(
                f"document {number}: found a {type(document).__name__}; expected a"
                " dragoman.Document."
            )
        _check_fields(document, number)
        yield document


def _check_fields(document: Document, number: int) -> None:
    for name in ("doc_id", "text", "title", "language"):
        if not isinstance(value := getattr(document, name), str):
            raise UserError(f"document {number}: found {name} = {value!r}; expected a text.")
    if not document.doc_id or document.doc_id.isspace():
        raise UserError(f"document {number}: found an empty id; expected a text that names it.")
    if not isinstance(document.metadata, Mapping):
        raise UserError(f"document {document.doc_id!r}: expected metadata as a dictionary.")
    for name, value in document.metadata.items():
        if not isinstance(name, str):
            raise UserError(f"document {document.doc_id!r}: the field {name!r} is no text.")
        _check_value(document.doc_id, name, value)


def _check_value(doc_id: str, name: str, value: Any) -> None:  # noqa: ANN401 - whatever it is
    if isinstance(value, float) and not isfinite(value):
        raise UserError(f"document {doc_id!r}: found {name} = {value}; expected a finite number.")
    if isinstance(value, Mapping):
        for inner, one in value.items():
            _check_value(doc_id, f"{name}.{inner}", one)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for one in value:
            _check_value(doc_id, name, one)
    elif value is not None and not isinstance(value, str | int | float):
        raise UserError(
            f"document {doc_id!r}: found {name} of type {type(value).__name__}; expected texts,"
            " numbers, lists or dictionaries of these."
        )


def present_languages(within: object, languages: Collection[str]) -> tuple[str, ...]:
    """The languages that a search is restricted to; one without documents is an error."""
    listed = text_list("within", within) if within is not None else []
    wanted = tuple(map(canonical, listed))
    if missing := [code for code in wanted if code not in languages]:
        raise UserError(
            f"This index has no documents in {', '.join(missing)};"
            f" it has {', '.join(sorted(languages))}."
        )
    return wanted
