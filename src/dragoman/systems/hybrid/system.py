"""psq and sentence vectors in one store, fused per query.

Each part brings its best candidates; every candidate is then scored by both parts, so that the
fused score of a document does not depend on which part found it. A part's scores are put on one
scale by its best ones (z-scores, per language where languages are balanced) and added with weights,
or their ranks are (reciprocal ranks).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from dragoman import registry
from dragoman.indexes.filters import Filter
from dragoman.indexes.resident import Resident
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.indexes.store import Store
from dragoman.protocols import Advance, silent
from dragoman.ranking.balance import Balance, Scale, best_scores, interleaved, scales
from dragoman.ranking.fusion import reciprocal_ranks
from dragoman.systems.hybrid.config import Fusion, HybridConfig
from dragoman.types import Document, Explanation, FloatArray, Hit, Part, Query, Ranking

PARTS = ("psq", "dense")
FACTS = "hybrid.json"
# The score of a document that a part does not list: no word is shared, or there is no vector.
UNLISTED = (0.0, np.nan)


class Words(Resident, Protocol):
    """What is asked of the part that matches words."""

    tables: Any

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        ...

    def translates(self, asked: str, language: str) -> bool:
        """Whether words of one language can meet those of the other."""
        ...


class Meanings(Resident, Protocol):
    """What is asked of the part that compares sentence vectors."""

    taught: Collection[str]

    def nearest(self, store: Store, query: Query, k: int, allowed: Filter) -> list[Hit]:
        """The ``k`` best of the allowed documents."""
        ...

    def reads(self, language: str) -> bool:
        """Whether an encoder was made for the language."""
        ...


@dataclass(frozen=True, slots=True)
class Candidates:
    """Documents that a part put among its best, with the scores of both parts."""

    documents: Mapping[str, str]  # id -> language
    best: list[FloatArray]  # per part: its best scores, which tell its scale
    scores: list[FloatArray]  # per part: the documents' scores; NaN where it has none


class Hybrid:
    """Words and meanings together; the default system."""

    def __init__(self, config: HybridConfig, psq: Words, dense: Meanings) -> None:
        self.config, self.psq, self.dense = config, psq, dense

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> HybridConfig:
        """The configuration that plain settings name."""
        return HybridConfig.from_settings(settings)

    @classmethod
    def prepare(cls, documents: Iterable[Document], config: HybridConfig, advance: Advance) -> Self:
        """The parts, made ready for documents like these."""
        psq, dense = (registry.resident(name) for name in PARTS)
        return cls(
            config,
            psq.prepare(documents, psq.configure(config.psq or {}), advance),
            dense.prepare((), dense.configure(config.dense or {}), silent),
        )

    @property
    def parts(self) -> tuple[Words, Meanings]:
        """In the order of their names in ``PARTS``."""
        return self.psq, self.dense

    def emptied(self) -> Self:
        """The same system with nothing observed."""
        return type(self)(self.config, self.psq.emptied(), self.dense.emptied())

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The parts' spaces."""
        return (*self.psq.spaces, *self.dense.spaces)

    @property
    def tables(self) -> Any:  # noqa: ANN401 - a room's own type
        """The translation tables of the psq part."""
        return self.psq.tables

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return {*self.psq.languages, *self.dense.languages}

    @property
    def settings(self) -> dict[str, object]:
        """The parts' settings; fusion belongs to the search and may change."""
        return {name: part.settings for name, part in zip(PARTS, self.parts, strict=True)}

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The parts' notices."""
        codes = list(languages)
        return [notice for part in self.parts for notice in part.notices(codes)]

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's vectors of both parts."""
        both = zip(self.psq.vectors(documents), self.dense.vectors(documents), strict=True)
        return [{**words, **meanings} for words, meanings in both]

    def observe(self, records: Iterable[Record]) -> None:
        """Count documents that are now in the store; only words are counted."""
        self.psq.observe(records)

    def recount(self, records: Iterable[Record]) -> None:
        """Count documents that an earlier process put into the store."""
        self.psq.recount(records)

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer."""
        self.psq.forget(records)

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best of both parts' candidates; equal scores by id."""
        depth = max(k, self.config.depth)
        found = {
            code: self._candidates(store, query, depth, allowed, scope.size(code))
            for code, allowed in scope.groups.items()
        }
        lists = self._fused(query.language, found)
        if scope.balance is Balance.ROUND_ROBIN:
            hits = interleaved(lists)
        else:
            hits = sorted(
                (hit for mine in lists.values() for hit in mine),
                key=lambda hit: (-hit.score, hit.doc_id),
            )
        return Ranking(query.query_id, tuple(hits[:k]))

    def _candidates(
        self, store: Store, query: Query, depth: int, allowed: Filter, size: int
    ) -> Candidates:
        """The best of each part among ``size`` documents, every one scored by both."""
        best = [part.nearest(store, query, depth, allowed) for part in self.parts]
        doc_ids = sorted({hit.doc_id for hits in best for hit in hits})
        if len(allowed.languages) == 1:
            languages = dict.fromkeys(doc_ids, allowed.languages[0])
        else:
            languages = store.languages_of(doc_ids)
        return Candidates(
            languages,
            [best_scores(best[0], size - len(best[0])), best_scores(best[1])],
            [
                self._scores(part, store, query, depth, hits, languages)
                for part, hits in enumerate(best)
            ],
        )

    def _scores(
        self,
        part: int,
        store: Store,
        query: Query,
        depth: int,
        hits: Sequence[Hit],
        languages: Mapping[str, str],
    ) -> FloatArray:
        """One part's scores of all candidates; asked for where its own list was cut."""
        found = {hit.doc_id: hit.score for hit in hits}
        missing = {doc_id: code for doc_id, code in languages.items() if doc_id not in found}
        if missing and len(hits) >= depth:
            found |= self.parts[part].scores(store, query, missing)
        return np.array([found.get(doc_id, UNLISTED[part]) for doc_id in languages])

    def _fused(self, asked: str, found: Mapping[str, Candidates]) -> dict[str, list[Hit]]:
        """Each group's hits with fused scores, best first."""
        scaled = [
            scales({code: group.best[part] for code, group in found.items()})
            for part in range(len(PARTS))
        ]
        fused = {}
        for code, group in found.items():
            shares = self._shares(asked, group)
            added = [
                weight * self._scaled(group.scores[part], scaled[part][code])
                for part, weight in enumerate((1.0 - shares, shares))
            ]
            fused[code] = _hits(group, added)
        return fused

    def _scaled(self, scores: FloatArray, scale: Scale) -> FloatArray:
        """One part's scores on the common scale; a document it cannot score adds nothing."""
        known = ~np.isnan(scores)
        scaled = np.zeros(len(scores))
        if self.config.fusion is Fusion.RECIPROCAL_RANKS:
            scaled[known] = reciprocal_ranks(scores[known])
        else:
            scaled[known] = scale.of(scores[known])
        return scaled

    def _shares(self, asked: str, group: Candidates) -> FloatArray:
        """The share of the sentence vectors per document; none where they cannot say."""
        by_language = {code: self._share(asked, code) for code in {*group.documents.values()}}
        shares = np.array([by_language[code] for code in group.documents.values()])
        shares[np.isnan(group.scores[1])] = 0.0
        return shares

    def _share(self, asked: str, language: str) -> float:
        if not (self.dense.reads(asked) and self.dense.reads(language)):
            return 0.0
        if not self.psq.translates(asked, language):
            return self.config.untranslated_weight
        taught = self.dense.taught
        if asked in taught or language in taught:
            return self.config.student_weight
        return self.config.dense_weight

    def explain(self, query: Query, document: Document) -> Explanation:
        """The words that met; where no word did, the words whose vectors are nearest."""
        words = self.psq.explain(query, document)
        return words if words.links else self.dense.explain(query, document)

    def save(self, folder: Path) -> None:
        """Write both parts and the fusion's settings."""
        for name, part in zip(PARTS, self.parts, strict=True):
            (folder / name).mkdir()
            part.save(folder / name)
        facts: dict[str, Any] = {**asdict(self.config), "psq": None, "dense": None}
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        config = HybridConfig.from_settings(
            json.loads((folder / FACTS).read_text(encoding="utf-8"))
        )
        psq, dense = (registry.resident(name).load(folder / name) for name in PARTS)
        return cls(config, psq, dense)


def _hits(group: Candidates, added: Sequence[FloatArray]) -> list[Hit]:
    total = np.sum(added, axis=0)
    hits = [
        Hit(
            doc_id,
            float(total[row]),
            tuple(
                Part(name, float(scores[row]), float(share[row]))
                for name, scores, share in zip(PARTS, group.scores, added, strict=True)
                if not np.isnan(scores[row])
            ),
        )
        for row, doc_id in enumerate(group.documents)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))
