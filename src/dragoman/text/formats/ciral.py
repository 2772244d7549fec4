"""CIRAL (Adeyemi et al. 2024): English queries, passages in Hausa, Somali, Swahili and Yoruba.

The published files are JSON lines with ``docid``, ``title``, ``text`` and ``url``
(``hausa_passages.jsonl``), queries without a header (``topics.ciral-v1.0-ha-test-a.tsv``) and TREC
qrels, which need no reader of their own. Only their names hold the languages: queries are English,
or in the documents' language where the name ends in ``-native``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.formats import plain, tables
from dragoman.types import Document, Query

LANGUAGES = {"ha": "hausa", "so": "somali", "sw": "swahili", "yo": "yoruba"}
DOCUMENTS_NAME = re.compile(r"(?:\w+-)*(hausa|somali|swahili|yoruba)[-_]passages.*\.jsonl(\.\w+)?")
QUERIES_NAME = re.compile(r"topics\.ciral-v[\d.]+-(ha|so|sw|yo)-(.+?)(-native)?\.tsv(\.\w+)?")


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The passages of one language."""
    name = _named(path, DOCUMENTS_NAME, "hausa_passages.jsonl").group(1)
    (language,) = (code for code, own in LANGUAGES.items() if own == name)
    for document in plain.read_documents(path, faults):
        yield replace(document, language=language)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of one language and split."""
    name = _named(path, QUERIES_NAME, "topics.ciral-v1.0-ha-dev.tsv")
    language = name.group(1) if name.group(3) else "en"
    for query in tables.read_tsv_queries(path, faults):
        yield replace(query, language=language)


def _named(path: Path, name: re.Pattern[str], example: str) -> re.Match[str]:
    match = name.fullmatch(path.name)
    if match is None:
        raise InputError(
            path, None, found="another file name", expected=f"CIRAL's name, as in {example}"
        )
    return match
