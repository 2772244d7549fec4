"""A path -> a collection: documents, queries, judgments and bitext that belong together.

Three layouts can be opened: a plain folder (qrels.tsv; a query's ``split`` is a field of
queries.jsonl), a BEIR folder (qrels/train.tsv, dev.tsv, test.tsv) and ``irds:NAME``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Self

from dragoman.errors import ConfigError, InputError
from dragoman.protocols import Advance
from dragoman.text import source
from dragoman.text.files import Faults, find_file, require_file
from dragoman.text.format_detection import IRDS
from dragoman.text.formats import beir
from dragoman.text.id_set import IdSet
from dragoman.text.judgments import collect_judgments
from dragoman.types import Document, Judgments, Query

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class CollectionSizes:
    """The numbers of documents, queries and judgments in a collection."""

    documents: int
    queries: int
    judgments: int


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of one collection, which are read again on every call."""

    name: str
    faults: Faults
    corpus: str
    queries_source: str
    qrels: Mapping[str, str]  # split -> source; "" holds all splits
    folder: Path | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        path: str | Path,
        faults: Faults | None = None,
        *,
        queries: str | Path | None = None,
    ) -> Self:
        """The collection at ``path``; ``queries`` names a queries file outside of it."""
        faults = faults or Faults()
        if str(path).startswith(IRDS):
            name = str(path)
            return cls(name, faults, name, str(queries or name), {"": name})
        folder = Path(path)
        corpus = require_file(folder, "corpus.jsonl")
        queries_source = queries or require_file(folder, "queries.jsonl")
        return cls(
            name=folder.resolve().name,
            faults=faults,
            corpus=str(corpus),
            queries_source=str(queries_source),
            qrels=_qrels(folder),
            folder=folder,
            manifest=_manifest(folder),
        )

    def documents(self) -> Iterator[Document]:
        """The documents, in the corpus's order."""
        return source.read_documents(self.corpus, self.faults)

    def queries(self, split: str | None = None) -> Iterator[Query]:
        """The queries, or those of one split: train, validation or test."""
        queries = source.read_queries(self.queries_source, self.faults)
        if split is None:
            return queries
        return _in_split(queries, split, self.qrels, self.name, self.faults)

    def judgments(self, split: str | None = None) -> Judgments:
        """The judgments, or those of one split's queries.

        A judgment of a query that the queries file lacks is a fault. Documents are not checked
        here, because that reads the whole corpus; ``check`` does it.
        """
        if not self.qrels:
            expected = "qrels.tsv, or qrels/train.tsv, dev.tsv or test.tsv"
            raise InputError(self.name, None, found="no judgments", expected=expected)
        query_ids = {query.query_id for query in self.queries()}
        one_file = split is not None and not _splits_are_marked(self.qrels)
        paths = (
            [_qrels_of(split, self.qrels, self.name)]
            if split and one_file
            else list(self.qrels.values())
        )
        judged: dict[str, dict[str, int]] = {}
        for path in paths:
            rows = source.judgment_rows(path, self.faults)
            of_file = collect_judgments(rows, self.faults, query_ids=query_ids)
            for query_id, grades in of_file.items():
                judged.setdefault(query_id, {}).update(grades)
        if split is None or one_file:
            return judged
        wanted = {query.query_id for query in self.queries(split)}
        return {query_id: grades for query_id, grades in judged.items() if query_id in wanted}

    def bitext_files(self) -> list[Path]:
        """The collection's training bitext files, sorted by name."""
        folder = self.folder / "bitext" if self.folder else None
        return source.bitext_files(folder) if folder and folder.is_dir() else []

    def check(self, advance: Advance | None = None) -> CollectionSizes:
        """Read everything once; a judgment of an unknown query or document is a fault.

        Document ids are stored as 64-bit hashes (``IdSet``), so a missing document is overlooked
        with probability below n / 2**64.
        """
        doc_ids = IdSet()
        for document in self.documents():
            doc_ids.add(document.doc_id)
            if advance is not None:
                advance()
        query_ids = {query.query_id for query in self.queries()}
        judgments = 0
        for path in self.qrels.values():
            rows = source.judgment_rows(path, self.faults)
            of_file = collect_judgments(rows, self.faults, query_ids=query_ids, doc_ids=doc_ids)
            judgments += sum(map(len, of_file.values()))
        return CollectionSizes(len(doc_ids), len(query_ids), judgments)


def split_queries(
    path: str | Path, split: str, faults: Faults, *, queries: Iterator[Query]
) -> Iterator[Query]:
    """Those of ``queries``, read from ``path``, that belong to one split.

    A query names its split in the field ``split``; in a BEIR folder, the qrels file of the split
    lists its queries.
    """
    folder = Path(path)
    return _in_split(queries, split, _qrels(folder) if folder.is_dir() else {}, str(path), faults)


def _in_split(
    queries: Iterator[Query], split: str, qrels: Mapping[str, str], name: str, faults: Faults
) -> Iterator[Query]:
    if _splits_are_marked(qrels):
        return _marked(queries, split, name)
    rows = source.judgment_rows(_qrels_of(split, qrels, name), faults)
    judged = {row.query_id for row in rows}
    return (query for query in queries if query.query_id in judged)


def _splits_are_marked(qrels: Mapping[str, str]) -> bool:
    """Whether queries name their splits, as in the plain layout; BEIR has a file per split."""
    return qrels.keys() <= {""}


def _marked(queries: Iterator[Query], split: str, name: str) -> Iterator[Query]:
    known: set[str] = set()
    for query in queries:
        known.add(str(query.metadata.get("split", "")))
        if query.metadata.get("split") == split:
            yield query
    if split not in known:
        _refuse_split(split, known - {""}, name)


def _qrels_of(split: str, qrels: Mapping[str, str], name: str) -> str:
    ours = {theirs: ours for ours, theirs in beir.SPLITS.items()}.get(split, split)
    if ours not in qrels:
        _refuse_split(split, qrels, name)
    return qrels[ours]


def _refuse_split(split: str, known: Iterable[str], name: str) -> NoReturn:
    names = ", ".join(sorted(known))
    advice = "" if names else " Splits are the field 'split' of queries, or a folder's qrels/*.tsv."
    raise ConfigError(f"Found no split {split!r} in {name}; known: {names or 'none'}.{advice}")


def _qrels(folder: Path) -> dict[str, str]:
    """Split -> qrels file of a BEIR folder; "" -> qrels file of a plain folder."""
    single = find_file(folder, "qrels.tsv")
    if single is not None:
        return {"": str(single)}
    splits = {
        split: find_file(folder / "qrels", f"{name}.tsv") for split, name in beir.SPLITS.items()
    }
    return {split: str(path) for split, path in splits.items() if path is not None}


def _manifest(folder: Path) -> Mapping[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path, None, found=f"broken JSON ({error})", expected="JSON") from error
    if not isinstance(manifest, dict):
        raise InputError(path, None, found="no JSON object", expected="a JSON object")
    return manifest
