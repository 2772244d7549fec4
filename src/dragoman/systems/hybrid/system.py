"""psq and sentence vectors in one store, fused per query.

Each part brings its best candidates; every candidate is then scored by both parts, so that the
fused score of a document does not depend on which part found it. A part's scores are put on one
scale by its best ones (z-scores, per language where languages are balanced) and added with weights,
or their ranks are (reciprocal ranks). Where languages are balanced, translations of the best hits
by words are raised (``echo``); they are looked for while the encoder reads the question.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from dragoman import registry
from dragoman.indexes.arrays import Damaged
from dragoman.indexes.mirror import Listed
from dragoman.indexes.resident import Finish
from dragoman.indexes.scope import Scope
from dragoman.indexes.spaces import Record, Space, Vector
from dragoman.indexes.store import Store
from dragoman.protocols import Advance
from dragoman.ranking.balance import BEST, Balance, Scales, interleaved
from dragoman.ranking.fusion import reciprocal_ranks
from dragoman.systems.hybrid.asked import Asked, Echoes, Meanings, Parts, Said, Words
from dragoman.systems.hybrid.by_engine import ByEngine
from dragoman.systems.hybrid.by_mirror import ByMirror
from dragoman.systems.hybrid.candidates import PARTS, Candidates, Fused
from dragoman.systems.hybrid.config import Fusion, HybridConfig
from dragoman.systems.hybrid.echo import Best, callers, echoes
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking

FACTS = "hybrid.json"
WHOLE = ("",)  # all documents are one group
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
    def prepare(cls, config: HybridConfig) -> Self:
        """The parts, made ready."""
        psq, dense = (registry.resident(name) for name in PARTS)
        words = psq.prepare(psq.configure(config.psq or {}))
        return cls(config, words, dense.prepare(dense.configure(config.dense or {})))

    def survey(self, documents: Iterable[Document], advance: Advance) -> None:
        """Only words depend on all documents."""
        self.psq.survey(documents, advance)

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
            return self.begun(documents, beside)()

    def begun(self, documents: Sequence[Document], beside: Executor) -> Finish:
        """Words are read at the end, because they are remembered in their order."""
        meanings = beside.submit(self.dense.vectors, documents)

        def finish() -> list[Mapping[str, Vector]]:
            words = self.psq.vectors(documents)
            return [{**w, **m} for w, m in zip(words, meanings.result(), strict=True)]

        return finish

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
        best, said = asked.best(
            max(k, self.config.depth), partial(self._said, asked, query.language, scope)
        )
        groups, heard = tuple(best), said.heard or {}
        found = self._candidates(asked, query.language, groups, *_united(best, heard))
        scaled = said.scales, _scales(found, len(groups))
        fused = self._fused(found, scaled, _distances(found, heard))
        if said.heard is None and self._echoes(groups):
            heard = self._heard(asked, groups, self._best_fused(asked, groups, fused))
            found = self._candidates(asked, query.language, groups, *_united(best, heard))
            fused = self._fused(found, scaled, _distances(found, heard))
        return Ranking(query.query_id, tuple(_ranked(asked, fused, k, scope.balance, groups)))

    def _said(self, asked: Asked, language: str, scope: Scope, words: Mapping[str, Listed]) -> Said:
        """The scales of words, and what their best hits hear in the languages not their own."""
        scaled = Scales.told_by(
            [_with_zeros(listed.scores, scope.size(code)) for code, listed in words.items()]
        )
        if not self._echoes(groups := tuple(words)):
            return Said(scaled, None)
        hits = self._best_by_words(asked, language, words, scaled)
        return Said(scaled, self._heard(asked, groups, hits) if hits else None)

    def _echoes(self, groups: Sequence[str]) -> bool:
        """Whether translations of the best hits are raised."""
        by_scores = self.config.fusion is Fusion.Z_SCORES
        return len(groups) > 1 and self.config.echo_hits > 0 and by_scores

    def _best_by_words(
        self, asked: Asked, language: str, words: Mapping[str, Listed], scaled: Scales
    ) -> list[Best]:
        """The best hits by words, in languages to which a table leads and that are read."""
        most, hits = self.config.echo_hits, []
        for place, (code, listed) in enumerate(words.items()):
            if self.dense.reads(code) and self.psq.translates(language, code):
                numbers = listed.numbers[:most]
                scores = scaled.of(listed.scores[:most], np.full(len(numbers), place))
                pairs = zip(scores.tolist(), numbers.tolist(), strict=True)
                hits += [(-score, asked.name(number), code, number) for score, number in pairs]
        return [Best(code, number, -negated) for negated, _, code, number in sorted(hits)[:most]]

    def _best_fused(self, asked: Asked, groups: Sequence[str], fused: Fused) -> list[Best]:
        """The best hits of all, where words had nothing to say."""
        found, read = fused.candidates, [self.dense.reads(code) for code in groups]
        best = fused.best(self.config.echo_hits, asked.name, np.array(read)[found.places])
        return [
            Best(groups[found.places[row]], int(found.numbers[row]), float(fused.totals[row]))
            for _, row in best
        ]

    def _heard(self, asked: Asked, groups: Sequence[str], hits: Sequence[Best]) -> Echoes:
        """What the hits find in the languages that are not their own."""
        return echoes(asked, callers(asked, hits), [c for c in groups if self.dense.reads(c)])

    def _candidates(
        self,
        asked: Asked,
        language: str,
        groups: Sequence[str],
        numbers: IntArray,
        places: IntArray,
    ) -> Candidates:
        """Documents of the groups at these places, scored by both parts."""
        words, meanings = asked.scores(numbers)
        lengths = np.maximum(asked.lengths(numbers), 1)  # the more passages, the nearer the best
        if groups == WHOLE:
            shares = self._shares(language, asked.languages(numbers))
        else:
            shares = self._shares(language, groups)[places]
        return Candidates(
            numbers,
            places,
            words,
            meanings,
            self.config.passage_discount * np.log(lengths),
            np.where(np.isnan(meanings), 0.0, shares),  # none where they cannot say
        )

    def _fused(self, found: Candidates, scaled: tuple[Scales, Scales], heard: FloatArray) -> Fused:
        """The candidates with fused scores."""
        words = self._scaled(found.words, found.places, scaled[0])
        meanings = self._scaled(found.meanings - found.discounts, found.places, scaled[1])
        added = (1.0 - found.shares) * words, found.shares * meanings
        return Fused.of(found, added, heard, self.config.echo_weight)

    def _scaled(self, scores: FloatArray, places: IntArray, scaled: Scales) -> FloatArray:
        """One part's scores on the common scale; a document it cannot score adds nothing."""
        known = ~np.isnan(scores)
        if self.config.fusion is Fusion.Z_SCORES:
            return np.where(known, scaled.of(scores, places), 0.0)
        ranked = np.zeros(len(scores))
        for place in range(len(scaled.means)):
            mine = known & (places == place)
            ranked[mine] = reciprocal_ranks(scores[mine])
        return ranked

    def _shares(self, asked: str, languages: Sequence[str]) -> FloatArray:
        """The share of the sentence vectors in each of the languages."""
        shares = {code: self._share(asked, code) for code in {*languages}}
        return np.array([shares[code] for code in languages], dtype=np.float64)

    def _share(self, asked: str, language: str) -> float:
        read = self.dense.reads(asked) and self.dense.reads(language)
        if not self.psq.translates(asked, language):
            return self.config.untranslated_weight if read else self.config.unread_weight
        if not read:
            return 0.0
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


