"""The snapshot of a cluster: one generation of its statistics, and the documents fetched so far.

A search fetches the candidates that Qdrant finds and keeps them as segments in memory, which the
systems read as they read those of a folder. Numbers of documents count the fetched ones. The
statistics are those of all documents; a document that is replaced meanwhile is read as it is now.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.cluster.conditions import point_filter
from dragoman.cluster.points import BM25, StoredDocument, point_id, read_document
from dragoman.cluster.retrieval import SHOWN, Candidate, Retrieval
from dragoman.cluster.statistics import Statistics
from dragoman.errors import UnknownName, UserError
from dragoman.indexes.documents import TREATMENT
from dragoman.indexes.filters import Condition, Filter
from dragoman.indexes.segment import ABSENT, Entry, Segment, SegmentReader
from dragoman.indexes.snapshot import DocumentSet, LanguageSpan, QueryCounts, Snapshot
from dragoman.indexes.spaces import Space, SpaceKind
from dragoman.indexes.stored_snapshot import SelectedDocuments
from dragoman.lexicons.sounds.neighbours import Neighbour
from dragoman.scores.bm25 import most_raised
from dragoman.types import Document, FloatArray, IntArray

MEAN = "mean:"  # and space:language: the mean length that stored counts are saturated with
MOST = 20_000  # candidates of one question
SLACK = 10  # candidates beyond those wanted, which show that nothing better was left out


@dataclass(frozen=True, eq=False)
class ClusterSet:
    """Documents in a cluster; ``siblings`` are the sets that one search asks for together."""

    snapshot: "ClusterSnapshot"
    languages: tuple[str, ...]
    conditions: tuple[Condition, ...] = ()
    siblings: tuple[tuple[str, ...], ...] = ()  # their languages

    @property
    def chosen(self) -> Filter:
        """What the documents meet."""
        return Filter(self.languages, self.conditions)

    @cached_property
    def size(self) -> int:
        """The number of documents in the set."""
        if not self.conditions:
            counts = self.snapshot.languages
            return sum(counts.get(code, 0) for code in self.languages)
        return self.snapshot.retrieval.count(point_filter(self.chosen))

    @property
    def spans(self) -> tuple[LanguageSpan, ...]:
        """Where the fetched documents of the set are."""
        return self.snapshot.at_hand(self).spans

    @property
    def allowed(self) -> NDArray[np.bool_] | None:
        """By number, which of the fetched documents meet the conditions."""
        return self.snapshot.at_hand(self).allowed

    def mask(self, span: LanguageSpan) -> NDArray[np.bool_]:
        """Flags the documents of a span that belong to the set; empty where all do."""
        return self.snapshot.at_hand(self).mask(span)


class ClusterSnapshot(Snapshot):
    """One generation of a cluster; made for one search, and read by its threads."""

    def __init__(
        self,
        statistics: Statistics,
        retrieval: Retrieval,
        spaces: Sequence[Space],
        shared: dict[str, Mapping[str, float]],
    ) -> None:
        self.generation, self.statistics = statistics.batch, statistics
        self.retrieval = retrieval
        self.spaces = [space for space in spaces if space.kind is not SpaceKind.WORDS]
        self.readers: tuple[SegmentReader, ...] = ()
        self._cache = {}
        self._shared = shared  # mean lengths by space, for all searches
        self._fetched: list[StoredDocument] = []  # by number
        self._numbers: dict[str, int] = {}  # by point
        self._met: dict[tuple[Condition, ...], set[int]] = {}
        self._covered: dict[Hashable, int] = {}  # questions, and for how many documents
        self._changing = RLock()

    @property
    def languages(self) -> Mapping[str, int]:
        """The number of documents by language."""
        return self.statistics.languages

    @property
    def _bases(self) -> NDArray[np.int64]:
        return np.array([reader.base for reader in self.readers])  # not cached: it grows

    def mean_lengths(self, space: str) -> Mapping[str, float]:
        """The mean length of the documents of each language, of those that have any word."""
        means: Mapping[str, float] | None = self._shared.get(space)
        if means is None:
            means = self._shared[space] = self.statistics.mean_lengths(space)
        return means

    def frequencies(
        self, space: str, dimensions: IntArray, ranges: Sequence[tuple[IntArray, IntArray]]
    ) -> NDArray[np.int64]:
        """How many documents of the cluster have each dimension."""
        del ranges
        return self.statistics.frequencies(space, dimensions)

    def same_names(self, space: str, word: str, language: str) -> list[Neighbour]:
        """The words of all documents that may be the same name, most alike first."""
        return self.statistics.same_names(space, word, language)

    def select(self, chosen: Filter) -> ClusterSet:
        """The documents that pass a filter."""
        return ClusterSet(self, chosen.languages or tuple(self.languages), chosen.conditions)

    def by_language(self, chosen: Filter) -> dict[str, ClusterSet]:
        """The documents of each language that pass a filter; asked for together."""
        codes = chosen.languages or tuple(self.languages)
        siblings = tuple((code,) for code in codes)
        return {code: ClusterSet(self, (code,), chosen.conditions, siblings) for code in codes}

    def in_languages(self, languages: tuple[str, ...]) -> ClusterSet:
        """All documents in the given languages."""
        return ClusterSet(self, languages)

    def at_hand(self, selection: DocumentSet) -> SelectedDocuments:
        """The fetched documents of a set."""
        assert isinstance(selection, ClusterSet)
        with self._changing:
            spans = self.spans_of(selection.languages)
            if not selection.conditions:
                return SelectedDocuments(spans, None, selection.languages)
            allowed = np.zeros(self.size, np.bool_)
            allowed[[*self._met.get(selection.conditions, ())]] = True
            return SelectedDocuments(spans, allowed, selection.languages)

    def gather_nearest(
        self, space: str, queries: FloatArray, k: int, selection: DocumentSet
    ) -> DocumentSet:
        """The fetched documents of a selection, the ``k`` nearest among them.

        Qdrant's scores are those of a query at half precision, so a few more are fetched. A list
        that ends among equal scores is read on: of equal ones the first by their ids are wanted.
        """
        assert isinstance(selection, ClusterSet)
        waiting: list[tuple[FloatArray, tuple[str, ...]]] = []
        for languages in selection.siblings or (selection.languages,):
            for query in queries:
                key = space, query.tobytes(), languages, selection.conditions
                if self._covered.get(key, 0) < k:
                    self._covered[key] = k
                    waiting.append((query, languages))
        wanted = depth = min(_with_slack(k), MOST)
        while waiting:
            requests = [
                self.retrieval.nearest(
                    space, query, depth, point_filter(Filter(languages, selection.conditions))
                )
                for query, languages in waiting
            ]
            lists = self.retrieval.query(requests)
            tied = [
                depth < MOST and len(listed) >= depth and listed[-1].score == listed[k - 1].score
                for listed in lists
            ]
            nearest = [
                sorted(listed, key=lambda one: (-one.score, one.doc_id))[:wanted]
                for listed, goes_on in zip(lists, tied, strict=True)
                if not goes_on
            ]
            self._fetch_candidates(nearest, selection.conditions)
            waiting = [one for one, goes_on in zip(waiting, tied, strict=True) if goes_on]
            depth = min(8 * depth, MOST)
        return self.at_hand(selection)

    def gather_matches(
        self,
        space: str,
        query: QueryCounts,
        k: int,
        selection: DocumentSet,
        score_all: Callable[[], FloatArray],
    ) -> DocumentSet:
        """The fetched documents of a selection, the ``k`` best by their counts among them.

        Stored counts are saturated with the mean lengths of their time. A list is read on until
        its last score, raised by what other mean lengths can add at most, is below the ``k``-th.
        """
        assert isinstance(selection, ClusterSet)
        met = query.weights > 0
        terms = query.dimensions[met].astype(np.int64), query.weights[met]
        sums = np.bincount(np.unique(terms[0], return_inverse=True)[1], terms[1])
        merged = np.unique(terms[0]), sums.astype(np.float64)
        waiting = {
            languages: _with_slack(k)
            for languages in selection.siblings or (selection.languages,)
            if self._covered.get((space, _key(merged), languages, selection.conditions), 0) < k
        }
        while waiting and len(merged[0]):
            requests = [
                self.retrieval.matches(
                    space, merged, depth, point_filter(Filter(languages, selection.conditions))
                )
                for languages, depth in waiting.items()
            ]
            lists = self.retrieval.query(requests)
            self._fetch_candidates(lists, selection.conditions)
            deeper = {}
            for (languages, depth), listed in zip(waiting.items(), lists, strict=True):
                mine = ClusterSet(self, languages, selection.conditions)
                at_hand = self.at_hand(mine)  # before they are scored: another thread may add some
                best = self.top_k(score_all(), k, at_hand).scores
                full = len(listed) >= depth and depth < MOST
                raised = self._most_raised(space, query, languages)
                if full and (len(best) < k or listed[-1].score * raised > best[-1]):
                    deeper[languages] = min(4 * depth, MOST)
                else:
                    self._covered[space, _key(merged), languages, selection.conditions] = k
            waiting = deeper
        return self.at_hand(selection)

    def _most_raised(self, space: str, query: QueryCounts, languages: tuple[str, ...]) -> float:
        """By what factor a score can be above the stored one at most; 1 where nothing changed."""
        now, highest = self.mean_lengths(space), 1.0
        for code in languages:
            then = float(self.statistics.facts.get(f"{MEAN}{space}:{code}", 0.0))
            if code in now and then > 0:
                highest = max(highest, most_raised((BM25, then), (query.config, now[code])))
        return highest * (1 + 1e-5)  # stored numbers have 32 bits

    def _fetch_candidates(
        self, lists: Sequence[Sequence[Candidate]], conditions: tuple[Condition, ...]
    ) -> None:
        found = {one.point: one.version for listed in lists for one in listed}
        with self._changing:
            new = [(point, v) for point, v in found.items() if point not in self._numbers]
        self._add(self.retrieval.documents(new))
        if conditions:
            with self._changing:
                numbers = [self._numbers[point] for point in found if point in self._numbers]
                self._met.setdefault(conditions, set()).update(numbers)

    def _add(self, stored: Mapping[str, StoredDocument]) -> None:
        """Make fetched documents a segment in memory."""
        with self._changing:
            new = {point: one for point, one in stored.items() if point not in self._numbers}
            if not new:
                return
            ordered = sorted(new.items(), key=lambda pair: pair[1].key)
            base = len(self._fetched)
            entries = [
                Entry(base + row, one.document.doc_id, one.document.language, one.vectors)
                for row, (_, one) in enumerate(ordered)
            ]
            segment = Segment.of(entries, self.spaces)
            self._fetched += [one for _, one in ordered]
            self.readers = (*self.readers, SegmentReader(segment, base=base))
            self._numbers |= {point: base + row for row, (point, _) in enumerate(ordered)}

    def documents(self, numbers: IntArray) -> list[Document]:
        """The documents with these numbers."""
        return [self._fetched[number].document for number in numbers.tolist()]

    def numbers_of(self, doc_ids: Collection[str]) -> NDArray[np.int64]:
        """The number of each document, which is fetched; ``ABSENT`` where there is none."""
        points = [*map(point_id, doc_ids)]
        self._add(self.retrieval.fetch([p for p in points if p not in self._numbers]))
        return np.array([self._numbers.get(point, ABSENT) for point in points], np.int64)

    def gather_all(self, chosen: Filter) -> DocumentSet:
        """All documents that pass a filter, fetched."""
        selection = self.select(chosen)
        listed = [*map(Candidate.of, self.retrieval.scroll(SHOWN, point_filter(chosen)))]
        self._fetch_candidates([listed], chosen.conditions)
        return self.at_hand(selection)

    def all_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        return sorted(Candidate.of(one).doc_id for one in self.retrieval.scroll(SHOWN))

    def facts_named(self, prefix: str) -> dict[str, str]:
        """The facts whose names begin with ``prefix``, without it."""
        facts = self.statistics.facts.items()
        return {name.removeprefix(prefix): v for name, v in facts if name.startswith(prefix)}

    def fact(self, name: str) -> str:
        """A fact recorded with the documents; "" where there is none."""
        return self.statistics.facts.get(name, "")

    def treatments(self) -> dict[str, str]:
        """How the documents of each language were treated."""
        return self.facts_named(TREATMENT)

    def field_names(self) -> list[str]:
        """The names of all metadata fields."""
        return self.statistics.fields

    def refuse_unknown_fields(self, chosen: Filter) -> None:
        """Refuse a filter on a field that no document has, and name those that exist."""
        known = self.statistics.fields
        for field in (condition.field for condition in chosen.conditions):
            if field in known:
                continue
            if known:
                raise UnknownName(field, known, "metadata field")
            raise UserError(f"Found a filter on {field!r}, but the documents have no metadata.")

    def metadata_below(self, prefix: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Ids and metadata of documents whose ids are ``prefix``, or begin with it and / or #."""
        found = []
        for one in self.retrieval.scroll(["document"]):
            document = read_document(one.payload["document"])
            below = document.doc_id.startswith((f"{prefix}/", f"{prefix}#"))
            if below or document.doc_id == prefix:
                found.append((document.doc_id, document.metadata))
        return sorted(found, key=lambda pair: pair[0])


def _with_slack(k: int) -> int:
    return k + max(SLACK, k // 4)


def _key(terms: tuple[IntArray, FloatArray]) -> tuple[bytes, bytes]:
    return terms[0].tobytes(), terms[1].tobytes()
