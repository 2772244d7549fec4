"""An index with little of some languages: does a search still rank their documents?

Of a collection of English documents and their translations, English stays whole, and of the other
languages those that have at most a tenth of its documents. English queries search everything at
once. A judgment of a translation holds for its English original too, so that languages can be
compared (PEER, LanguageTau); readers of a rare language need the rank of the right document in it.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.tasks import TaskCollection
from dragoman.indexes.index import Index
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.parser import parse_measures
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.types import Judgments, Query, Ranking

COMMON, RARE_SHARE = "en", 0.1  # rare: at most this share of the common language's documents
DEPTH = 100
EVERYTHING = "nDCG@10 PEER@100 LanguageTau"  # by the judgments of all languages
FOREIGN = "RR(rel=2) Success(rel=2)@10 AP@100"  # by those of the rare languages alone


@dataclass(frozen=True, slots=True)
class RareLanguageTask:
    """English queries on documents in English and in rare languages."""

    name: str
    languages: Mapping[str, str]  # of the documents
    queries: tuple[Query, ...]
    judgments: Judgments  # of all languages
    foreign: Judgments  # of the rare languages

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number of documents in each language."""
        return Counter(self.languages.values())


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """The means of one way to balance languages."""

    balance: Balance
    values: Mapping[str, float]


def rare_language_task(collection: TaskCollection, most: int | None) -> RareLanguageTask | None:
    """The task of a collection; None where no language is rare or English is missing.

    Ids are ``language:item``, as in the collections that ``dragoman collection get`` builds.
    """
    sizes = Counter(document.language for document in collection.documents)
    rare = {code for code in sizes if sizes[code] <= RARE_SHARE * sizes[COMMON]}
    tasks = [
        t for t in collection.tasks if t.query_language == COMMON and t.document_language in rare
    ]
    if not tasks:
        return None
    chosen = {COMMON, *(task.document_language for task in tasks)}
    languages = {d.doc_id: d.language for d in collection.documents if d.language in chosen}
    foreign: dict[str, dict[str, int]] = {}
    queries_by_id: dict[str, Query] = {}
    for task in tasks:
        for query in task.queries:
            queries_by_id[query.query_id] = query
            foreign.setdefault(query.query_id, {}).update(task.judgments[query.query_id])
    queries = evenly_spaced([queries_by_id[query_id] for query_id in sorted(queries_by_id)], most)
    foreign = {query.query_id: foreign[query.query_id] for query in queries}
    judgments = {q: {**_originals(grades, languages), **grades} for q, grades in foreign.items()}
    return RareLanguageTask(collection.name, languages, queries, judgments, foreign)


def _originals(grades: Mapping[str, int], known: Container[str]) -> dict[str, int]:
    """The same grades for the English documents that were translated."""
    originals = {f"{COMMON}:{d.partition(':')[2]}": grade for d, grade in grades.items()}
    return {doc_id: grade for doc_id, grade in originals.items() if doc_id in known}


def compare_balances(
    index: Index, task: RareLanguageTask, advance: Advance = no_progress
) -> list[BalanceRow]:
    """The task with every way to balance languages, in an index of its collection."""
    return [_balanced(index, task, balance, advance) for balance in Balance]


def _balanced(
    index: Index, task: RareLanguageTask, balance: Balance, advance: Advance
) -> BalanceRow:
    scope = index.scope(sorted(task.sizes), balance=balance)
    rankings = list(index.rank_all(task.queries, DEPTH, scope))
    values = _means(rankings, task.foreign, FOREIGN, None)
    values |= _means(rankings, task.judgments, EVERYTHING, LanguagePairs({}, task.languages))
    advance()
    return BalanceRow(balance, values)


def _means(
    rankings: Sequence[Ranking], judgments: Judgments, measures: str, pairs: LanguagePairs | None
) -> dict[str, float]:
    measured = measure_run("run", rankings, judgments, parse_measures(measures), pairs=pairs)
    return {name: measured.overall.mean(name) for name in measured.overall.values}


def balances_markdown(task: RareLanguageTask, rows: Sequence[BalanceRow]) -> list[str]:
    """The table, after a sentence about documents and queries."""
    sizes = ", ".join(f"{code} {count:,}" for code, count in sorted(task.sizes.items()))
    rare = " and ".join(sorted(code for code in task.sizes if code != COMMON))
    names = [*_measure_names(FOREIGN), *_measure_names(EVERYTHING)]
    return [
        f"Much English, little of other languages: `{task.name}` with {sizes} documents,"
        f" {len(task.queries):,} English queries, hybrid, nothing filtered. The first"
        f" {len(_measure_names(FOREIGN))} columns judge documents in {rare} alone; the others all"
        " languages, where an English original has the grade of its translation.",
        "",
        f"| `--balance` | {' | '.join(names)} |",
        f"|---|{'---:|' * len(names)}",
        *(
            f"| {row.balance} | {' | '.join(f'{row.values[name]:.3f}' for name in names)} |"
            for row in rows
        ),
    ]


def _measure_names(measures: str) -> list[str]:
    """The names of the measures, in their order."""
    return [measure.name for measure in parse_measures(measures)]
