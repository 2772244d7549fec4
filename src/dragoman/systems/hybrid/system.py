"""psq and sentence vectors in one store, fused per query.

Each part brings its best candidates; every candidate is then scored by both parts, so that the
fused score of a document does not depend on which part found it. Scores are put on one scale per
query (z-scores over the candidates) and added with weights, or their ranks are (reciprocal ranks).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import numpy as np

from dragoman import registry
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import Filter
from dragoman.indexes.resident import Resident
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.protocols import Advance, silent
from dragoman.ranking.fusion import reciprocal_ranks, z_scores
from dragoman.systems.hybrid.config import Fusion, HybridConfig
from dragoman.types import Document, Explanation, FloatArray, Hit, Part, Query, Ranking

PARTS = ("psq", "dense")
FACTS = "hybrid.json"


class Hybrid:
    """Words and meanings together; the default system."""

    def __init__(self, config: HybridConfig, psq: Resident, dense: Resident) -> None:
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
    def parts(self) -> tuple[Resident, Resident]:
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

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer."""
        self.psq.forget(records)

    def search(self, store: EdgeStore, query: Query, k: int, allowed: Filter | None) -> Ranking:
        """The ``k`` best of both parts' candidates; equal scores by id."""
        depth = max(self.config.depth, k)
        candidates = {
            hit.doc_id: ""
            for part in self.parts
            for hit in part.search(store, query, depth, allowed).hits
        }
        languages = store.languages_of(list(candidates))
        hits = self.fuse(store, query, {doc_id: languages[doc_id] for doc_id in candidates})
        return Ranking(query.query_id, tuple(hits[:k]))

    def scores(
        self, store: EdgeStore, query: Query, documents: Mapping[str, str]
    ) -> dict[str, float]:
        """The fused scores of these documents among each other."""
        return {hit.doc_id: hit.score for hit in self.fuse(store, query, documents)}

    def fuse(self, store: EdgeStore, query: Query, documents: Mapping[str, str]) -> list[Hit]:
        """The documents (id -> language), best first, with each part's contribution."""
        if not documents:
            return []
        doc_ids = sorted(documents)
        found = [part.scores(store, query, documents) for part in self.parts]
        own = [np.array([part.get(doc_id, np.nan) for doc_id in doc_ids]) for part in found]
        weights = self._weights(query.language, [documents[doc_id] for doc_id in doc_ids], own[1])
        added = [self._scaled(scores) * w for scores, w in zip(own, weights, strict=True)]
        total = np.sum(added, axis=0)
        order = np.lexsort((np.arange(len(doc_ids)), -total))
        return [
            Hit(
                doc_ids[row],
                float(total[row]),
                tuple(
                    Part(name, float(scores[row]), float(share[row]))
                    for name, scores, share in zip(PARTS, own, added, strict=True)
                    if not np.isnan(scores[row])
                ),
            )
            for row in order
        ]

    def _scaled(self, scores: FloatArray) -> FloatArray:
        """One part's scores on the common scale; a document it cannot score adds nothing."""
        known = ~np.isnan(scores)
        scaled = np.zeros(len(scores))
        if known.any():
            values = scores[known]
            if self.config.fusion is Fusion.RECIPROCAL_RANKS:
                scaled[known] = reciprocal_ranks(values)
            else:
                scaled[known] = z_scores(values)
        return scaled

    def _weights(
        self, asked: str, languages: Sequence[str], dense: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The parts' weights per document, by who reads its language and the question's.

        Sentence vectors of a language that no encoder reads have no say.
        """
        share = np.array([self._dense_share(asked, language) for language in languages])
        share[np.isnan(dense)] = 0.0
        return 1.0 - share, share

    def _dense_share(self, asked: str, language: str) -> float:
        readable = self.dense.languages
        if readable and not {asked, language} <= set(readable):
            return 0.0
        taught = self.dense.taught  # type: ignore[attr-defined]
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
