"""``dragoman reproduce transport``: a data folder and a collection -> all runs with transport."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.index_cache import SYSTEMS, cached_index, temporary_index
from dragoman.experiments.tasks import TaskCollection, read_collection, read_data_folder
from dragoman.experiments.transport.runs import (
    BAGS,
    WEIGHTS,
    RerankingRuns,
    TimedRun,
    ad_hoc_runs,
    in_languages,
    reranking_runs,
)
from dragoman.indexes.search.reranking import CollectionReader
from dragoman.protocols import Stage
from dragoman.systems.bags.wasserstein import WassersteinSystem

PIVOT = "en"
RERANKING_STEPS = len(SYSTEMS) * (1 + len(WEIGHTS))  # of a task


@dataclass(frozen=True, kw_only=True, slots=True)
class TransportExperiment:
    """What is measured, on which data, with how many queries."""

    data: Path
    collection: Path | None
    languages: tuple[str, ...]  # of the collection's documents
    pairs: tuple[str, ...]  # languages of XQuAD-R, each to and from English
    ad_hoc_queries: int
    reranked_queries: int
    cache: Path | None = None  # of indexes


@dataclass(slots=True)
class TransportReproduction:
    """Everything that the experiment measured."""

    ad_hoc: list[Sequence[TimedRun]] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)  # searched by each of ``ad_hoc``
    reranking: list[RerankingRuns] = field(default_factory=list)


def reproduce(plan: TransportExperiment, stage: Stage) -> TransportReproduction:
    """Re-ranking on XQuAD-R's paragraphs, then everything on the collection."""
    results = TransportReproduction()
    _measure_paragraphs(plan, results, stage)
    if plan.collection is not None:
        _measure_collection(plan, read_collection(plan.collection), results, stage)
    return results


def _measure_paragraphs(
    plan: TransportExperiment, results: TransportReproduction, stage: Stage
) -> None:
    """All languages in one index, and in one index of the second stage."""
    paragraphs = next((one for one in read_data_folder(plan.data) if one.name == "xquad-r"), None)
    if paragraphs is None:
        raise InputError(plan.data, None, found="no xquad-r", expected="its paragraphs")
    wanted = {PIVOT, *plan.pairs}
    tasks = [t for t in paragraphs.tasks if {t.query_language, t.document_language} <= wanted]
    advance = stage(paragraphs.name, RERANKING_STEPS * len(tasks))
    with (
        cached_index(paragraphs.name, paragraphs.documents, plan.cache) as index,
        temporary_index(paragraphs.documents, WassersteinSystem.name) as bags,
    ):
        for task in tasks:
            sampled = task.sampled(plan.reranked_queries)
            results.reranking += reranking_runs(index, CollectionReader(bags), sampled, advance)


def _measure_collection(
    plan: TransportExperiment,
    whole: TaskCollection,
    results: TransportReproduction,
    stage: Stage,
) -> None:
    """Every language of documents on its own, with English for the idf of the queries' words."""
    searched = in_languages(whole, plan.languages)
    steps = len(SYSTEMS) + len(BAGS) + RERANKING_STEPS
    advance = stage(whole.name, steps * len(searched.tasks))
    with cached_index(whole.name, searched.documents, plan.cache) as index:
        for task in searched.tasks:
            both = in_languages(whole, [task.document_language], [task.query_language])
            with temporary_index(both.documents, WassersteinSystem.name) as bags:
                sampled = task.sampled(plan.ad_hoc_queries)
                results.ad_hoc.append(list(ad_hoc_runs(index, bags, sampled, advance)))
                results.documents.append(index.languages[task.document_language])
                sampled = task.sampled(plan.reranked_queries)
                results.reranking += reranking_runs(index, CollectionReader(bags), sampled, advance)
