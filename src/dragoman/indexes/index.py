"""An index: documents with one system's representations of them, searched and changed together.

Its folder is described in ``manifest`` (format, versions, system, settings), ``checksums`` and
``store``.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from dragoman import compilation
from dragoman.errors import DragomanError, UserError
from dragoman.indexes import documents as table
from dragoman.indexes.arguments import (
    check_depth,
    check_flag,
    check_query,
    check_text,
    checked_documents,
    one_of,
    present_languages,
    text_list,
)
from dragoman.indexes.filters import parse_filter
from dragoman.indexes.loading import load_system, stored_treatments
from dragoman.indexes.maintenance.checksums import SMALL, refuse_changed
from dragoman.indexes.manifest import STORE, Manifest
from dragoman.indexes.pipeline import EncodingWorkers, Pipeline, passages_of
from dragoman.indexes.search import reranking
from dragoman.indexes.search.admission import ADMITTED
from dragoman.indexes.search.answer import Answer
from dragoman.indexes.search.grouping import best_groups, single_hits
from dragoman.indexes.search.query_reader import QueryReader
from dragoman.indexes.search.reranking import Rerank, SecondStage, SecondStages
from dragoman.indexes.search.results import grouped_results
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.search.snippets import SNIPPET
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import IndexStore, Snapshot
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import TRIES, Store, StoreReplaced
from dragoman.indexes.sync.reuse import stored_rows
from dragoman.indexes.system import ChecksQueries, ReusesRows, System
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.text.language_detection import Detection, with_languages
from dragoman.types import Document, Explanation, Query, Ranking

DEFAULT_BALANCE = Balance.CALIBRATED

T = TypeVar("T")


class Index:
    """An open index; searches may come from several threads and several processes."""

    def __init__(self, folder: Path, system: System | None = None) -> None:
        self.folder = folder
        self.manifest = Manifest.read(folder)
        self._opening = threading.RLock()
        self._store: IndexStore | None = None
        self._system = system  # loaded from the folder if not given
        self._queries = QueryReader()
        self._merging: threading.Thread | None = None
        self._merge_warning = ""  # why the last merge failed
        self._second = SecondStages(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def store(self) -> IndexStore:
        """Documents and segments; reopened where another process has rebuilt the index."""
        store = self._store
        if store is not None and store.is_current:
            return store
        with self._opening:
            if self._store is None or not self._store.is_current:
                if self._store is not None:
                    self._reopen()
                self._store = self._open_store()
            return self._store

    def _open_store(self) -> IndexStore:
        return Store(self.folder / STORE, self.system.spaces)

    def _reopen(self) -> None:
        assert self._store is not None
        self._store.close()
        self._store = self._system = None
        self.manifest = Manifest.read(self.folder)

    @property
    def system(self) -> System:
        """The system; refused where it would treat a document differently than at the build."""
        with self._opening:
            if self._system is None:
                refuse_changed(self.folder, most=SMALL)
                try:
                    self._system = load_system(self.folder, self.manifest, self._treatments)
                except Exception:
                    refuse_changed(self.folder)  # which names the damaged file
                    raise
            return self._system

    def _treatments(self, system: System) -> dict[str, str]:
        """How the documents of each language were treated, for their system."""
        return stored_treatments(self.folder, system)

    @property
    def place(self) -> str:
        """Where the index is, for messages."""
        return str(self.folder)

    @property
    def name(self) -> str:
        """The name of the index in a service."""
        return self.folder.resolve().name

    def probe(self) -> str:
        """Why it cannot be searched now; empty where it can."""
        return ""

    def close(self) -> None:
        """Wait for a running merge, and close the files."""
        if self._merging is not None:
            self._merging.join()
        with self._opening:
            if self._store is not None:
                self._store.close()
                self._store = None

    def warm_up(self) -> None:
        """Load everything that first searches would wait for, in a process that searches often."""
        compilation.enable()
        with self.snapshot() as snapshot:
            for reader in snapshot.readers:
                reader.segment.arrays.check()
        for language in sorted({"en", *self.languages}):
            with suppress(UserError):  # documents, but no queries may be in it
                self.rank(Query("", "warm up Dragomanova", language), 1)  # a table, and names

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """The current state, unchanged while the block reads it."""
        with ExitStack() as opened:
            yield self._with_retries(lambda: opened.enter_context(self.store.snapshot()))

    def _with_retries(self, work: Callable[[], T]) -> T:
        """The result of ``work``, tried again where the index is rebuilt meanwhile."""
        for _ in range(TRIES - 1):
            with suppress(StoreReplaced):
                return work()
        return work()

    @property
    def languages(self) -> Mapping[str, int]:
        """The number of documents by language."""
        with self.snapshot() as snapshot:
            return snapshot.languages

    def count(self) -> int:
        """The number of documents."""
        with self.snapshot() as snapshot:
            return len(snapshot)

    def doc_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        with self.snapshot() as snapshot:
            return snapshot.all_ids()

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of ``doc_ids``; ``None`` where one does not exist."""
        wanted = text_list("doc_ids", doc_ids)
        with self.snapshot() as snapshot:
            numbers = snapshot.numbers_of(wanted)
            exists = numbers != ABSENT
            stored = iter(snapshot.documents(numbers[exists]))
            return [next(stored) if one else None for one in exists.tolist()]

    def get(self, doc_id: str) -> Document:
        """The document with an id; an unknown id is an error."""
        (document,) = self.documents([doc_id])
        if document is None:
            raise UserError(f"{self.place}: no document has the id {doc_id!r}.")
        return document

    def query(
        self, text: str, language: str = "", query_id: str = "query"
    ) -> tuple[Query, Detection | None]:
        """The query with its language, declared or detected among the index's languages."""
        return self._queries.read(text, language, query_id, self.languages, self.system.languages)

    def search(
        self,
        text: str,
        k: int = 10,
        *,
        language: str = "",
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = DEFAULT_BALANCE,
        rerank: Rerank | str | None = None,
        group: bool = True,
        snippet_length: int = SNIPPET,
    ) -> Answer:
        """The ``k`` best documents for ``text``.

        ``within`` names the documents' languages, ``where`` conditions on their metadata as in
        ``"year>=2019"``; both are applied inside the search. ``balance`` keeps one language from
        dominating the ranking. ``rerank`` names a second system that re-ranks the best documents.
        ``group`` lists near-copies and translations of a document as members of the best of them.
        Snippets take longer than the search itself; a ``snippet_length`` of 0 leaves them out.
        """
        check_query(text, k, snippet_length)
        check_depth(k)
        check_flag("group", group)
        query, detection = self.query(text, language)
        with self.snapshot() as snapshot:
            scope = self.scope(within, where, balance)
            rank = partial(self.rank_in, snapshot, query, scope=scope, rerank=rerank)
            groups, own = (best_groups if group else single_hits)(snapshot, self.system, rank, k)
            results = grouped_results(self.system, snapshot, query, groups, snippet_length)
        warnings = (*self.query_warnings(query), *own)
        return Answer(query, tuple(results), detection, warnings)

    def query_warnings(self, query: Query) -> tuple[str, ...]:
        """Warnings about the results of this query."""
        warnings = self.system.warnings([query.language] if query.language else [])
        own = self.system.query_warning(query) if isinstance(self.system, ChecksQueries) else None
        return tuple(dict.fromkeys([*warnings, *filter(None, (own, self._merge_warning))]))

    def rank(
        self, query: Query, k: int, scope: Scope | None = None, rerank: Rerank | str | None = None
    ) -> Ranking:
        """The ranking alone, for a query whose language is known."""
        with self.snapshot() as snapshot:
            return self.rank_in(snapshot, query, k, scope or self.scope(), rerank)

    def rank_in(
        self, snapshot: Snapshot, query: Query, k: int, scope: Scope, rerank: Rerank | str | None
    ) -> Ranking:
        """The ranking alone, of a snapshot of this index."""
        check_depth(k)
        chosen = reranking.as_rerank(rerank)
        with ADMITTED:
            depth = chosen.depth if chosen else 0
            first = self.system.search(snapshot, query, max(k, depth), scope)
        if chosen is None:
            return first
        doc_ids = [hit.doc_id for hit in first.hits[: chosen.depth]]
        documents = snapshot.documents(snapshot.numbers_of(doc_ids))
        reranked = reranking.rerank_hits(
            query,
            first.hits,
            dict(zip(doc_ids, documents, strict=True)),
            self.second_stage(chosen),
            chosen,
            first=self.manifest.system,
            balance=scope.balance,
        )
        return Ranking(query.query_id, reranked.hits[:k], reranked.warnings)

    def second_stage(self, rerank: Rerank, advance: Advance = no_progress) -> SecondStage:
        """The re-ranking system, ready to score; its first use may read all documents."""
        with self.snapshot() as snapshot:
            generation = snapshot.generation
        return self._second.ready(rerank.system, generation, advance)

    def rebuild(self, folder: Path, system: str, advance: Advance = no_progress) -> None:
        """Build an index of the same documents with another system."""
        from dragoman.indexes.build import rebuild  # noqa: PLC0415 - which needs this module

        rebuild(self, folder, system, advance)

    def open_index(self, folder: Path) -> "Index":
        """The index in another folder."""
        return Index(folder)

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = no_progress,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query; the language of a query without one is detected."""
        for given in queries:
            query = given
            if not given.language:
                query, _ = self.query(given.text, query_id=given.query_id)
            yield self.rank(query, k, scope, rerank)
            advance()

    def scope(
        self,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = DEFAULT_BALANCE,
    ) -> Scope:
        """The scope of a search; a language without documents is an error."""
        wanted = present_languages(within, self.languages if within else ())
        chosen = parse_filter(wanted, text_list("where", where))
        if chosen.conditions:
            with self.snapshot() as snapshot:
                snapshot.refuse_unknown_fields(chosen)
        return Scope(chosen, one_of("balance", balance, Balance))

    def explain(self, text: str, doc_id: str, *, language: str = "") -> Explanation:
        """The term matches of a query and a document."""
        query, _ = self.query(text, language)
        check_text("doc_id", doc_id)
        with self.snapshot() as snapshot:
            (number,) = snapshot.numbers_of([doc_id])
            if number == ABSENT:
                raise UserError(f"{self.place}: no document has the id {doc_id!r}.")
            (document,) = snapshot.documents(np.array([number]))
            return self.system.explain(snapshot, query, document)

    def add(
        self,
        documents: Iterable[Document],
        advance: Advance = no_progress,
        reuse: Callable[[str], Sequence[str]] | None = None,
        workers: EncodingWorkers | None = None,
    ) -> int:
        """Add documents, or replace those with the same id; returns how many were added.

        A batch is on the disk when ``advance`` is called with the number of its passages. The
        language of a document without one is detected. ``reuse`` names the stored documents, by id,
        that a document may share passages with: only workers encode these again.
        """
        count = 0
        with self.snapshot():  # of the index that is in the folder now
            system, manifest = self.system, self.manifest
        if reuse is not None and isinstance(system, ReusesRows):
            system = system.reusing(stored_rows(self.snapshot, reuse))
        stream = with_languages(checked_documents(documents))
        with Pipeline(system, stream, workers=workers) as pipeline:
            for records in pipeline:
                self.store_records(records, manifest)
                count += len(records)
                advance(passages_of(record.document for record in records))
        self.merge_in_background()
        return count

    def store_records(
        self, records: Sequence[Record], encoded_for: Manifest | None = None, **options: int
    ) -> None:
        """Store documents that were encoded for a build of this index, by default this one."""
        languages = sorted({record.document.language for record in records})

        def add(store: IndexStore) -> None:
            facts = {f"{table.TREATMENT}{code}": self.system.treatment(code) for code in languages}
            store.add(records, facts, **options)

        self.change(add, encoded_for or self.manifest)

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        wanted = text_list("doc_ids", doc_ids)
        return self.change(lambda store: store.delete(wanted))

    def change(self, change: Callable[[IndexStore], T], encoded_for: Manifest | None = None) -> T:
        """Change the index that is in the folder now, even if it was rebuilt meanwhile."""
        return self._with_retries(lambda: change(self._store_for(encoded_for)))

    def _store_for(self, build: Manifest | None) -> IndexStore:
        """The store; refused where documents encoded for ``build`` do not fit it."""
        store, now = self.store, self.manifest
        if build is not None and (now.system, now.settings) != (build.system, build.settings):
            raise StoreReplaced(f"{self.folder}: the index was built anew; open it again.")
        return store

    def merge_in_background(self) -> None:
        """Merge segments that are due while searches and changes continue."""
        if self._merging is None or not self._merging.is_alive():
            self._merging = threading.Thread(target=self._merge_due, daemon=True)
            self._merging.start()

    def _merge_due(self) -> None:
        try:
            while self.store.merge():
                pass
            self._merge_warning = ""
        except DragomanError as error:  # searches continue with a warning
            self._merge_warning = f"segments could not be merged ({error})"

    def optimize(self) -> None:
        """Merge all segments into one; searches and changes continue meanwhile."""
        self.store.merge(everything=True)
