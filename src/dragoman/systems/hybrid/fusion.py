"""Step 3: the scores of all parts on one scale, weighted by language, and added."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from math import isnan
from typing import NamedTuple

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
MAXSIM = "maxsim"  # and the part of words that are compared by their vectors


class Scales(NamedTuple):
    """The scale of each part's scores in every group."""

    lexical: LanguageScales
    dense: LanguageScales
    maxsim: LanguageScales


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates with what each part, and a translation boost, add to their scores."""

    candidates: Candidates
    added: tuple[FloatArray, FloatArray, FloatArray]  # by psq, dense and MaxSim
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
        columns = [
            score_parts(PARTS[0], self.candidates.lexical[rows], self.added[0][rows]),
            score_parts(PARTS[1], near, self.added[1][rows]),
        ]
        if self.candidates.maxsim is not None:
            columns.append(score_parts(MAXSIM, self.candidates.maxsim[rows], self.added[2][rows]))
        raised = score_parts(TRANSLATION, boosts, self.boost_weight * boosts)
        parts: list[tuple[ScorePart, ...]] = [*zip(*columns, strict=True)]
        for row in np.flatnonzero(np.isnan(near) | (boosts != 0)).tolist():
            lexical, dense, *words = parts[row]
            mine = (lexical, *words) if isnan(near[row]) else (lexical, dense, *words)
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
    scales: Scales,
    boosts: FloatArray,
) -> Fused:
    """The sum of all parts' scaled scores; ``weights`` are those of the dense part."""
    groups = candidates.groups
    lexical = _scaled(config, candidates.lexical, groups, scales.lexical)
    near = _scaled(config, cosines(config, candidates, form), groups, scales.dense)
    words: FloatArray = np.zeros(len(groups))
    if candidates.maxsim is not None:
        words = config.maxsim_weight * _scaled(config, candidates.maxsim, groups, scales.maxsim)
    share = np.where(np.isnan(candidates.dense), 0.0, weights)  # none where it has no score
    added = (1.0 - share) * lexical, share * near, words
    total = added[0] + added[1] + added[2] + config.boost_weight * boosts
    return Fused(candidates, added, boosts, config.boost_weight, total)


def cosines(config: HybridConfig, candidates: Candidates, form: QueryForm) -> FloatArray:
    """The cosine of each document, from its best passage and, for questions, from all of them."""
    vectors = candidates.vectors
    best = vectors.best - config.passage_discount * np.log(np.maximum(vectors.counts, 1))
    share = config.document_share if form is QueryForm.QUESTION else 0.0
    mixed: FloatArray = (1.0 - share) * best + share * vectors.mean
    return mixed


def part_scales(
    config: HybridConfig,
    candidates: Candidates,
    form: QueryForm,
    groups: int,
    lexical: LanguageScales,
) -> Scales:
    """The scales of all parts; those of vectors and MaxSim by the best candidates of a group."""

    def scales(scores: FloatArray) -> LanguageScales:
        known = ~np.isnan(scores)
        mine = [scores[known & (candidates.groups == group)] for group in range(groups)]
        return LanguageScales.estimate([np.sort(each)[: -BEST - 1 : -1] for each in mine])

    dense = scales(cosines(config, candidates, form))
    return Scales(lexical, dense, dense if candidates.maxsim is None else scales(candidates.maxsim))


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
