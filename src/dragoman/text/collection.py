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
        if self._splits_are_marked():
            return self._marked(queries, split)
        judged = {row.query_id for row in source.judgment_rows(self._qrels_of(split), self.faults)}
        return (query for query in queries if query.query_id in judged)

    def judgments(self, split: str | None = None) -> Judgments:
        """The judgments, or those of one split's queries.

        A judgment of a query that the queries file lacks is a fault. Documents are not checked
        here, because that reads the whole corpus; ``check`` does it.
        """
        if not self.qrels:
            expected = "qrels.tsv, or qrels/train.tsv, dev.tsv or test.tsv"
            raise InputError(self.name, None, found="no judgments", expected=expected)
        query_ids = {query.query_id for query in self.queries()}
        one_file = split is not None and not self._splits_are_marked()
        paths = [self._qrels_of(split)] if split and one_file else list(self.qrels.values())
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

    def _splits_are_marked(self) -> bool:
        """Whether queries name their splits, as in the plain layout; BEIR has a file per split."""
        return self.qrels.keys() <= {""}

    def _marked(self, queries: Iterator[Query], split: str) -> Iterator[Query]:
        known: set[str] = set()
        for query in queries:
            known.add(str(query.metadata.get("split", "")))
            if query.metadata.get("split") == split:
                yield query
        if split not in known:
            self._refuse_split(split, known - {""})

    def _qrels_of(self, split: str) -> str:
        if split not in self.qrels:
            self._refuse_split(split, self.qrels)
        return self.qrels[split]

    def _refuse_split(self, split: str, known: Iterable[str]) -> NoReturn:
        names = ", ".join(sorted(known)) or "none"
        raise ConfigError(f"Found no split {split!r} in {self.name}; known: {names}.")

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
