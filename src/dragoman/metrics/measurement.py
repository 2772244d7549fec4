"""The rankings of one run -> values per query, for all queries and for each language pair."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from dragoman.batches import batched
from dragoman.errors import UserError
from dragoman.metrics.bias import expect_languages
from dragoman.metrics.detection import MaximumValue
from dragoman.metrics.outcomes import Outcome, RunMeasure, judge
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.ranked_measures import RankedMeasure, ranked_values
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, Judgments, Ranking

ALL = ""  # the group of all queries; every other group is a language pair
OUTCOMES_AT_ONCE = 512
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Ids that only the run or only the judgments have: their number and the first few of them."""

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.count:,} {self.what}: {', '.join(self.examples)}{more}"


@dataclass(frozen=True, slots=True)
class QueryValues:
    """Query ids and, by measure, their values in the same order."""

    query_ids: Sequence[str]
    values: Mapping[str, FloatArray]

    def mean(self, measure: str) -> float:
        """The mean over the queries for which the measure is defined; NaN where there is none."""
        return defined_mean(self.values[measure])


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """Every value of one run."""

    overall: QueryValues
    pairs: Mapping[str, QueryValues]
    mismatches: tuple[Mismatch, ...]
    thresholds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GroupedOutcome:
    """One outcome and the groups that it counts in."""

    outcome: Outcome
    groups: tuple[str, ...]


@dataclass(slots=True)
class RunCounts:
    """Counted while a run streams by: its queries, hits and judged hits."""

    queries: dict[str, None] = field(default_factory=dict)
    unjudged: list[str] = field(default_factory=list)
    hits: int = 0
    judged_hits: int = 0
    first_document: str = ""


@dataclass(frozen=True, slots=True)
class JudgedCollection:
    """The judgments, and the languages of queries and documents where these are known."""

    judgments: Judgments
    pairs: LanguagePairs | None
    with_languages: bool

    def outcome(self, ranking: Ranking, judged: Mapping[str, int]) -> Outcome:
        """The outcome of a ranking, with languages where a measure needs them."""
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
    counts = RunCounts()
    single = [measure for measure in measures if not measure.pooled]
    pooled = [measure for measure in measures if measure.pooled]
    query_ids: dict[str, list[str]] = {}
    columns: dict[str, dict[str, list[float]]] = {}
    pools: dict[str, list[Outcome]] = {}
    with_languages = expect_languages(measures, known=pairs is not None)
    collection = JudgedCollection(judgments, pairs, with_languages=with_languages)
    stream = _outcomes(name, _advancing(rankings, advance), collection, counts)
    for batch in batched(stream, OUTCOMES_AT_ONCE):
        values = _values(single, [one.outcome for one in batch], collection_size)
        for row, one in enumerate(batch):
            for group in one.groups:
                query_ids.setdefault(group, []).append(one.outcome.query_id)
                mine = columns.setdefault(group, {measure.name: [] for measure in single})
                for measure in single:
                    mine[measure.name].append(float(values[measure.name][row]))
                if pooled:
                    pools.setdefault(group, []).append(one.outcome)
    sizes = {ALL: collection_size, **(pairs.sizes() if pairs else {})}
    groups = {}
    for group, ids in query_ids.items():
        by_name = {key: np.array(column) for key, column in columns[group].items()}
        by_name |= {m.name: m.values(pools[group], sizes[group]) for m in pooled}
        groups[group] = QueryValues(ids, {m.name: by_name[m.name] for m in measures})
    thresholds = {
        measure.name: measure.threshold(pools[ALL], collection_size)
        for measure in pooled
        if isinstance(measure, MaximumValue)
    }
    overall = groups.pop(ALL)
    return MeasuredRun(overall, groups, _mismatches(counts, judgments, pairs), thresholds)


def _values(
    measures: Sequence[RunMeasure], outcomes: Sequence[Outcome], collection_size: int | None
) -> Mapping[str, FloatArray]:
    """All measures of a batch; those of ir-measures together, which saves passes."""
    ranked = [measure for measure in measures if isinstance(measure, RankedMeasure)]
    others = [measure for measure in measures if not isinstance(measure, RankedMeasure)]
    values = {measure.name: measure.values(outcomes, collection_size) for measure in others}
    return values | dict(ranked_values(ranked, outcomes))


