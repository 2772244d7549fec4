"""Transport as a search and as a second stage, on collections that are made up here."""

from dataclasses import replace

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.tasks import XQUAD_LANGUAGES, read_collection
from dragoman.experiments.transport.experiment import (
    TransportExperiment,
    TransportReproduction,
    reproduce,
)
from dragoman.experiments.transport.report import report
from dragoman.experiments.transport.runs import (
    BAGS,
    WEIGHTS,
    RerankingRuns,
    TimedRun,
    bag_systems,
    in_languages,
    timed_run,
)
from dragoman.protocols import no_progress
from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Hit, Query, Ranking

pytestmark = pytest.mark.usefixtures("encoder")


@pytest.fixture
def paragraphs(tmp_path):
    """XQuAD-R with two paragraphs a language, all in the words of the toy encoder."""
    folder = tmp_path / "data" / "xquad-r" / "paragraphs"
    folder.mkdir(parents=True)
    codes = ["en", *XQUAD_LANGUAGES]
    texts = {"house": "house", "water": "water"}
    documents = [
        Document(f"{code}-{name}", text, language=code)
        for code in codes
        for name, text in texts.items()
    ]
    write_documents(folder / "corpus.jsonl.gz", documents)
    queries = [Query(f"{code}-q", "house", code) for code in codes]
    write_queries(folder.parent / "queries.jsonl.gz", queries)
    right = {f"{code}-house": 2 for code in codes}
    write_judgments(folder / "qrels.tsv.gz", {query.query_id: right for query in queries})
    return tmp_path / "data"


def plan(paragraphs, packages, **settings):
    given = {
        "languages": ("sw",),
        "pairs": ("de",),
        "ad_hoc_queries": 5,
        "reranked_queries": 5,
        **settings,
    }
    return TransportExperiment(data=paragraphs, collection=packages, **given)


def test_everything_is_measured_and_reported(paragraphs, packages):
    results = reproduce(plan(paragraphs, packages), lambda name, total: no_progress)
    (rows,) = results.ad_hoc
    assert [row.label for row in rows] == ["psq", "dense", "hybrid", *BAGS]
    assert {row.label: row.mean for row in rows}["Entro_Wass idf"] == 1.0
    assert results.documents == [2]
    names = {
        (one.alone.task.query_language, one.alone.task.document_language)
        for one in results.reranking
    }
    assert names == {("de", "en"), ("en", "de"), ("en", "sw")}
    text = report(results, "the command")
    assert "toy-packages en-sw (2), 2 documents" in text
    assert "the command" in text
    assert text.count("| nDCG@10 | not shown | +0.000 |") == len(WEIGHTS)  # all are perfect


def test_data_without_paragraphs_is_refused(data, packages):
    (data / "xquad-r").rename(data / "another")
    with pytest.raises(InputError, match="no xquad-r"):
        reproduce(plan(data, packages), lambda name, total: no_progress)


def test_documents_that_are_not_searched_are_added(packages):
    whole = read_collection(packages)
    both, alone = in_languages(whole, ["sw"], ["en"]), in_languages(whole, ["sw"])
    assert {d.language for d in both.documents} == {"en", "sw"}
    assert {d.language for d in alone.documents} == {"sw"}
    assert both.tasks == alone.tasks == whole.tasks


def test_all_systems_of_bags_search_one_index(packages):
    documents, rare = read_collection(packages).documents, "en:house"
    with temporary_index(documents, "wasserstein") as index, index.snapshot() as snapshot:
        systems = bag_systems(index)
        assert len({id(system.source) for system in systems.values()}) == 1
        collections = {label: one.collection(snapshot) for label, one in systems.items()}
    assert collections["Entro_Wass idf"] is collections["nBOW idf"]
    column = collections["Entro_Wass idf"].vocabulary.columns[rare]
    weights = {label: one.weights[column] for label, one in collections.items()}
    assert "en:the" not in collections["Entro_Wass tf"].vocabulary.columns
    assert weights["Entro_Wass idf"] > weights["Entro_Wass tf"] == 1


def test_queries_are_measured_one_by_one(packages):
    (task,) = read_collection(packages).tasks
    searched = []

    def search(query):
        searched.append(query.query_id)
        return Ranking(query.query_id, (Hit("sw:house", 1.0),))

    found = timed_run(task, "always the house", search)
    assert searched == ["house", "house", "water"]  # the first one beforehand, untimed
    assert found.values.tolist() == [1.0, 0.0]
    assert found.interval.low <= found.mean <= found.interval.high


def test_a_better_second_stage_is_bold_and_its_claim_holds(packages):
    (task,) = read_collection(packages).tasks
    values = np.random.default_rng(0).random(60) / 2
    alone = TimedRun(task, "psq", values, 0.002)
    better = replace(alone, values=values + 0.3, seconds=0.02)
    rows = [RerankingRuns(alone, {0.2: better, 0.5: alone})]
    text = report(TransportReproduction(reranking=rows), "the command")
    assert f"**{better.mean:.3f}** (0.000)" in text
    assert "with weight 0.2 is above the first stage alone | nDCG@10 | holds | +0.300 |" in text
    assert "with weight 0.5 is above the first stage alone | nDCG@10 | not shown |" in text
    assert "2.0 ms, 1.0x" in text
