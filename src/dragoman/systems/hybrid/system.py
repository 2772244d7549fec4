"""psq and sentence vectors in one index, fused per query.

Each part contributes its best candidates; every candidate is then scored by both parts, so that the
fused score of a document does not depend on which part retrieved it. Scores of a part are
standardised by its best ones (z-scores, per language where languages are balanced) and added with
weights, or their reciprocal ranks are. Where languages are balanced, translations of the best
lexical hits are boosted; they are searched while the encoder reads the query.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from dragoman import registry
from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.postings import DocumentScores
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Space, Vector
from dragoman.indexes.system import AdaptsToDocuments, Finish, Ranker, StoredRows
from dragoman.ranking.balance import NEGLIGIBLE, Balance, LanguageScales, interleave
from dragoman.settings import parse_settings
from dragoman.systems.hybrid.candidates import (
    Candidates,
    Groups,
    dense_candidates,
    lexical_candidates,
    scored_by_all,
)
from dragoman.systems.hybrid.config import WEIGHTS, Fusion, HybridConfig
from dragoman.systems.hybrid.fusion import (
    Fused,
    dense_weights,
    fuse,
    lexical_scales,
    part_scales,
    weight_name,
)
from dragoman.systems.hybrid.parts import PARTS, DensePart, LexicalPart
from dragoman.systems.hybrid.query_form import QueryForm, query_form
from dragoman.systems.hybrid.translation_boost import (
    Boosts,
    SeedHit,
    boosts,
    boosts_of,
    seeds,
)
from dragoman.tuning.record import tuned_weights
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking, Text


class Lexical(NamedTuple):
    """What follows from words alone."""

    scores: DocumentScores | None
    lists: Mapping[str, ScoredDocuments]  # the best of each group
    scales: LanguageScales
    boosts: Boosts | None  # None where no hit was good enough to be a seed


class Hybrid:
    """Words and meanings together; the default system."""

    name: ClassVar[str] = "hybrid"

    def __init__(self, config: HybridConfig, psq: LexicalPart, dense: DensePart) -> None:
        self.config, self.psq, self.dense = config, psq, dense
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="words")
        self._searches, self._counting = 0, Lock()

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best of both parts' candidates; equal scores by id."""
        return self.ranker(snapshot, query, k, scope)(tuned_weights(snapshot))

    def ranker(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranker:
        """What ranks by any weights; candidates and both parts' scores of them are read once."""
        groups, depth = scope.groups(snapshot), max(k, self.config.depth)
        with self._lexical_search(snapshot, query, groups, depth) as waiting:
            vector = self.dense.query_vector(query.content)
            near = dense_candidates(snapshot, self.dense.space, vector, groups, depth)
            lexical = waiting()
        form = query_form(query.content)
        compares_words = form is QueryForm.QUESTION and self.config.maxsim_weight > 0
        languages = [code for mine in groups.values() for code in mine.languages]
        maxsim = partial(self.psq.maxsim, snapshot, query.content, languages)

        def scored(boosted: Boosts) -> tuple[Candidates, FloatArray]:
            lists = _united(groups, (lexical.lists, near), boosted)
            mine = scored_by_all(
                *(snapshot, lists, lexical.scores, self.dense.space, vector),
                maxsim if compares_words else None,
            )
            return mine, boosts_of(boosted, mine.numbers)

        first = scored(lexical.boosts or {})

        def ranking(weights: Mapping[str, float]) -> Ranking:
            config = self.config.with_weights(weights)
            scales = part_scales(config, first[0], form, len(groups), lexical.scales)

            def fused(mine: Candidates, boost: FloatArray) -> Fused:
                shares = self._shares(config, snapshot, query.content, mine, groups)
                return fuse(config, mine, form, shares, scales, boost)

            best = fused(*first)
            if lexical.boosts is None and self._boosts(groups):
                seed_hits = self._best_fused(snapshot, groups, best)
                best = fused(*scored(self._translations(snapshot, groups, seed_hits)))
            hits = _ranked(snapshot, best, k, scope.balance, groups)
            return Ranking(query.query_id, tuple(hits))

        return ranking

    def weights(self) -> dict[str, float]:
        """The weights of an index that were not tuned, by name."""
        return {name: getattr(self.config, name) for name in WEIGHTS}

    def weight_name(self, query: Query, language: str) -> str:
        """The weight that documents in a language are ranked with for a query."""
        return weight_name(self.parts, query.content, language)

    @contextmanager
    def _lexical_search(
        self, snapshot: Snapshot, query: Query, groups: Groups, k: int
    ) -> Iterator[Callable[[], Lexical]]:
        """What waits for ``_lexical``: another thread runs it while no other search is going on.

        Where searches come together the cores are busy, and a second thread only takes longer.
        """
        with self._counting:
            self._searches += 1
            alone = self._searches == 1
        try:
            if alone:
                run = copy_context().run  # with the time limit of the search
                yield self._executor.submit(run, self._lexical, snapshot, query, groups, k).result
            else:
                yield partial(self._lexical, snapshot, query, groups, k)
        finally:
            with self._counting:
                self._searches -= 1

    def _lexical(self, snapshot: Snapshot, query: Query, groups: Groups, k: int) -> Lexical:
        """Lexical scores, their scales, and the translations of the best hits."""
        searched = [code for mine in groups.values() for code in mine.languages]
        scores = self.psq.scores_of_all(snapshot, query.content, searched)
        lists = lexical_candidates(scores, groups, k)
        sizes = [mine.size for mine in groups.values()]
        scales = lexical_scales([scored.scores for scored in lists.values()], sizes)
        hits = []
        if self._boosts(groups):
            hits = self._best_lexical(snapshot, query.language, lists, scales)
        boosted = self._translations(snapshot, groups, hits) if hits else None
        return Lexical(scores, lists, scales, boosted)

    def _boosts(self, groups: Groups) -> bool:
        """Whether translations of the best hits are raised."""
        by_scores = self.config.fusion is Fusion.Z_SCORES
        return len(groups) > 1 and self.config.boost_hits > 0 and by_scores

    def _best_lexical(
        self,
        snapshot: Snapshot,
        language: str,
        lists: Mapping[str, ScoredDocuments],
        scales: LanguageScales,
    ) -> list[SeedHit]:
        """The best hits by words, in languages to which a table leads and that are read."""
        most, hits = self.config.boost_hits, []
        for group, (code, scored) in enumerate(lists.items()):
            if self.dense.reads(code) and self.psq.translates(language, code):
                numbers = scored.numbers[:most]
                scores = scales.standardize(scored.scores[:most], np.full(len(numbers), group))
                rows = zip(
                    scores.tolist(), snapshot.doc_ids(numbers), numbers.tolist(), strict=True
                )
                hits += [(-score, doc_id, code, number) for score, doc_id, number in rows]
        return [SeedHit(code, number, -negated) for negated, _, code, number in sorted(hits)[:most]]

    def _best_fused(self, snapshot: Snapshot, groups: Groups, fused: Fused) -> list[SeedHit]:
        """The best fused hits, where no lexical hit is good enough."""
        candidates, codes = fused.candidates, [*groups]
        read = np.array([self.dense.reads(code) for code in codes])
        best = fused.best(snapshot, self.config.boost_hits, read[candidates.groups])
        return [
            SeedHit(
                codes[candidates.groups[row]],
                int(candidates.numbers[row]),
                float(fused.totals[row]),
            )
            for _, row in best
        ]

    def _translations(self, snapshot: Snapshot, groups: Groups, hits: Sequence[SeedHit]) -> Boosts:
        """Documents that stand out as translations of the hits."""
        space = self.dense.space
        read = [code for code in groups if self.dense.reads(code)]
        return boosts(snapshot, space, seeds(snapshot, space, hits), groups, read)

    def _shares(
        self,
        config: HybridConfig,
        snapshot: Snapshot,
        query: Text,
        candidates: Candidates,
        groups: Groups,
    ) -> FloatArray:
        if [*groups] == [""]:
            every = snapshot.languages_of(candidates.numbers)
            return dense_weights(config, self.parts, query, every)
        by_group = dense_weights(config, self.parts, query, [*groups])
        return by_group[candidates.groups]

    def score(self, snapshot: Snapshot, query: Query, documents: Sequence[Document]) -> FloatArray:
        """The weighed sum of both parts' scores, each divided by its deviation."""
        parts = [part.score(snapshot, query, documents) for part in self.parts]
        languages = [document.language for document in documents]
        config = self.config.with_weights(tuned_weights(snapshot))
        share = dense_weights(config, self.parts, query.content, languages)
        lexical, dense = map(_by_deviation, parts)
        return (1.0 - share) * lexical + share * dense

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The matching terms; where none matches, the words whose vectors are nearest."""
        words = self.psq.explain(snapshot, query, document)
        if words.links:
            return words
        return replace(self.dense.explain(snapshot, query, document), by_vectors=True)

    def evidence(self, snapshot: Snapshot, query: Query, numbers: IntArray) -> FloatArray:
        """The evidence of both parts."""
        return np.hstack([part.evidence(snapshot, query, numbers) for part in self.parts])

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> HybridConfig:
        """The configuration that plain settings name."""
        return parse_settings(HybridConfig, settings)

    @classmethod
    def create(cls, config: HybridConfig) -> Self:
        """The parts, made ready."""
        psq, dense = (registry.system(name) for name in PARTS)
        lexical = psq.create(psq.configure(config.psq or {}))
        return cls(config, lexical, dense.create(dense.configure(config.dense or {})))

    @property
    def parts(self) -> tuple[LexicalPart, DensePart]:
        """In the order of their names in ``PARTS``."""
        return self.psq, self.dense

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The parts' spaces."""
        return (*self.psq.spaces, *self.dense.spaces)

    @property
    def sentence_space(self) -> str:
        """The space of the sentence vectors."""
        return self.dense.space

    @property
    def tables(self) -> Any:  # noqa: ANN401 - a room's own type
        """The translation tables of the psq part."""
        return self.psq.tables

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return {*self.psq.languages, *self.dense.languages}

    @property
    def settings(self) -> dict[str, object]:
        """The parts' settings; fusion belongs to the search and may change."""
        return {name: part.settings for name, part in zip(PARTS, self.parts, strict=True)}

    def treatment(self, language: str) -> str:
        """The parts' treatments."""
        return json.dumps([part.treatment(language) for part in self.parts])

    def adapted(self, treatments: Mapping[str, str]) -> Self:
        """The parts for an index whose documents were treated so."""
        read = {code: json.loads(mine) for code, mine in treatments.items()}
        parts: list[Any] = []
        for number, part in enumerate(self.parts):
            mine = {code: both[number] for code, both in read.items()}
            parts.append(part.adapted(mine) if isinstance(part, AdaptsToDocuments) else part)
        return type(self)(self.config, *parts)

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The parts' warnings."""
        codes = list(languages)
        return [warning for part in self.parts for warning in part.warnings(codes)]

    def reusing(self, stored: StoredRows) -> Self:
        """The parts for documents some of whose passages are stored already."""
        return type(self)(self.config, self.psq, self.dense.reusing(stored))

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Each document's vectors of both parts, worked out side by side."""
        with ThreadPoolExecutor(1) as executor:
            return self.begin(documents, executor)()

    def begin(self, documents: Sequence[Document], executor: Executor) -> Finish:
        """Sentences are encoded by an executor, words are counted by the waiting thread."""
        meanings = executor.submit(self.dense.encode, documents)

        def finish() -> list[Mapping[str, Vector]]:
            words = self.psq.encode(documents)
            return [{**w, **m} for w, m in zip(words, meanings.result(), strict=True)]

        return finish

    def save(self, folder: Path) -> None:
        """Write both parts and those of the fusion's settings that were chosen."""
        for name, part in zip(PARTS, self.parts, strict=True):
            (folder / name).mkdir()
            part.save(folder / name)
        values = {field: getattr(self.config, field.name) for field in fields(self.config)}
        chosen = {  # other settings follow the defaults; the parts save their own
            field.name: value
            for field, value in values.items()
            if value != field.default and field.name not in PARTS
        }
        write_facts(folder, self.name, config=chosen)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        config = parse_settings(HybridConfig, read_facts(folder, cls.name)["config"])
        psq, dense = (registry.system(name).load(folder / name) for name in PARTS)
        return cls(config, psq, dense)


def _by_deviation(scores: FloatArray) -> FloatArray:
    """Scores divided by their deviation; 0 where there is none."""
    known = scores[~np.isnan(scores)]
    deviation = float(known.std()) if len(known) else 0.0
    return np.nan_to_num(scores) / (deviation if deviation > NEGLIGIBLE else 1.0)


def _united(
    groups: Groups, parts: Sequence[Mapping[str, ScoredDocuments]], boosted: Boosts
) -> list[tuple[int, Any]]:
    """The numbers of all lists and of translations, each list with the index of its group."""
    lists = [(p, part[code].numbers) for p, code in enumerate(groups) for part in parts]
    lists += [
        (group, np.array([*boosted[code]], np.int64))
        for group, code in enumerate(groups)
        if boosted.get(code)
    ]
    return lists


def _ranked(
    snapshot: Snapshot, fused: Fused, k: int, balance: Balance, groups: Groups
) -> list[Hit]:
    """The ``k`` best of all groups, balanced by ``balance``."""
    if balance is not Balance.ROUND_ROBIN:
        return fused.hits(fused.best(snapshot, k))
    lists = {
        code: fused.hits(fused.best(snapshot, k, fused.candidates.groups == group))
        for group, code in enumerate(groups)
    }
    return interleave(lists)[:k]
