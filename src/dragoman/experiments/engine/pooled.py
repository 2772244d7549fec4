"""Questions in every language to the sentences of all languages together, as in LAReQA.

Roy et al. 2020 pool XQuAD-R's sentences of 11 languages: a question's right answers are one
sentence and its translations, and a system that prefers the question's own language buries most of
them. A second pool holds every article in one language only, so that nothing in it is a translation
of anything else: what is gained by translations must not be lost there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.index_cache import indexed
from dragoman.experiments.sampling import spread
from dragoman.indexes.index import Index
from dragoman.indexes.system import System
from dragoman.metrics.measured import defined_mean, measure_run
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.parse import parse_measures
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, FloatArray, Judgments, Query

MEASURE, BIAS, DEPTH = "AP@100", "LanguageTau", 100


@dataclass(frozen=True, slots=True)
class Pool:
    """Sentences of many languages, and who asks for which."""

    name: str
    documents: tuple[Document, ...]
    queries: Mapping[str, tuple[Query, ...]]  # by language
    judgments: Judgments


@dataclass(frozen=True, slots=True)
class Contestant:
    """A system, and how it treats languages; ``boost`` says whether translations are raised."""

    label: str
    system: str
    balance: Balance
    boost: bool = True


@dataclass(frozen=True, slots=True)
class Pooled:
    """One contestant: the mean over all questions, the bias, and the means by language."""

    contestant: Contestant
    mean: float
    bias: float
    by_language: Mapping[str, float]


CONTESTANTS = (
    Contestant("psq", "psq", Balance.OFF),
    Contestant("psq", "psq", Balance.CALIBRATED),
    Contestant("dense", "dense", Balance.OFF),
    Contestant("dense", "dense", Balance.CALIBRATED),
    Contestant("hybrid", "hybrid", Balance.OFF),
    Contestant("hybrid without boost", "hybrid", Balance.CALIBRATED, boost=False),
    Contestant("hybrid", "hybrid", Balance.CALIBRATED),
    Contestant("hybrid", "hybrid", Balance.ROUND_ROBIN),
)


def pool(folder: Path, most: int | None) -> Pool:
    """XQuAD-R's sentences, with at most ``most`` questions a language."""
    faults = Faults()
    judgments = read_judgments(folder / "sentences", faults)
    queries: dict[str, list[Query]] = {}
    for query in read_queries(folder / "queries.jsonl.gz", faults):
        if judgments.get(query.query_id):
            queries.setdefault(query.language, []).append(query)
    chosen = {code: spread(asked, most) for code, asked in sorted(queries.items())}
    documents = tuple(read_documents(folder / "sentences", faults))
    return Pool("xquad-r-sentences", documents, chosen, judgments)


def without_translations(whole: Pool) -> Pool:
    """The pool with each article in one language; ids are ``language-article-...``."""
    codes = sorted({document.language for document in whole.documents})

    def stays(document: Document) -> bool:
        article = int(document.doc_id.split("-")[1])
        return codes[article % len(codes)] == document.language

    kept = tuple(document for document in whole.documents if stays(document))
    known = {document.doc_id for document in kept}
    judgments = {
        query_id: here
        for query_id, grades in whole.judgments.items()
        if (here := {doc_id: grade for doc_id, grade in grades.items() if doc_id in known})
    }
    queries = {
        code: tuple(query for query in asked if query.query_id in judgments)
        for code, asked in whole.queries.items()
    }
    return Pool(f"{whole.name}-untranslated", kept, queries, judgments)


def parts(index: Index) -> dict[str, System]:
    """The systems of a hybrid index by their names."""
    hybrid: Any = index.system
    return {"psq": hybrid.psq, "dense": hybrid.dense, "hybrid": hybrid}


def compare_pooled(
    asked: Pool,
    contestants: Sequence[Contestant] = CONTESTANTS,
    keep: Path | None = None,
    advance: Advance = no_progress,
) -> list[Pooled]:
    """Every contestant on the pool."""
    with indexed(asked.name, asked.documents, keep) as index:
        return [_pooled(index, contestant, asked, advance) for contestant in contestants]


def _pooled(index: Index, contestant: Contestant, asked: Pool, advance: Advance) -> Pooled:
    system: Any = parts(index)[contestant.system]
    if not contestant.boost:
        system = type(system)(replace(system.config, boost_hits=0), system.psq, system.dense)
    scope = index.scope(balance=contestant.balance)
    languages = {document.doc_id: document.language for document in asked.documents}
    values: dict[str, FloatArray] = {}
    bias = []
    for code, queries in asked.queries.items():
        with index.snapshot() as snapshot:
            rankings = [system.search(snapshot, query, DEPTH, scope) for query in queries]
        measured = measure_run(
            contestant.label,
            rankings,
            {query.query_id: asked.judgments[query.query_id] for query in queries},
            parse_measures(f"{MEASURE} {BIAS}"),
            pairs=LanguagePairs({}, languages),
        ).overall.values
        values[code] = measured[MEASURE]
        bias.append(measured[BIAS])
        advance()
    return Pooled(
        contestant,
        float(np.concatenate(list(values.values())).mean()),
        defined_mean(np.concatenate(bias)),
        {code: float(mine.mean()) for code, mine in values.items()},
    )


def report_pooled(asked: Pool, rows: Sequence[Pooled]) -> list[str]:
    """The table of one pool."""
    codes = list(asked.queries)
    return [
        f"| system | balance | all | {' | '.join(codes)} | {BIAS} |",
        f"|---|---|{'---:|' * (len(codes) + 2)}",
        *(_line(row, codes) for row in rows),
    ]


def _line(row: Pooled, codes: Sequence[str]) -> str:
    values = " | ".join(f"{row.by_language[code]:.3f}" for code in codes)
    who = row.contestant
    return f"| {who.label} | {who.balance} | **{row.mean:.3f}** | {values} | {row.bias:+.2f} |"
