"""One index that English fills nine tenths of: is the right document in a rare language still seen?

From a collection of English documents and their translations, English stays whole, and of the
other languages those stay that have at most a tenth of its documents. English questions are asked
to everything at once. A judgment of a translation holds for its English original too, so that
languages can be compared (PEER, LanguageTau); what people who read the rare language want to know
is where the right document in it stands.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from dragoman.experiments.lexical.experiment import Collection
from dragoman.experiments.sampling import spread
from dragoman.indexes.index import Index
from dragoman.metrics.measured import measure_run
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.parse import parse_measures
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.types import Judgments, Query, Ranking

FLOODING, RARE = "en", 0.1
DEPTH = 100
EVERYTHING = "nDCG@10 PEER@100 LanguageTau"  # by the judgments of all languages
FOREIGN = "RR(rel=2) Success(rel=2)@10 AP@100"  # by those of the rare languages alone


@dataclass(frozen=True, slots=True)
class Flood:
    """What is asked of which documents."""

    name: str
    languages: Mapping[str, str]  # of the documents
    queries: tuple[Query, ...]
    judgments: Judgments  # of all languages
    foreign: Judgments  # of the rare languages

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many documents each language has."""
        return Counter(self.languages.values())


@dataclass(frozen=True, slots=True)
class Balanced:
    """What one way to balance languages is worth."""

    balance: Balance
    values: Mapping[str, float]


def flooded(collection: Collection, most: int | None) -> Flood | None:
    """The flood in a collection; None where no language is rare or English is missing.

    Ids are ``language:item``, as in the collections that ``dragoman collection get`` builds.
    """
    sizes = Counter(document.language for document in collection.documents)
    rare = {code for code in sizes if sizes[code] <= RARE * sizes[FLOODING]}
    tasks = [t for t in collection.tasks if t.asked == FLOODING and t.searched in rare]
    if not tasks:
        return None
    chosen = {FLOODING, *(task.searched for task in tasks)}
    languages = {d.doc_id: d.language for d in collection.documents if d.language in chosen}
    foreign: dict[str, dict[str, int]] = {}
    asked: dict[str, Query] = {}
    for task in tasks:
        for query in task.queries:
            asked[query.query_id] = query
            foreign.setdefault(query.query_id, {}).update(task.judgments[query.query_id])
    queries = spread([asked[query_id] for query_id in sorted(asked)], most)
    foreign = {query.query_id: foreign[query.query_id] for query in queries}
    judgments = {q: {**_originals(grades, languages), **grades} for q, grades in foreign.items()}
    return Flood(collection.name, languages, queries, judgments, foreign)


def _originals(grades: Mapping[str, int], known: Container[str]) -> dict[str, int]:
    """The same grades for the English documents that were translated."""
    there = {f"{FLOODING}:{d.partition(':')[2]}": grade for d, grade in grades.items()}
    return {doc_id: grade for doc_id, grade in there.items() if doc_id in known}


def compare_flood(index: Index, flood: Flood, advance: Advance = no_progress) -> list[Balanced]:
    """The flood searched with every way to balance languages, in an index of its collection."""
    return [_balanced(index, flood, balance, advance) for balance in Balance]


def _balanced(index: Index, flood: Flood, balance: Balance, advance: Advance) -> Balanced:
    scope = index.scope(sorted(flood.sizes), balance=balance)
    rankings = list(index.rank_all(flood.queries, DEPTH, scope))
    values = _means(rankings, flood.foreign, FOREIGN, None)
    values |= _means(rankings, flood.judgments, EVERYTHING, LanguagePairs({}, flood.languages))
    advance()
    return Balanced(balance, values)


def _means(
    rankings: Sequence[Ranking], judgments: Judgments, measures: str, pairs: LanguagePairs | None
) -> dict[str, float]:
    measured = measure_run("run", rankings, judgments, parse_measures(measures), pairs=pairs)
    return {name: measured.overall.mean(name) for name in measured.overall.values}


def report_flood(flood: Flood, rows: Sequence[Balanced]) -> list[str]:
    """The table, with what was asked of what."""
    sizes = ", ".join(f"{code} {count:,}" for code, count in sorted(flood.sizes.items()))
    rare = " and ".join(sorted(code for code in flood.sizes if code != FLOODING))
    names = [*parse_names(FOREIGN), *parse_names(EVERYTHING)]
    return [
        f"English floods the index: `{flood.name}` with {sizes} documents,"
        f" {len(flood.queries):,} English questions, hybrid, nothing filtered. The first"
        f" {len(parse_names(FOREIGN))} columns judge documents in {rare} alone; the others all"
        " languages, where an English original has the grade of its translation.",
        "",
        f"| `--balance` | {' | '.join(names)} |",
        f"|---|{'---:|' * len(names)}",
        *(
            f"| {row.balance} | {' | '.join(f'{row.values[name]:.3f}' for name in names)} |"
            for row in rows
        ),
    ]


def parse_names(measures: str) -> list[str]:
    """The names of the measures, in their order."""
    return [measure.name for measure in parse_measures(measures)]
