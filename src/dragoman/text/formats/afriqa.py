"""AfriQA's gold passages (Ogundepo et al. 2023): African questions, English or French passages.

``gold_span_passages.afriqa.swa.en.test.json`` holds a JSON object a line: ``question_lang``,
``question_translated``, ``context`` and ``title``. A question is a query, a distinct context a
document, and the context of a question its one relevant document. The name has the languages.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.judgments import Judgment
from dragoman.text.records import (
    Location,
    check_language,
    check_query_text,
    optional_text,
    parse_lines,
    parse_object,
    required_text,
)
from dragoman.types import Document, Query

NAME = re.compile(
    r"gold_span_passages\.afriqa\.([a-z]{3})\.(en|fr)\.(train|dev|test)\.jsonl?(\.\w+)?"
)


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The distinct contexts, in the language that questions were translated to."""
    language = _named(path).group(2)
    seen: set[str] = set()
    for location, record in _records(path, faults):
        text = required_text(location, record, "context")
        doc_id = context_id(text)
        if doc_id not in seen:
            seen.add(doc_id)
            yield Document(doc_id, text, optional_text(location, record, "title"), language)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The questions; their human translations are metadata."""
    name = _named(path)
    language = check_language(Location(path), name.group(1))
    for location, record in _records(path, faults):
        text = check_query_text(location, required_text(location, record, "question_lang"))
        translation = optional_text(location, record, "question_translated")
        metadata = {"translation": translation, "split": name.group(3)}
        yield Query(_query_id(location, name), text, language, metadata)


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """Each question with its context."""
    name = _named(path)
    for location, record in _records(path, faults):
        doc_id = context_id(required_text(location, record, "context"))
        yield Judgment(_query_id(location, name), doc_id, 1, location)


def context_id(text: str) -> str:
    """The id of a passage, which depends on its text alone: the files have none."""
    return sha256(text.encode("utf-8")).hexdigest()[:12]


def _query_id(location: Location, name: re.Match[str]) -> str:
    return f"{name.group(3)}-{location.line}"


def _records(path: Path, faults: Faults) -> Iterator[tuple[Location, dict[str, Any]]]:
    """The rows that have a question and a context, with their locations."""

    def parse(location: Location, line: str) -> tuple[Location, dict[str, Any]]:
        record = parse_object(location, line)
        for field in ("question_lang", "context"):
            required_text(location, record, field)
        return location, record

    return parse_lines(path, faults, parse)


def _named(path: Path) -> re.Match[str]:
    match = NAME.fullmatch(path.name)
    if match is None:
        raise InputError(
            path,
            None,
            found="another file name",
            expected="AfriQA's, as in gold_span_passages.afriqa.swa.en.test.json",
        )
    return match