def _advancing(rankings: Iterable[Ranking], advance: Advance) -> Iterator[Ranking]:
    for ranking in rankings:
        yield ranking
        advance()


def _outcomes(
    name: str, rankings: Iterable[Ranking], collection: JudgedCollection, counts: RunCounts
) -> Iterator[GroupedOutcome]:
    """The outcomes of the judged queries of a run, then those of the queries that it lacks."""
    judgments = collection.judgments
    for ranking in rankings:
        if ranking.query_id in counts.queries:
            raise UserError(f"Run {name!r} ranks the query {ranking.query_id!r} twice.")
        counts.queries[ranking.query_id] = None
        counts.hits += len(ranking.hits)
        if not counts.first_document and ranking.hits:
            counts.first_document = ranking.hits[0].doc_id
        if ranking.query_id in judgments:
            yield from _outcomes_of(ranking, judgments[ranking.query_id], collection, counts)
        else:
            counts.unjudged.append(ranking.query_id)
    _refuse_disjoint(name, counts, judgments)
    for query_id in judgments:
        if query_id not in counts.queries:
            empty = Ranking(query_id, ())
            yield from _outcomes_of(empty, judgments[query_id], collection, counts)


def _outcomes_of(
    ranking: Ranking, judged: Mapping[str, int], collection: JudgedCollection, counts: RunCounts
) -> Iterator[GroupedOutcome]:
    """The query as a whole, and within its pairs; once where a pair holds all of it."""
    pairs = collection.pairs
    whole = collection.outcome(ranking, judged)
    counts.judged_hits += len(judged) - len(whole.unretrieved)
    groups = [ALL]
    for pair, hits, grades in pairs.split(ranking, judged) if pairs else ():
        if len(hits.hits) == len(ranking.hits) and len(grades) == len(judged):
            groups.append(pair)
        else:
            yield GroupedOutcome(collection.outcome(hits, grades), (pair,))
    yield GroupedOutcome(whole, tuple(groups))


def _refuse_disjoint(name: str, counts: RunCounts, judgments: Judgments) -> None:
    """Refuse a run that shares nothing with the judgments: a mistake, not a system worth 0."""
    if not counts.hits:
        raise UserError(f"Run {name!r} holds no hit for any query; there is nothing to evaluate.")
    if len(counts.unjudged) == len(counts.queries):
        raise UserError(
            f"None of the {len(counts.queries):,} queries of run {name!r} is judged: it has"
            f" {_some(counts.queries)}, the judgments have {_some(judgments)}."
            " Are these the judgments of another collection?"
        )


def _mismatches(
    counts: RunCounts, judgments: Judgments, pairs: LanguagePairs | None
) -> tuple[Mismatch, ...]:
    missing = [query_id for query_id in judgments if query_id not in counts.queries]
    everything = [
        ("queries of the run are not judged and were left out", counts.unjudged),
        ("judged queries are missing from the run and count as 0", missing),
    ]
    if pairs:
        judged_ids = dict.fromkeys(doc_id for grades in judgments.values() for doc_id in grades)
        unknown = [doc_id for doc_id in judged_ids if doc_id not in pairs.documents]
        everything += [
            ("retrieved documents are not in the collection", sorted(pairs.unknown_documents)),
            ("judged documents are not in the collection", unknown),
        ]
    mismatches = [
        Mismatch(what, len(ids), tuple(ids[:EXAMPLES])) for what, ids in everything if ids
    ]
    if not counts.judged_hits:
        judged = next((doc_id for grades in judgments.values() for doc_id in grades), "nothing")
        sides = (f"{counts.first_document} in the run", f"{judged} in the judgments")
        mismatches.append(Mismatch("judged documents were retrieved; compare the ids", 0, sides))
    return tuple(mismatches)


def defined_mean(values: FloatArray) -> float:
    """The mean of the values that are not NaN; NaN where there are none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _some(ids: Iterable[str]) -> str:
    return ", ".join(islice(ids, 3))