def _united(best: Mapping[str, Parts], heard: Echoes) -> tuple[IntArray, IntArray]:
    """The documents of all lists and those heard, each once, and the places of their groups."""
    lists = [(place, each.numbers) for place, both in enumerate(best.values()) for each in both]
    lists += [
        (place, np.array([*heard[code]])) for place, code in enumerate(best) if heard.get(code)
    ]
    homes = np.repeat([place for place, _ in lists], [len(mine) for _, mine in lists])
    numbers = np.concatenate([mine for _, mine in lists])
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return numbers[new], homes[order[new]]


def _scales(found: Candidates, groups: int) -> Scales:
    """The scales of meanings, by the best of all candidates."""
    scores = found.meanings - found.discounts
    return Scales.told_by([_best_known(scores[found.places == place]) for place in range(groups)])


def _distances(found: Candidates, heard: Echoes) -> FloatArray:
    """How far each document stands out as a translation."""
    loud = {number: distance for mine in heard.values() for number, distance in mine.items()}
    return np.array([loud.get(number, 0.0) for number in found.numbers.tolist()])


def _best_known(scores: FloatArray) -> FloatArray:
    """The best scores of candidates, best first, of those that have one."""
    best: FloatArray = np.sort(scores[~np.isnan(scores)])[: -BEST - 1 : -1]
    return best


def _with_zeros(scores: FloatArray, documents: int) -> FloatArray:
    """The best scores of a list, filled up by those of the other documents, which are 0."""
    best = scores[:BEST]
    others = min(documents - len(scores), BEST - len(best))
    return np.append(best, np.zeros(max(0, others)))


def _ranked(
    asked: Asked, fused: Fused, k: int, balance: Balance, groups: Sequence[str]
) -> list[Hit]:
    """The ``k`` best of all groups, balanced as asked."""
    if balance is not Balance.ROUND_ROBIN:
        return fused.hits(fused.best(k, asked.name))
    lists = {
        code: fused.hits(fused.best(k, asked.name, fused.candidates.places == place))
        for place, code in enumerate(groups)
    }
    return interleaved(lists)[:k]
