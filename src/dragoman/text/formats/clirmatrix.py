"""CLIRMatrix (Sun and Duh 2020), BI-139 and MULTI-8 alike.

Documents are ``XX.tsv.gz``: id, tab, text. Queries and judgments share one JSONL file per language
pair and split, named as in ``en.zh.train.base.jl.gz``: ``{"src_id", "src_query", "tgt_results":
[[document id, grade], ...]}``, grades 0 to 6. Languages are taken from file names of these forms.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.text.files import Faults
from dragoman.text.judgments import Judgment
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    parse_lines,
    parse_object,
    required_text,
    show,
)
from dragoman.types import Document, Query

_DOCUMENTS_NAME = re.compile(r"([a-z]+)\.tsv(\.gz|\.zst)?")
_QUERIES_NAME = re.compile(
    r"([a-z]+)\.[a-z]+\.(train|dev|test1|test2)(\.base|\.full)?\.jl(\.gz|\.zst)?"
)
_LANGUAGES = (
    "af als am an ar arz ast az azb ba bar be bg bn bpy br bs bug ca cdo ce ceb ckb cs cv cy da de"
    " diq el eml en eo es et eu fa fi fo fr fy ga gd gl gu he hi hr hsb ht hu hy ia id ilo io is it"
    " ja jv ka kk kn ko ku ky la lb li lmo lt lv mai mg mhr min mk ml mn mr mrj ms my mzn nap nds"
    " ne new nl nn no oc or os pa pl pms pnb ps pt qu ro ru sa sah scn sco sd sh si simple sk sl sq"
    " sr su sv sw szl ta te tg th tl tr tt uk ur uz vec vi vo wa war wuu xmf yi yo zh"
)
LANGUAGES = frozenset(_LANGUAGES.split())
# Wikipedia's codes that have another meaning, or none, in ISO 639.
_WIKIPEDIA_CODES = {"als": "gsw", "simple": "en", "sh": "hbs", "eml": "egl"}


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of one language."""
    language = _language(path, _DOCUMENTS_NAME)

    def parse(location: Location, line: str) -> Document:
        doc_id, tab, text = line.partition("\t")
        if not tab:
            raise location.fault(found="1 column", expected="2: id and text")
        return Document(check_id(location, doc_id), text, language=language)

    return parse_lines(path, faults, parse, identify=lambda document: document.doc_id)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The queries of one language pair and split."""
    language = _language(path, _QUERIES_NAME)

    def parse(location: Location, line: str) -> Query:
        record = parse_object(location, line)
        query_id = check_id(location, required_text(location, record, "src_id"))
        text = check_query_text(location, required_text(location, record, "src_query"))
        return Query(query_id, text, language)

    return parse_lines(path, faults, parse, identify=lambda query: query.query_id)


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """The judgments of one language pair and split, query by query."""
    for rows in parse_lines(path, faults, _parse_results):
        yield from rows


def _parse_results(location: Location, line: str) -> list[Judgment]:
    record = parse_object(location, line)
    query_id = check_id(location, required_text(location, record, "src_id"))
    results = record.get("tgt_results")
    if not isinstance(results, list):
        raise location.fault(found="no list 'tgt_results'", expected="[[document id, grade], ...]")
    return [_parse_result(location, query_id, result) for result in results]


def _parse_result(location: Location, query_id: str, result: Any) -> Judgment:  # noqa: ANN401 - JSON
    match result:
        case [str(doc_id), int(grade)] if not isinstance(grade, bool):
            return Judgment(query_id, check_id(location, doc_id), grade, location)
        case _:
            raise location.fault(found=show(result), expected="[document id, grade]")


def _language(path: Path, name: re.Pattern[str]) -> str:
    """The first code of a name in the published form; empty for any other name."""
    match = name.fullmatch(path.name)
    if match is None or match.group(1) not in LANGUAGES:
        return ""
    code = match.group(1)
    return check_language(Location(path), _WIKIPEDIA_CODES.get(code, code))
