"""An index: a store of documents and one system's vectors, searched and changed at the same time.

    INDEX/manifest.json   format, versions, system, settings
    INDEX/store/          documents and vectors (``edge``)
    INDEX/counts/         what the system has counted, written on close
    INDEX/second/         what second stages have counted (``second``)
    INDEX/changed         there while counts on disk are older than the store

After a crash the file ``changed`` is still there, and the counts are taken from the store again.
"""

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dragoman import registry
from dragoman.errors import UserError
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import Filter, parse_filter
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.loops import compile_loops
from dragoman.indexes.manifest import Manifest
from dragoman.indexes.pipeline import Pipeline
from dragoman.indexes.resident import ReadsQueries, Resident, mirrored
from dragoman.indexes.scope import Scope
from dragoman.indexes.second import Rerank, SecondStages, reranked
from dragoman.indexes.spaces import Record
from dragoman.protocols import Advance, System, silent
from dragoman.ranking.balance import Balance
from dragoman.text.files import staged_folder
from dragoman.text.languages import Detection, Detector, canonical
from dragoman.types import Document, Explanation, Query, Ranking

STORE, COUNTS, CHANGED, SECOND = "store", "counts", "changed", "second"
LONGEST_QUERY = 100_000  # characters; beyond that it is a document, not a question
MOST_HITS = 10_000
DEFAULT_BALANCE = Balance.CALIBRATED


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search gives: the ranking, its documents in the same order, the query's language.

    ``notices`` say what to know before trusting it: that nobody reads the query's language, say.
    """

    query: Query
    ranking: Ranking
    documents: tuple[Document, ...]
    detection: Detection | None  # None where the query's language was declared
    notices: tuple[str, ...] = ()


class Index:
    """An index that this process has open; searches may come from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = Manifest.read(folder)
        self._opening, self._writing = threading.RLock(), threading.Lock()
        self._store: EdgeStore | None = None
        self._system: Resident | None = None
        self._known_detector: tuple[Mapping[str, int], Detector] | None = None
        self._second = SecondStages(folder / SECOND)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def store(self) -> EdgeStore:
        """Documents and vectors; no other process can open them until ``close``."""
        with self._opening:
            if self._store is None:
                self._store = EdgeStore.open(self.folder / STORE)
            return self._store

    @property
    def system(self) -> Resident:
        """The system, refused where it would treat a query differently than at the build."""
        with self._opening:
            if self._system is None:
                self._system = self._loaded()
            return self._system

    def _loaded(self) -> Resident:
        system: Resident = registry.resident(self.manifest.system).load(self.folder / COUNTS)
        self.manifest.refuse_other(self.folder, system.settings)
        if (self.folder / CHANGED).exists():
            system = system.emptied()
            gathering = Gathering(mirrored(system), self.store.folder)
            records = self.store.records([space.name for space in system.spaces])
            system.recount(gathering.noting(records))
            self.store.take_mirror(gathering)
            self._write_counts(system)
        return system

    def close(self) -> None:
        """Write out what has changed and let other processes in."""
        with self._opening:
            if self._store is None:
                return
            if self._system is not None and (self.folder / CHANGED).exists():
                self._write_counts(self._system)
            self._store.close()
            self._store = None

    def warm_up(self) -> None:
        """Load all that the first searches would wait for: for a process that will search often."""
        compile_loops()
        self.rank(Query("", "warm up", "en"), 1)

    def _write_counts(self, system: Resident) -> None:
        with staged_folder(self.folder / COUNTS) as staged:
            system.save(staged)
        (self.folder / CHANGED).unlink(missing_ok=True)

    @property
    def languages(self) -> Mapping[str, int]:
        """How many documents there are in each language."""
        return self.store.languages()

    def count(self) -> int:
        """How many documents there are."""
        return self.store.count()

    def doc_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        return sorted(self.store.matching(Filter()))

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of their ids; ``None`` where one is not there."""
        return self.store.documents(doc_ids)

    def query(
        self, text: str, language: str = "", query_id: str = "query"
    ) -> tuple[Query, Detection | None]:
        """The question with its language, declared or detected among the index's languages."""
        if len(text) > LONGEST_QUERY:
            raise UserError(
                f"The query has {len(text):,} characters; at most {LONGEST_QUERY:,} are searched."
            )
        if language:
            return Query(query_id, text, canonical(language)), None
        detection = self._detector().detect(text)
        return Query(query_id, text, detection.language), detection

    def _detector(self) -> Detector:
        """Questions may come in a language that no document is in, if the system knows it."""
        known, languages = self._known_detector, self.languages
        if known is None or known[0] != languages:
            others = {code: 0 for code in self.system.languages if code in Detector().languages}
            known = self._known_detector = languages, Detector({**others, **languages})
        return known[1]

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
    ) -> Answer:
        """The ``k`` best documents for ``text``.

        ``within`` names the documents' languages, ``where`` conditions on their metadata as in
        ``"year>=2019"``; both are applied inside the search. ``balance`` keeps one language from
        flooding the list. ``rerank`` lets a second system read the best documents once more.
        """
        query, detection = self.query(text, language)
        ranking = self.rank(query, k, self.scope(within, where, balance), rerank)
        found = self.documents([hit.doc_id for hit in ranking.hits])
        here = [(hit, d) for hit, d in zip(ranking.hits, found, strict=True) if d is not None]
        notices = (*self.query_notices(query), *ranking.notices)
        ranking = Ranking(query.query_id, tuple(hit for hit, _ in here), ranking.notices)
        documents = tuple(document for _, document in here)
        return Answer(query, ranking, documents, detection, notices)

    def query_notices(self, query: Query) -> tuple[str, ...]:
        """What a person should know before trusting the results of this query."""
        notices = self.system.notices([query.language] if query.language else [])
        own = self.system.query_notice(query) if isinstance(self.system, ReadsQueries) else None
        slow = self.store.mirror_notice(mirrored(self.system))
        return tuple(dict.fromkeys([*notices, *filter(None, (own, slow))]))

    def rank(
        self,
        query: Query,
        k: int,
        scope: Scope | None = None,
        rerank: Rerank | str | None = None,
    ) -> Ranking:
        """The ranking alone, for a query whose language is known."""
        if not 1 <= k <= MOST_HITS:
            raise UserError(f"k is {k:,}; expected 1 to {MOST_HITS:,}.")
        searched = scope or self.scope()
        if rerank is None:
            return self.system.search(self.store, query, k, searched)
        second = Rerank(rerank) if isinstance(rerank, str) else rerank
        first = self.system.search(self.store, query, max(k, second.depth), searched)
        doc_ids = [hit.doc_id for hit in first.hits[: second.depth]]
        documents = {d.doc_id: d for d in self.documents(doc_ids) if d is not None}
        found = reranked(
            query,
            first.hits,
            documents,
            self.second_stage(second),
            second,
            first=self.manifest.system,
            balance=searched.balance,
        )
        return Ranking(query.query_id, found.hits[:k], _in_short_time(second, found.unread))

    def second_stage(self, rerank: Rerank, advance: Advance = silent) -> System[Any]:
        """The second system, made ready; it may read all documents when first asked for."""
        documents = (record.document for record in self.store.records([]))
        with self._writing:
            return self._second.ready(rerank.system, documents, self.count(), advance)

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = silent,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query; a language that a query does not say is detected."""
        for asked in queries:
            query = asked
            if not asked.language:
                query, _ = self.query(asked.text, query_id=asked.query_id)
            yield self.rank(query, k, scope, rerank)
            advance()

    def scope(
        self,
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = DEFAULT_BALANCE,
    ) -> Scope:
        """Where a search looks; a language without documents is an error."""
        wanted = tuple(canonical(code) for code in within) if within is not None else ()
        if missing := [code for code in wanted if code not in self.languages]:
            raise UserError(
                f"This index has no documents in {', '.join(missing)};"
                f" it has {', '.join(sorted(self.languages))}."
            )
        return Scope(self.languages, parse_filter(wanted, where), balance)

    def explain(self, text: str, doc_id: str, *, language: str = "") -> Explanation:
        """Which word of the query met which word of the document."""
        document = self.documents([doc_id])[0]
        if document is None:
            raise UserError(f"{self.folder}: no document has the id {doc_id!r}.")
        query, _ = self.query(text, language)
        return self.system.explain(query, document)

    def add(self, documents: Iterable[Document], advance: Advance = silent) -> int:
        """Add documents, or replace those with the same id; how many there were."""
        count = 0
        with Pipeline(self.system, documents) as pipeline:
            for records in pipeline:
                self._keep({record.document.doc_id: record for record in records})
                count += len(records)
                advance(len(records))
        return count

    def _keep(self, latest: Mapping[str, Record]) -> None:
        with self._writing:
            replaced = self._before_change(list(latest))
            records = list(latest.values())
            self.store.add(records)
            self.system.forget(replaced)
            self.system.observe(records)

    def delete(self, doc_ids: Collection[str]) -> int:
        """Remove documents; how many of them there were."""
        with self._writing:
            removed = self._before_change(list(doc_ids))
            self.store.delete(doc_ids)
            self.system.forget(removed)
        return len(removed)

    def _before_change(self, doc_ids: Sequence[str]) -> list[Record]:
        """The records about to go, after marking the counts on disk as old."""
        (self.folder / CHANGED).touch()
        return self.store.find(doc_ids, [space.name for space in self.system.spaces])

    def optimize(self) -> None:
        """Merge what many small changes have left; searches go on meanwhile."""
        self.store.optimize(mirrored(self.system))


def _in_short_time(second: Rerank, unread: int) -> tuple[str, ...]:
    """What to know of a second stage that could not read all that it should have."""
    if not unread:
        return ()
    return (
        f"{second.name} had {second.seconds:g} s, too short for {unread:,} of the best"
        f" {second.depth:,} documents; they stand below in the order of the first stage",
    )


def with_languages(
    documents: Iterable[Document], candidates: Collection[str] | None, detected: Counter[str]
) -> Iterator[Document]:
    """The documents, each with a language: its own, or the one detected among ``candidates``.

    ``detected`` counts how many were given which language, for the report.
    """
    detector: Detector | None = None
    for document in documents:
        if document.language:
            yield document
            continue
        detector = detector or Detector(candidates)
        language = detector.detect(f"{document.title}\n{document.text}").language
        detected[language] += 1
        yield replace(document, language=language)
