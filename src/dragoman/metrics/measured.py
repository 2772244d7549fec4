"""One run's rankings in -> values per query, for all queries and for each language pair."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from dragoman.errors import UserError
from dragoman.metrics.bias import expect_languages
from dragoman.metrics.detection import MaximumValue
from dragoman.metrics.outcomes import Outcome, RunMeasure, judge
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.ranked import Ranked, ranked_values
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, Judgments, Ranking

ALL = ""  # the group of all queries; every other group is a language pair
OUTCOMES_AT_ONCE = 512
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Ids that stand on one side only: how many, and the first few of them."""

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.count:,} {self.what}: {', '.join(self.examples)}{more}"


@dataclass(frozen=True, slots=True)
class Group:
    """Some queries and, by measure, their values in the same order."""

    query_ids: Sequence[str]
    values: Mapping[str, FloatArray]

    def mean(self, measure: str) -> float:
        """Over the queries for which the measure is defined; not a number where there is none."""
        return defined_mean(self.values[measure])


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """Every value of one run."""

    overall: Group
    pairs: Mapping[str, Group]
    mismatches: tuple[Mismatch, ...]
    thresholds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Unit:
    """One outcome and the groups that it counts in."""

    outcome: Outcome
    groups: tuple[str, ...]


@dataclass(slots=True)
class Found:
    """What is noticed while a run streams by."""

    queries: dict[str, None] = field(default_factory=dict)
    unjudged: list[str] = field(default_factory=list)
    hits: int = 0
    judged_hits: int = 0
    first_document: str = ""


@dataclass(frozen=True, slots=True)
class Judging:
    """What is known of queries and documents beside the run."""

    judgments: Judgments
    pairs: LanguagePairs | None
    with_languages: bool

    def outcome(self, ranking: Ranking, judged: Mapping[str, int]) -> Outcome:
        """The ranking as its judgments see it, with languages where a measure asks for them."""
        known = self.pairs.documents if self.pairs and self.with_languages else None
        return judge(ranking, judged, known)


def measure_run(
    name: str,
    rankings: Iterable[Ranking],
    judgments: Judgments,
    measures: Sequence[RunMeasure],
    *,
    pairs: LanguagePairs | None = None,
    collection_size: int | None = None,
    advance: Advance = no_progress,
) -> MeasuredRun:
    """The values of ``measures`` for every judged query, whether the run has it or not."""
    found = Found()
    alone = [measure for measure in measures if not measure.pooled]
    pooled = [measure for measure in measures if measure.pooled]
    query_ids: dict[str, list[str]] = {}
    parts: dict[str, dict[str, list[float]]] = {}
    kept: dict[str, list[Outcome]] = {}
    with_languages = expect_languages(measures, known=pairs is not None)
    judging = Judging(judgments, pairs, with_languages=with_languages)
    units = _units(name, _counted(rankings, advance), judging, found)
    while batch := list(islice(units, OUTCOMES_AT_ONCE)):
        values = _values(alone, [unit.outcome for unit in batch], collection_size)
        for row, unit in enumerate(batch):
            for group in unit.groups:
                query_ids.setdefault(group, []).append(unit.outcome.query_id)
                part = parts.setdefault(group, {measure.name: [] for measure in alone})
                for measure in alone:
                    part[measure.name].append(float(values[measure.name][row]))
                if pooled:
                    kept.setdefault(group, []).append(unit.outcome)
    sizes = {ALL: collection_size, **(pairs.sizes() if pairs else {})}
    groups = {}
    for group, ids in query_ids.items():
        together = {m.name: m.values(kept[group], sizes[group]) for m in pooled}
        single = {key: np.array(column) for key, column in parts[group].items()}
        groups[group] = Group(ids, {m.name: (single | together)[m.name] for m in measures})
    thresholds = {
        measure.name: measure.threshold(kept[ALL], collection_size)
        for measure in pooled
        if isinstance(measure, MaximumValue)
    }
    overall = groups.pop(ALL)
    return MeasuredRun(overall, groups, _mismatches(found, judgments, pairs), thresholds)


