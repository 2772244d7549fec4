"""Transport as a search and as a second stage, on collections that are made up here."""

from dataclasses import replace

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.lexical.experiment import XQUAD_LANGUAGES
from dragoman.experiments.tasks import opened
from dragoman.experiments.transport.report import report
from dragoman.experiments.transport.run import Plan, measured
from dragoman.experiments.transport.search import (
    BAGS,
    WEIGHTS,
    Answered,
    Staged,
    answered,
    bag_systems,
    in_languages,
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
    given = {"languages": ("sw",), "pairs": ("de",), "questions": 5, "fewer": 5, **settings}
    return Plan(data=paragraphs, collection=packages, **given)


def test_everything_is_measured_and_reported(paragraphs, packages):
    results = measured(plan(paragraphs, packages), lambda name, total: no_progress)
    (rows,) = results.ad_hoc
    assert [row.label for row in rows] == ["psq", "dense", "hybrid", *BAGS]
    assert {row.label: row.mean for row in rows}["Entro_Wass idf"] == 1.0
    assert results.documents == [2]
    names = {(one.alone.task.asked, one.alone.task.searched) for one in results.staged}
    assert names == {("de", "en"), ("en", "de"), ("en", "sw")}
    text = report(results.ad_hoc, results.documents, results.staged, "the command")
    assert "toy-packages en asks sw (2), 2 documents" in text
    assert "the command" in text
    assert text.count("| nDCG@10 | undecided | +0.000 |") == len(WEIGHTS)  # all are perfect


def test_data_without_paragraphs_is_refused(data, packages):
    (data / "xquad-r").rename(data / "another")
    with pytest.raises(InputError, match="no xquad-r"):
        measured(plan(data, packages), lambda name, total: no_progress)


def test_documents_beside_are_counted_and_not_asked_about(packages):
    whole = opened(packages)
    both, alone = in_languages(whole, ["sw"], ["en"]), in_languages(whole, ["sw"], ())
    assert {d.language for d in both.documents} == {"en", "sw"}
    assert {d.language for d in alone.documents} == {"sw"}
    assert both.tasks == alone.tasks == whole.tasks


def test_all_systems_of_bags_search_one_index(packages):
    documents, rare = opened(packages).documents, "en:house"
    with temporary_index(documents, "wasserstein") as index, index.snapshot() as snapshot:
        systems = bag_systems(index)
        assert len({id(system.source) for system in systems.values()}) == 1
        collections = {label: one.collection(snapshot) for label, one in systems.items()}
    assert collections["Entro_Wass idf"] is collections["nBOW idf"]
    column = collections["Entro_Wass idf"].vocabulary.columns[rare]
    weights = {label: one.weights[column] for label, one in collections.items()}
    assert "en:the" not in collections["Entro_Wass tf"].vocabulary.columns
    assert weights["Entro_Wass idf"] > weights["Entro_Wass tf"] == 1


def test_questions_are_measured_one_by_one(packages):
    (task,) = opened(packages).tasks
    asked = []

    def search(query):
        asked.append(query.query_id)
        return Ranking(query.query_id, (Hit("sw:house", 1.0),))

    found = answered(task, "always the house", search)
    assert asked == ["house", "house", "water"]  # the first one beforehand, untimed
    assert found.values.tolist() == [1.0, 0.0]
    assert found.interval.low <= found.mean <= found.interval.high


def test_a_better_second_stage_is_bold_and_its_claim_holds(packages):
    (task,) = opened(packages).tasks
    values = np.random.default_rng(0).random(60) / 2
    alone = Answered(task, "psq", values, 0.002)
    better = replace(alone, values=values + 0.3, seconds=0.02)
    rows = [Staged(alone, {0.2: better, 0.5: alone})]
    text = report([], [], rows, "the command")
    assert f"**{better.mean:.3f}** (0.000)" in text
    assert "with weight 0.2 is above the first stage alone | nDCG@10 | yes | +0.300 |" in text
    assert "with weight 0.5 is above the first stage alone | nDCG@10 | undecided |" in text
    assert "2.0 ms, 1.0x" in text
