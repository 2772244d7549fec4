"""A search -> one page of its ranking: the window is ranked or found, then the page is filled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.indexes.index import Index
from dragoman.indexes.search.answer import Group, MatchQuality, verdict_of
from dragoman.indexes.search.grouping import WINDOW as GROUPED
from dragoman.indexes.search.grouping import group_hits
from dragoman.indexes.search.results import grouped_results
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import Snapshot
from dragoman.service.admission import Ticket
from dragoman.service.config import WINDOW
from dragoman.service.problems import Problem
from dragoman.service.schemas.search import SearchParameters
from dragoman.service.search.answer_fields import hits_fields, language_fields
from dragoman.service.search.cursors import (
    Cursor,
    Cursors,
    SnapshotId,
    expired_cursor,
    request_digest,
)
from dragoman.service.search.facets import LANGUAGE, count_facets, facet_names
from dragoman.service.search.glosses import add_glosses
from dragoman.service.search.windows import RankingWindow, Windows, pack
from dragoman.text.languages import canonical, parse_list


@dataclass(frozen=True)
class Searching:
    """Searches of indexes by windows and cursors."""

    windows: Windows
    cursors: Cursors
    rerankers: Sequence[str] = ()

    def answer(self, index: Index, wanted: SearchParameters, ticket: Ticket) -> dict[str, Any]:
        """The fields of the answer to one search."""
        if wanted.rerank and wanted.rerank not in self.rerankers:
            offered = ", ".join(self.rerankers) or "none"
            detail = f"Found rerank = {wanted.rerank!r}; this service offers {offered}."
            raise Problem(400, "rerank_not_offered", detail)
        names = facet_names(wanted.facets)
        with index.snapshot() as snapshot:
            window, offset = self._window_at(index, snapshot, wanted)
            ticket.check()
            facets = self._facets(index, snapshot, wanted, window, names) if names else {}
            ticket.check()
            page = window.page(offset, wanted.k)
            shown = page if window.key[0] == snapshot_id(index, snapshot) else live(snapshot, page)
            length = wanted.snippet_length
            results = grouped_results(index.system, snapshot, window.query, shown, length)
        hits = hits_fields(
            results,
            offset + 1,
            snippets=length > 0,
            parts=wanted.parts,
            links=wanted.links,
            texts=wanted.texts,
        )
        if wanted.gloss:
            ticket.check()
            add_glosses(hits, index.system, window.query.language)
        after = Cursor(*window.key, offset + len(page))
        return {
            "query": wanted.query,
            "language": language_fields(window.query, window.detection),
            "hits": hits,
            "window": {"hits": len(window.doc_ids), "limit": WINDOW},
            "facets": facets,
            "next": self.cursors.write(after) if after.offset < len(window.groups) else None,
            "warnings": [*window.warnings],
            "verdict": verdict(hits) if offset == 0 else None,
            "snapshot": str(window.key[0]),
        }

    def _window_at(
        self, index: Index, snapshot: Snapshot, wanted: SearchParameters
    ) -> tuple[RankingWindow, int]:
        """The window of a search, and where its page begins."""
        if not wanted.cursor:
            return self._window(index, snapshot, wanted), 0
        cursor = self.cursors.read(wanted.cursor, search_digest(index, wanted))
        window = self.windows.get((cursor.snapshot, cursor.request))
        if window is None:
            if cursor.snapshot != snapshot_id(index, snapshot):
                raise expired_cursor()
            window = self._window(index, snapshot, wanted)
        return window, cursor.offset

    def _window(self, index: Index, snapshot: Snapshot, wanted: SearchParameters) -> RankingWindow:
        """The window of a search in the current snapshot, from the cache or ranked now."""
        key = snapshot_id(index, snapshot), search_digest(index, wanted)
        if (window := self.windows.get(key)) is not None:
            return window
        query, detection = index.query(wanted.query, wanted.language)
        within = parse_list(wanted.languages) if wanted.languages else None
        scope = index.scope(within, wanted.where, wanted.balance)
        ranking = index.rank_in(snapshot, query, WINDOW, scope, wanted.rerank or None)
        warnings = (*index.query_warnings(query), *ranking.warnings)
        groups = (
            group_hits(snapshot, index.system, ranking.hits, GROUPED)
            if wanted.group
            else map(Group, ranking.hits)
        )
        doc_ids = tuple(hit.doc_id for hit in ranking.hits)
        packed = tuple(map(pack, groups))
        window = RankingWindow(key, query, detection, doc_ids, packed, warnings)
        self.windows.put(window)
        return window

    def _facets(
        self,
        index: Index,
        snapshot: Snapshot,
        wanted: SearchParameters,
        window: RankingWindow,
        names: Sequence[str],
    ) -> dict[str, Any]:
        """The counts of fields within the window; of languages, whatever languages are chosen."""
        counts = count_facets(window, snapshot, names)
        if LANGUAGE in names and wanted.languages:
            everywhere = wanted.model_copy(update={"languages": ""})
            whole = self._window(index, snapshot, everywhere)
            counts[LANGUAGE] = count_facets(whole, snapshot, [LANGUAGE])[LANGUAGE]
        return counts


def verdict(hits: Sequence[Mapping[str, Any]]) -> str | None:
    """Whether anything good was found; None where no match is known."""
    if not hits:
        return "none"
    matches = [hit["match"] and MatchQuality(hit["match"]) for hit in hits]
    return verdict_of(matches)


def search_digest(index: Index, wanted: SearchParameters) -> bytes:
    """The digest of what determines the ranking of a search; pages of any size share it.

    The index is named, because a copy of its folder has the same build and may have changed since.
    """
    languages = parse_list(wanted.languages) if wanted.languages else ()
    return request_digest(
        "search",
        index.name,
        wanted.query,
        canonical(wanted.language) if wanted.language else "",
        sorted(languages),
        wanted.where,
        str(wanted.balance),
        wanted.rerank,
        wanted.group,
    )


def snapshot_id(index: Index, snapshot: Snapshot) -> SnapshotId:
    """The identity of a snapshot: that of the build, and its generation."""
    return SnapshotId(bytes.fromhex(index.manifest.identity)[:16], snapshot.generation)


def live(snapshot: Snapshot, groups: Sequence[Group]) -> list[Group]:
    """The groups of an older snapshot whose best documents still exist."""
    exists: Sequence[bool] = np.not_equal(
        snapshot.numbers_of([group.hit.doc_id for group in groups]), ABSENT
    ).tolist()
    return [group for group, one in zip(groups, exists, strict=True) if one]