def _values(
    measures: Sequence[RunMeasure], outcomes: Sequence[Outcome], collection_size: int | None
) -> Mapping[str, FloatArray]:
    """All measures of a batch; those of ir-measures together, which saves passes."""
    ranked = [measure for measure in measures if isinstance(measure, Ranked)]
    others = [measure for measure in measures if not isinstance(measure, Ranked)]
    single = {measure.name: measure.values(outcomes, collection_size) for measure in others}
    return single | dict(ranked_values(ranked, outcomes))


def _counted(rankings: Iterable[Ranking], advance: Advance) -> Iterator[Ranking]:
    for ranking in rankings:
        yield ranking
        advance()


def _units(
    name: str,
    rankings: Iterable[Ranking],
    judging: Judging,
    found: Found,
) -> Iterator[Unit]:
    judgments = judging.judgments
    for ranking in rankings:
        if ranking.query_id in found.queries:
            raise UserError(f"Run {name!r} ranks the query {ranking.query_id!r} twice.")
        found.queries[ranking.query_id] = None
        found.hits += len(ranking.hits)
        if not found.first_document and ranking.hits:
            found.first_document = ranking.hits[0].doc_id
        if ranking.query_id in judgments:
            yield from _units_of(ranking, judgments[ranking.query_id], judging, found)
        else:
            found.unjudged.append(ranking.query_id)
    _refuse_nothing(name, found, judgments)
    for query_id in judgments:
        if query_id not in found.queries:
            yield from _units_of(Ranking(query_id, ()), judgments[query_id], judging, found)


def _units_of(
    ranking: Ranking, judged: Mapping[str, int], judging: Judging, found: Found
) -> Iterator[Unit]:
    """The query as a whole, and within its pairs; once where a pair holds all there is."""
    pairs = judging.pairs
    whole = judging.outcome(ranking, judged)
    found.judged_hits += len(judged) - len(whole.unretrieved)
    groups = [ALL]
    for pair, kept, part in pairs.split(ranking, judged) if pairs else ():
        if len(kept.hits) == len(ranking.hits) and len(part) == len(judged):
            groups.append(pair)
        else:
            yield Unit(judging.outcome(kept, part), (pair,))
    yield Unit(whole, tuple(groups))


def _refuse_nothing(name: str, found: Found, judgments: Judgments) -> None:
    """A run that shares nothing with the judgments is a mistake, not a system worth 0."""
    if not found.hits:
        raise UserError(f"Run {name!r} holds no hit for any query; there is nothing to evaluate.")
    if len(found.unjudged) == len(found.queries):
        raise UserError(
            f"None of the {len(found.queries):,} queries of run {name!r} is judged: it has"
            f" {_some(found.queries)}, the judgments have {_some(judgments)}."
            " Are these the judgments of another collection?"
        )


def _mismatches(
    found: Found, judgments: Judgments, pairs: LanguagePairs | None
) -> tuple[Mismatch, ...]:
    missing = [query_id for query_id in judgments if query_id not in found.queries]
    everything = [
        ("queries of the run are not judged and were left out", found.unjudged),
        ("judged queries are missing from the run and count as 0", missing),
    ]
    if pairs:
        judged_ids = dict.fromkeys(doc_id for part in judgments.values() for doc_id in part)
        unknown = [doc_id for doc_id in judged_ids if doc_id not in pairs.documents]
        everything += [
            ("retrieved documents are not in the collection", sorted(pairs.strangers)),
            ("judged documents are not in the collection", unknown),
        ]
    mismatches = [
        Mismatch(what, len(ids), tuple(ids[:EXAMPLES])) for what, ids in everything if ids
    ]
    if not found.judged_hits:
        judged = next((doc_id for part in judgments.values() for doc_id in part), "nothing")
        sides = (f"{found.first_document} in the run", f"{judged} in the judgments")
        mismatches.append(Mismatch("judged documents were retrieved; compare the ids", 0, sides))
    return tuple(mismatches)


def defined_mean(values: FloatArray) -> float:
    """The mean of what is a number; not a number where nothing is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _some(ids: Iterable[str]) -> str:
    return ", ".join(islice(ids, 3))
