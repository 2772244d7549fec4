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
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from dragoman import registry
from dragoman.indexes.arrays import Damaged
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.indexes.store import Store
from dragoman.protocols import Advance, silent
from dragoman.ranking.balance import BEST, Balance, Scale, interleaved, scales
from dragoman.ranking.fusion import reciprocal_ranks
from dragoman.systems.hybrid.asked import Asked, Meanings, Words
from dragoman.systems.hybrid.by_engine import ByEngine
from dragoman.systems.hybrid.by_mirror import ByMirror
from dragoman.systems.hybrid.candidates import PARTS, Candidates, Fused
from dragoman.systems.hybrid.config import Fusion, HybridConfig
from dragoman.systems.hybrid.echo import Best, Echoes, callers, echoes
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking

FACTS = "hybrid.json"
LOOKING_UP = 4  # searches whose words are looked up at the same time


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
    def mirrored(self) -> tuple[str, ...]:
        """Words are looked up in arrays, and candidates compared with the question there."""
        return tuple(space.name for space in self.spaces)

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
        reflection = store.reflection(self.mirrored, scope.allowed)
        if reflection is not None:
            try:
                mirrored = ByMirror(self.psq, self.dense, reflection, query, scope, self._beside)
                return self._answer(mirrored, query, k, scope)
            except Damaged as error:
                store.distrust(error)
        asked = ByEngine(self.psq, self.dense, store, query, scope, self._beside)
        return self._answer(asked, query, k, scope)

    def _answer(self, asked: Asked, query: Query, k: int, scope: Scope) -> Ranking:
        found = self._candidates(asked, max(k, self.config.depth), scope)
        scaled = [
            scales({code: group.best[part] for code, group in found.items()})
            for part in range(len(PARTS))
        ]
        fused = self._fused(query.language, found, scaled, {})
        if len(found) > 1 and self.config.echo_hits and self.config.fusion is Fusion.Z_SCORES:
            heard = self._heard(asked, query, fused, scope)
            if heard:
                joined = self._joined(asked, found, heard)
                fused = self._fused(query.language, joined, scaled, heard)
        return Ranking(query.query_id, tuple(_ranked(asked, fused, k, scope.balance)))

    def _candidates(self, asked: Asked, depth: int, scope: Scope) -> dict[str, Candidates]:
        """By group: the best of each part, every one scored by both."""
        best = asked.best(depth)
        documents = {
            code: np.unique(np.concatenate([parts.words.numbers, parts.meanings.numbers]))
            for code, parts in best.items()
        }
        scores = asked.scores(documents)
        found = {}
        for code, parts in best.items():
            discounts = self._discounts(asked, documents[code])
            found[code] = Candidates(
                documents[code],
                asked.languages(code, documents[code]),
                [
                    _with_zeros(parts.words.scores, scope.size(code)),
                    _best_known(scores[code][1] - discounts),
                ],
                scores[code],
                discounts,
            )
        return found

    def _discounts(self, asked: Asked, numbers: IntArray) -> FloatArray:
        """What is taken off the second part's scores: the more passages, the nearer the best."""
        lengths = np.maximum(asked.lengths(numbers), 1)
        discounts: FloatArray = self.config.passage_discount * np.log(lengths)
        return discounts

    def _heard(
        self, asked: Asked, query: Query, fused: Mapping[str, Fused], scope: Scope
    ) -> Echoes:
        """What the best hits find in the languages that are not their own."""
        groups = [code for code in scope.groups if self.dense.reads(code)]
        most = self.config.echo_hits
        listed = sorted(
            (*best, code) for code in groups for best in fused[code].best(most, asked.name)
        )
        hits = [
            Best(code, int(fused[code].group.numbers[place]), -negated)
            for negated, _, place, code in listed[:most]
        ]
        question = self.dense.question(query.content)
        return echoes(asked, callers(asked, question, hits), groups)

    def _joined(
        self, asked: Asked, found: Mapping[str, Candidates], heard: Echoes
    ) -> dict[str, Candidates]:
        """The candidates and what was heard beside them, scored by both parts like the others."""
        missing = {
            code: np.array(sorted(others))
            for code, group in found.items()
            if (others := heard.get(code, {}).keys() - {*group.numbers.tolist()})
        }
        scores = asked.scores(missing) if missing else {}
        return {
            code: replace(
                group,
                numbers=np.append(group.numbers, missing[code]),
                languages=[*group.languages, *asked.languages(code, missing[code])],
                scores=[*map(np.append, group.scores, scores[code])],
                discounts=np.append(group.discounts, self._discounts(asked, missing[code])),
            )
            if code in missing
            else group
            for code, group in found.items()
        }

    def _fused(
        self,
        asked: str,
        found: Mapping[str, Candidates],
        scaled: Sequence[Mapping[str, Scale]],
        heard: Echoes,
    ) -> dict[str, Fused]:
        """Each group's candidates with fused scores; ``scaled`` by part and group."""
        fused = {}
        for code, group in found.items():
            shares = self._shares(asked, group)
            words, meanings = group.scores
            added = [
                (1.0 - shares) * self._scaled(words, scaled[0][code]),
                shares * self._scaled(meanings - group.discounts, scaled[1][code]),
            ]
            fused[code] = Fused.of(group, added, heard.get(code, {}), self.config.echo_weight)
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
        by_language = {code: self._share(asked, code) for code in {*group.languages}}
        shares = np.array([by_language[code] for code in group.languages], dtype=np.float64)
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
        """Write both parts and those of the fusion's settings that were chosen."""
        for name, part in zip(PARTS, self.parts, strict=True):
            (folder / name).mkdir()
            part.save(folder / name)
        values = {field: getattr(self.config, field.name) for field in fields(self.config)}
        facts = {  # what nobody chose follows the defaults; the parts save their own
            field.name: value
            for field, value in values.items()
            if value != field.default and field.name not in PARTS
        }
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        config = HybridConfig.from_settings(
            json.loads((folder / FACTS).read_text(encoding="utf-8"))
        )
        psq, dense = (registry.resident(name).load(folder / name) for name in PARTS)
        return cls(config, psq, dense)


def _best_known(scores: FloatArray) -> FloatArray:
    """The best scores of candidates, best first, of those that have one."""
    best: FloatArray = -np.sort(-scores[~np.isnan(scores)])[:BEST]
    return best


def _with_zeros(scores: FloatArray, documents: int) -> FloatArray:
    """The best scores of a list, filled up by those of the other documents, which are 0."""
    best = scores[:BEST]
    others = min(documents - len(scores), BEST - len(best))
    return np.append(best, np.zeros(max(0, others)))


def _ranked(asked: Asked, fused: Mapping[str, Fused], k: int, balance: Balance) -> list[Hit]:
    """The ``k`` best of all groups, balanced as asked."""
    best = {code: group.best(k, asked.name) for code, group in fused.items()}
    if balance is Balance.ROUND_ROBIN:
        lists = {
            code: [fused[code].hit(doc_id, place) for _, doc_id, place in mine]
            for code, mine in best.items()
        }
        return interleaved(lists)[:k]
    together = sorted((*found, code) for code, mine in best.items() for found in mine)
    return [fused[code].hit(doc_id, place) for _, doc_id, place, code in together[:k]]
