"""A data folder and a collection in -> everything that ``reproduce transport`` reports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import InputError
from dragoman.experiments.engine.experiment import SYSTEMS
from dragoman.experiments.index_cache import indexed, temporary_index
from dragoman.experiments.lexical.experiment import Collection
from dragoman.experiments.lexical.experiment import collections as found_in
from dragoman.experiments.tasks import opened
from dragoman.experiments.transport.search import (
    BAGS,
    WEIGHTS,
    Answered,
    Staged,
    ad_hoc,
    fewer,
    in_languages,
    two_stages,
)
from dragoman.indexes.search.reranking import CollectionReader
from dragoman.protocols import Advance
from dragoman.systems.bags.wasserstein import WassersteinSystem

PIVOT = "en"
STAGED = len(SYSTEMS) * (1 + len(WEIGHTS))  # steps of a task
Told = Callable[[str, int | None], Advance]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is measured, from what, at which size."""

    data: Path
    collection: Path | None
    languages: tuple[str, ...]
    pairs: tuple[str, ...]
    questions: int
    fewer: int
    keep: Path | None = None


@dataclass(slots=True)
class Results:
    """All that one run measured."""

    ad_hoc: list[Sequence[Answered]] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)  # searched by each of ``ad_hoc``
    staged: list[Staged] = field(default_factory=list)


def measured(plan: Plan, told: Told) -> Results:
    """The second stage on XQuAD-R's paragraphs, then everything on the collection."""
    results = Results()
    _paragraphs(plan, results, told)
    if plan.collection is not None:
        _collection(plan, opened(plan.collection), results, told)
    return results


def _paragraphs(plan: Plan, results: Results, told: Told) -> None:
    """The index as people have it: all languages in one, and so in that of the second stage."""
    paragraphs = next((one for one in found_in(plan.data) if one.name == "xquad-r"), None)
    if paragraphs is None:
        raise InputError(plan.data, None, found="no xquad-r", expected="its paragraphs")
    tasks = [t for t in paragraphs.tasks if {t.asked, t.searched} <= {PIVOT, *plan.pairs}]
    advance = told(paragraphs.name, STAGED * len(tasks))
    with (
        indexed(paragraphs.name, paragraphs.documents, plan.keep) as index,
        temporary_index(paragraphs.documents, WassersteinSystem.name) as bags,
    ):
        for task in tasks:
            short = fewer(task, plan.fewer)
            results.staged += two_stages(index, CollectionReader(bags), short, advance)


def _collection(plan: Plan, whole: Collection, results: Results, told: Told) -> None:
    searched = in_languages(whole, plan.languages, ())
    advance = told(whole.name, (len(SYSTEMS) + len(BAGS) + STAGED) * len(searched.tasks))
    with indexed(whole.name, searched.documents, plan.keep) as index:
        for task in searched.tasks:
            beside = in_languages(whole, [task.searched], [task.asked])
            with temporary_index(beside.documents, WassersteinSystem.name) as bags:
                most = fewer(task, plan.questions)
                results.ad_hoc.append(list(ad_hoc(index, bags, most, advance)))
                results.documents.append(index.languages[task.searched])
                short = fewer(task, plan.fewer)
                results.staged += two_stages(index, CollectionReader(bags), short, advance)
