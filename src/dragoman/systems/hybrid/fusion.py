"""Step 3: both parts' scores on one scale, weighted by language, and added."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from math import isnan

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.snapshot import Snapshot
from dragoman.ranking.balance import BEST, LanguageScales, pad_scores
from dragoman.ranking.fusion import reciprocal_ranks
from dragoman.systems.hybrid.candidates import Candidates
from dragoman.systems.hybrid.config import Fusion, HybridConfig
from dragoman.systems.hybrid.parts import PARTS, DensePart, LexicalPart
from dragoman.systems.hybrid.query_form import QueryForm, query_form
from dragoman.types import FloatArray, Hit, IntArray, ScorePart, Text

TRANSLATION = "translation"  # what a hit's part is called that a translation boost added


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates with what each part, and a translation boost, add to their scores."""

    candidates: Candidates
    added: tuple[FloatArray, FloatArray]  # by each part
    boosts: FloatArray  # how far each stands out as a translation; 0 where it does not
    boost_weight: float
    totals: FloatArray

    def best(
        self, snapshot: Snapshot, k: int, among: NDArray[np.bool_] | None = None
    ) -> list[tuple[str, int]]:
        """The ids and rows of the ``k`` best, of those that are ``among``; equal ones by id."""
        rows = np.arange(len(self.totals)) if among is None else np.flatnonzero(among)
        totals = self.totals[rows]
        if (last := len(rows) - k) > 0:
            chosen = totals >= np.partition(totals, last)[last]
            rows, totals = rows[chosen], totals[chosen]
        ids = snapshot.doc_ids(self.candidates.numbers[rows])
        ranked = sorted(zip((-totals).tolist(), ids, rows.tolist(), strict=True))
        return [(doc_id, row) for _, doc_id, row in ranked[:k]]

    def hits(self, best: Sequence[tuple[str, int]]) -> list[Hit]:
        """Documents by their ids and rows, with what each part added."""
        ids, rows = [doc_id for doc_id, _ in best], [row for _, row in best]
        near, boosts = self.candidates.dense[rows], self.boosts[rows]
        lexical = score_parts(PARTS[0], self.candidates.lexical[rows], self.added[0][rows])
        dense = score_parts(PARTS[1], near, self.added[1][rows])
        raised = score_parts(TRANSLATION, boosts, self.boost_weight * boosts)
        parts: list[tuple[ScorePart, ...]] = [*zip(lexical, dense, strict=True)]
        for row in np.flatnonzero(np.isnan(near) | (boosts != 0)).tolist():
            mine = parts[row][:1] if isnan(near[row]) else parts[row]
            parts[row] = (*mine, raised[row]) if boosts[row] else mine
        return [*map(Hit, ids, self.totals[rows].tolist(), parts)]


def score_parts(system: str, scores: FloatArray, added: FloatArray) -> list[ScorePart]:
    """One system's part of each score."""
    return [*map(ScorePart, repeat(system), scores.tolist(), added.tolist())]


def fuse(
    config: HybridConfig,
    candidates: Candidates,
    form: QueryForm,
    weights: FloatArray,
    scales: tuple[LanguageScales, LanguageScales],
    boosts: FloatArray,
) -> Fused:
    """The sum of both parts' scaled scores; ``weights`` are those of the dense part."""
    lexical = _scaled(config, candidates.lexical, candidates.groups, scales[0])
    near = _scaled(config, cosines(config, candidates, form), candidates.groups, scales[1])
    share = np.where(np.isnan(candidates.dense), 0.0, weights)  # none where it has no score
    added = (1.0 - share) * lexical, share * near
    total = added[0] + added[1] + config.boost_weight * boosts
    return Fused(candidates, added, boosts, config.boost_weight, total)


def cosines(config: HybridConfig, candidates: Candidates, form: QueryForm) -> FloatArray:
    """The cosine of each document, from its best passage and, for questions, from all of them."""
    vectors = candidates.vectors
    best = vectors.best - config.passage_discount * np.log(np.maximum(vectors.counts, 1))
    share = config.document_share if form is QueryForm.QUESTION else 0.0
    mixed: FloatArray = (1.0 - share) * best + share * vectors.mean
    return mixed


def dense_scales(
    config: HybridConfig, candidates: Candidates, form: QueryForm, groups: int
) -> LanguageScales:
    """The scale of each group's cosines, by the best of its candidates."""
    scores = cosines(config, candidates, form)
    known = ~np.isnan(scores)
    mine = [scores[known & (candidates.groups == group)] for group in range(groups)]
    return LanguageScales.estimate([np.sort(each)[: -BEST - 1 : -1] for each in mine])


def lexical_scales(lists: Sequence[FloatArray], sizes: Sequence[int]) -> LanguageScales:
    """The scale of each group's word scores; documents that are not listed have 0."""
    return LanguageScales.estimate([pad_scores(*one) for one in zip(lists, sizes, strict=True)])


def _scaled(
    config: HybridConfig, scores: FloatArray, groups: IntArray, scales: LanguageScales
) -> FloatArray:
    """One part's scores on the common scale; a document it cannot score adds nothing."""
    known = ~np.isnan(scores)
    if config.fusion is Fusion.Z_SCORES:
        return np.where(known, scales.standardize(scores, groups), 0.0)
    ranked = np.zeros(len(scores))
    for group in range(len(scales.means)):
        mine = known & (groups == group)
        ranked[mine] = reciprocal_ranks(scores[mine])
    return ranked


def dense_weights(
    config: HybridConfig,
    parts: tuple[LexicalPart, DensePart],
    query: Text,
    languages: Sequence[str],
) -> FloatArray:
    """The share of the sentence vectors in each of these languages."""
    known = {code: getattr(config, weight_name(parts, query, code)) for code in {*languages}}
    return np.array([known[code] for code in languages], dtype=np.float64)


def weight_name(parts: tuple[LexicalPart, DensePart], query: Text, language: str) -> str:
    """The name of the weight for a query and documents in a language."""
    lexical, dense = parts
    if not (dense.reads(query.language) and dense.reads(language)):
        return "unread_weight"
    if not lexical.translates(query.language, language):
        return "untranslated_weight"
    is_question = query_form(query) is QueryForm.QUESTION
    if {query.language, language} & {*dense.student_languages}:
        return "student_question_weight" if is_question else "student_keyword_weight"
    return "question_weight" if is_question else "keyword_weight"
