"""psq and sentence vectors in one store, fused per query.

Each part brings its best candidates; every candidate is then scored by both parts, so that the
fused score of a document does not depend on which part found it. A part's scores are put on one
scale by its best ones (z-scores, per language where languages are balanced) and added with weights,
or their ranks are (reciprocal ranks). Where languages are balanced, translations of the best hits
are then raised (``echo``).
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from math import isnan
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
from dragoman.systems.hybrid.echo import Echoes, callers, echoes
from dragoman.types import Document, Explanation, FloatArray, Hit, Part, Query, Ranking, Text

PARTS, ECHO = ("psq", "dense"), "echo"
FACTS = "hybrid.json"
LOOKING_UP = 4  # searches whose words are looked up at the same time
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

    def question(self, text: Text) -> FloatArray:
        """The vector of a question."""
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
        self._beside = ThreadPoolExecutor(LOOKING_UP, thread_name_prefix="words")

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
        """Each document's vectors of both parts, worked out side by side."""
        with ThreadPoolExecutor(1) as beside:
            dense = beside.submit(self.dense.vectors, documents)
            both = zip(self.psq.vectors(documents), dense.result(), strict=True)
            return [{**words, **meanings} for words, meanings in both]

    def observe(self, records: Iterable[Record]) -> None:
        """Count documents that are now in the store."""
        self.psq.observe(self._noted(records))

    def recount(self, records: Iterable[Record]) -> None:
        """Count documents that an earlier process put into the store."""
        self.psq.recount(self._noted(records))

    def _noted(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, each told to the second part as the first one takes it."""
        for record in records:
            self.dense.observe([record])
            yield record

    def forget(self, records: Iterable[Record]) -> None:
        """Count documents no longer; only words are counted."""
        self.psq.forget(records)

    def search(self, store: Store, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best of both parts' candidates; equal scores by id."""
        depth = max(k, self.config.depth)
        found = self._candidates(store, query, depth, scope)
        lists = self._fused(query.language, found, max(k, self.config.echo_hits))
        if len(lists) > 1 and self.config.echo_hits and self.config.fusion is Fusion.Z_SCORES:
            heard = self._heard(store, query, lists, scope)
            joined = {
                code: self._joined(store, query, group, code, heard.get(code, {}))
                for code, group in found.items()
            }
            lists = self._fused(query.language, joined, k, heard)
        if scope.balance is Balance.ROUND_ROBIN:
            hits = interleaved(lists)
        else:
            hits = sorted(
                (hit for mine in lists.values() for hit in mine),
                key=lambda hit: (-hit.score, hit.doc_id),
            )
        return Ranking(query.query_id, tuple(hits[:k]))

    def _candidates(
        self, store: Store, query: Query, depth: int, scope: Scope
    ) -> dict[str, Candidates]:
        """By group: the best of each part, every one scored by both."""
        best = self._best(store, query, depth, scope)
        documents = {
            code: _languages(store, best[code], allowed.languages or tuple(scope.languages))
            for code, allowed in scope.groups.items()
        }
        scored = [
            self._scored(part, store, query, depth, best, documents) for part in range(len(PARTS))
        ]
        return {
            code: Candidates(
                documents[code],
                [best_scores(words, scope.size(code) - len(words)), best_scores(meanings)],
                [
                    np.array([known.get(doc_id, absent) for doc_id in documents[code]])
                    for known, absent in zip(scored, UNLISTED, strict=True)
                ],
            )
            for code, (words, meanings) in best.items()
        }

    def _best(
        self, store: Store, query: Query, depth: int, scope: Scope
    ) -> dict[str, tuple[list[Hit], list[Hit]]]:
        """By group: each part's best; words are looked up while the question is encoded.

        It is the words that another thread looks up: the encoder gives way to it at once, whereas
        looking up words would keep the encoder waiting.
        """

        def words() -> list[list[Hit]]:
            groups = scope.groups.values()
            return [self.psq.nearest(store, query, depth, allowed) for allowed in groups]

        looking = self._beside.submit(words)
        self.dense.question(query.content)  # remembered for the searches below
        return {
            code: (mine, self.dense.nearest(store, query, depth, allowed))
            for (code, allowed), mine in zip(scope.groups.items(), looking.result(), strict=True)
        }

    def _scored(
        self,
        part: int,
        store: Store,
        query: Query,
        depth: int,
        best: Mapping[str, Sequence[Sequence[Hit]]],
        documents: Mapping[str, Mapping[str, str]],
    ) -> dict[str, float]:
        """One part's scores of all candidates; those that its cut lists lack are asked for once."""
        found = {hit.doc_id: hit.score for lists in best.values() for hit in lists[part]}
        missing = {
            doc_id: language
            for code, lists in best.items()
            if len(lists[part]) >= depth
            for doc_id, language in documents[code].items()
            if doc_id not in found
        }
        return found | self.parts[part].scores(store, query, missing) if missing else found

    def _heard(
        self, store: Store, query: Query, lists: Mapping[str, Sequence[Hit]], scope: Scope
    ) -> Echoes:
        """What the best hits find in the languages that are not their own."""
        groups = {code: mine for code, mine in scope.groups.items() if self.dense.reads(code)}
        most = self.config.echo_hits
        hits = [(code, hit) for code in groups for hit in lists[code][:most]]
        hits.sort(key=lambda known: (-known[1].score, known[1].doc_id))
        space = self.dense.spaces[0].name
        question = self.dense.question(query.content)
        return echoes(store, space, callers(store, space, question, hits[:most]), groups)

    def _joined(
        self,
        store: Store,
        query: Query,
        group: Candidates,
        language: str,
        heard: Collection[str],
    ) -> Candidates:
        """The candidates and what was heard beside them, scored by both parts like the others."""
        missing = {doc_id: language for doc_id in sorted(heard) if doc_id not in group.documents}
        if not missing:
            return group
        scores = [
            np.append(known, [found.get(doc_id, UNLISTED[part]) for doc_id in missing])
            for part, known in enumerate(group.scores)
            for found in [self.parts[part].scores(store, query, missing)]
        ]
        return replace(group, documents={**group.documents, **missing}, scores=scores)

    def _fused(
        self, asked: str, found: Mapping[str, Candidates], most: int, heard: Echoes | None = None
    ) -> dict[str, list[Hit]]:
        """Each group's ``most`` best hits with fused scores, best first."""
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
            raised = (heard or {}).get(code, {})
            fused[code] = _hits(group, added, raised, self.config.echo_weight, most)
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


def _languages(
    store: Store, lists: Sequence[Sequence[Hit]], among: Sequence[str]
) -> Mapping[str, str]:
    """The documents of the lists by id, with their languages, which are ``among`` these."""
    doc_ids = sorted({hit.doc_id for hits in lists for hit in hits})
    if len(among) == 1:
        return dict.fromkeys(doc_ids, among[0])
    return store.languages_of(doc_ids)


def _hits(
    group: Candidates,
    added: Sequence[FloatArray],
    heard: Mapping[str, float],
    weight: float,
    most: int,
) -> list[Hit]:
    """The ``most`` best candidates with what each part added, best first, equal ones by id."""
    doc_ids = list(group.documents)
    echoed = weight * np.array([heard.get(doc_id, 0.0) for doc_id in doc_ids])
    totals = (np.sum(added, axis=0) + echoed).tolist()
    columns = [
        (name, scores.tolist(), shares.tolist())
        for name, scores, shares in zip(PARTS, group.scores, added, strict=True)
    ]
    hits = []
    for row in sorted(range(len(doc_ids)), key=lambda row: (-totals[row], doc_ids[row]))[:most]:
        doc_id = doc_ids[row]
        parts = [
            Part(name, scores[row], shares[row])
            for name, scores, shares in columns
            if not isnan(scores[row])
        ]
        if doc_id in heard:
            parts.append(Part(ECHO, heard[doc_id], weight * heard[doc_id]))
        hits.append(Hit(doc_id, totals[row], tuple(parts)))
    return hits
