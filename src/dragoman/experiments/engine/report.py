"""The measured tables of the engine -> a section of the results page."""

from collections.abc import Sequence

from dragoman.experiments.engine.experiment import EngineReproduction
from dragoman.experiments.engine.rare_languages import balances_markdown
from dragoman.experiments.engine.sentence_pool import (
    MEASURE as POOL_MEASURE,
)
from dragoman.experiments.engine.sentence_pool import PoolRow, SentencePool, pool_markdown
from dragoman.experiments.engine.students import students_markdown
from dragoman.experiments.index_cache import SYSTEMS
from dragoman.experiments.sections import provenance
from dragoman.experiments.tasks import MEASURE, TaskRow


def report(results: EngineReproduction, command: str) -> str:
    """The section of ``docs/results.md``."""
    lines = [
        "## The engine: words, sentence vectors, and both",
        "",
        *provenance(command),
        "",
        f"{MEASURE} by language pair, a search being restricted to the documents' language; in"
        " brackets the number of queries, evenly spaced where there are more. Queries of"
        " collections with splits are those of the test split.",
        "",
        f"| collection | queries | documents | {' | '.join(SYSTEMS)} |",
        f"|---|---|---|{'---:|' * len(SYSTEMS)}",
        *(row.markdown() for row in results.rows),
        "",
        _wins(results.rows),
    ]
    if results.pools:
        lines += ["", *_pools(results.pools)]
    for task, balances in results.rare_languages:
        lines += ["", *balances_markdown(task, balances)]
    if results.students:
        lines += ["", *students_markdown(results.students)]
    return "\n".join(lines)


def _wins(rows: Sequence[TaskRow]) -> str:
    """In how many rows the fusion is better than each part."""
    won = sum(row.values["hybrid"] > max(row.values["psq"], row.values["dense"]) for row in rows)
    return f"Hybrid is above both parts in {won} of {len(rows)} rows."


def _pools(pools: Sequence[tuple[SentencePool, Sequence[PoolRow]]]) -> list[str]:
    (whole, rows), *others = pools
    count = sum(map(len, whole.queries.values()))
    lines = [
        f"Mean {POOL_MEASURE} on {len(whole.documents):,} sentences of XQuAD-R in"
        f" {len(whole.queries)} languages pooled, {count:,} queries evenly spaced, by the language"
        " of the query. LanguageTau is 1 where languages take turns and falls below 0 where the"
        " right sentence of one language is ranked below others. LAReQA reports mAP on this pool"
        " for fine-tuned mBERT: En-En .29, X-X .23, X-X-mono .52, X-Y .66. The settings of the"
        " translation boost were chosen on every other article.",
        "",
        *pool_markdown(whole, rows),
    ]
    for other, measured in others:
        count = sum(map(len, other.queries.values()))
        lines += [
            "",
            f"The same for {count:,} queries where each article is present in one language only, so"
            f" that none of the {len(other.documents):,} sentences has a translation.",
            "",
            *pool_markdown(other, measured),
        ]
    return lines
