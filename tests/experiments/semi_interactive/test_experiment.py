"""The paper's tables and figures from trainings on a toy collection."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

from dragoman.errors import InputError
from dragoman.experiments.semi_interactive import runs
from dragoman.experiments.semi_interactive.click_simulation import ClickConfig
from dragoman.experiments.semi_interactive.experiment import reproduce
from dragoman.experiments.semi_interactive.figures import draw
from dragoman.experiments.semi_interactive.plan import (
    DEFAULT_PARTS,
    INTERACT,
    MINED,
    NON,
    NON_KT,
    SEMI,
    SEMI_KT,
    SEMI_SYMMETRIC,
    UNTRAINED,
    QueryContext,
    RelevancePart,
    chosen_trainings,
    planned_trainings,
    swept_value,
    upper_limit,
)
from dragoman.experiments.semi_interactive.report import (
    report as write_report,
)
from dragoman.experiments.semi_interactive.report import (
    tables,
    write_tables,
)
from dragoman.experiments.semi_interactive.runs import run_training
from dragoman.experiments.semi_interactive.scales import SCALES, SMALL
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig
from dragoman.systems.semi_interactive import Distillation, RelevanceArchitecture, load_model
from dragoman.text.collections.splits import Split
from dragoman.text.files import Faults
from dragoman.text.formats.clicks import read_tsv
from dragoman.training.pretraining.pipeline import FACTS, FORMAT
from small_items import vocabulary, write_items
from toy_relevance import save_encoder

TINY = replace(
    SMALL,
    name="tiny",
    task=RelevanceTaskConfig(train=6, negatives=2, candidates=5, hard_candidates=1, related=1),
    clicks=ClickConfig(queries=2, depth=5),
    base=replace(SMALL.base, layers=1, max_length=32, batch=16, epochs=1, warm_up=0),
    teacher_epochs=1,
    numbers=(1, 3),
    alphas=(0.3, 0.7),
    fitted=12,
    timed=8,
    reranked=2,
    pictured=5,
    validations=2,
)


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return write_items(tmp_path_factory.mktemp("items"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("encoder"), vocabulary(), layers=1)


@pytest.fixture(scope="module")
def report(collection, encoder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    results = reproduce(collection, encoder, folder, TINY)
    write_tables(folder, results)
    draw(folder, results)
    return folder, results


def test_everything_of_the_paper_is_written(report):
    folder, results = report
    names = {path.name for path in folder.iterdir()}
    assert {"claims.csv", *(f"table-{number}.csv" for number in range(2, 7))} <= names
    assert {f"figure-{n}.{kind}" for n in (3, 4) for kind in ("png", "csv")} <= names
    assert set(results.parts) == set(DEFAULT_PARTS)
    assert {INTERACT, NON, NON_KT, SEMI, SEMI_KT, UNTRAINED, MINED} <= results.trainings.keys()
    with (folder / "figure-4.csv").open() as stream:
        points = list(csv.DictReader(stream))
    assert {point["model"] for point in points} == {INTERACT, NON, SEMI, SEMI_KT}
    assert {point["language"] for point in points} == {"de", "fr", "en documents"}


def test_the_section_tells_how_it_was_made_and_what_it_says(report):
    text = write_report(report[1], "the command")
    for expected in (
        "toy-items",
        "`the command`",
        "languages with supervision: de, fr",
        "languages without: es",
        "| Table 2: AUC | de | fr | AVG | es | AVG without | ms per sample |",
        "for a sample (paper: 5.1), and ",
        "| INTERACT, with relevant queries |",
        "| encoder, not trained, with relevant queries |",
        "| Table 3: nDCG@10 |",
        "| Table 4: AUC |",
        "| Table 5 |",
        "| Table 6: AUC, queries mined from a simulated log |",
        "| second stage: nDCG@10 | de | fr | es | mean |",
        "queries were lead sentences of pages",
        "| queries: AUC | INTERACT | NON-INTERACT | SEMI-INTERACT |",
        "| lead sentences | ",
        "| NON-INTERACT, one encoder |",
        "| INTERACT, not trained |",
        "| Figure 3 (a) relevant queries: N | 0 | 1 | 3 |",
        "| Figure 3 (b) the share of the labels in the loss: alpha | 0.3 | 0.7 | 1 |",
        "| The semi-interactive model is above the non-interactive one | AUC |",
        "| Equation 7 as printed is above its symmetric form | AUC |",
        "| psq, then INTERACT with weight 0.5, is above psq alone | nDCG@10 |",
        "relevant queries of a test document: ",
        "simulated log: ",
        "*SEMI-INTERACT + KT, paper*",
        "| Figure 4 | mean cosine |",
    ):
        assert expected in text


def test_no_test_query_is_trained_on_or_read_with_a_document(report):
    _, results = report
    task, contexts = results.task, results.data.contexts
    tested = {one.query.text for one in task.queries[Split.TEST]}
    trained = {one.query.text for one in task.queries[Split.TRAIN]}
    assert not tested & trained
    evaluated = {query.text for query in task.evaluated}
    for context in QueryContext:
        assert contexts[context]
        for queries in contexts[context].values():
            assert not evaluated & {query.text for query in queries}
            assert {query.language for query in queries} <= set(task.supervised)
        for example in results.data.examples(task.queries[Split.TRAIN], context):
            codes = {query.language for query in example.relevant_queries}
            assert example.query.language not in codes


def test_a_table_has_intervals_and_tests_against_the_baseline(report):
    found = tables(report[1])["table-2"]
    assert found.columns == ("de", "fr", "AVG", "es", "AVG without")
    for name, row in found.rows.items():
        for cell in row.values():
            assert 0 <= cell.value <= 1
            assert (cell.above is None) == (name == NON)
    assert found.rows[NON]["AVG"].value == pytest.approx(
        np.mean([found.rows[NON][code].value for code in ("de", "fr")])
    )
    assert found.printed[SEMI]["AVG"] == 84.04


def test_crossed_scores_are_those_of_the_other_reading(report):
    folder, results = report
    data, test = results.data, results.task.queries[Split.TEST]
    examples = data.examples(test, QueryContext.READY_MADE, related=True)
    model = load_model(folder / "runs" / "semi-interact.model")
    without = [replace(example, relevant_queries=()) for example in examples]
    assert results.trainings[SEMI].crossed == pytest.approx(model.score_pairs(without), abs=1e-5)
    assert results.trainings[SEMI].scores == pytest.approx(model.score_pairs(examples), abs=1e-5)
    assert results.trainings[NON].crossed != pytest.approx(results.trainings[NON].scores, abs=1e-5)


def test_an_encoder_of_our_own_says_what_it_learnt_from(report, encoder):
    results = report[1]
    assert "encoder learnt from" not in write_report(results, "x")
    facts = {
        "bitext": ["en-de", "help/bitext/en-de", "help/bitext/en-fr"],
        "pairs": {"training": 1234},
    }
    try:
        FORMAT.write(encoder / FACTS, facts)
        text = write_report(results, "x")
    finally:
        (encoder / FACTS).unlink()
    assert "encoder learnt from: 1,234 sentence pairs: en-de; help/bitext (en-de, en-fr)" in text


def test_trainings_and_timings_that_are_done_are_not_repeated(
    report, collection, encoder, monkeypatch
):
    folder, results = report
    monkeypatch.setattr(runs, "train", lambda *_, **__: pytest.fail("again"))
    again = reproduce(collection, encoder, folder, TINY)
    assert again.timings == results.timings
    for name, result in results.trainings.items():
        assert again.trainings[name].scores.tolist() == result.scores.tolist()
        assert again.trainings[name].space == result.space
        assert again.trainings[name].settings == result.settings
    run = upper_limit(TINY)
    other = replace(run, config=replace(run.config, dropout=0.2))
    with pytest.raises(pytest.fail.Exception, match="again"):
        run_training(other, results.data, TINY, folder / "runs")
    changed = replace(results.data, encoder_digest="another")
    with pytest.raises(pytest.fail.Exception, match="again"):
        run_training(run, changed, TINY, folder / "runs")


def test_the_log_is_a_click_log_that_can_be_read_again(report):
    folder, results = report
    clicks = list(read_tsv(folder / "clicks.tsv.gz", Faults()))
    assert sum(click.impressions for click in clicks) == results.mined.impressions
    assert sum(click.clicks for click in clicks) == results.mined.clicks
    assert 0 < results.mined.right <= 1


def test_some_parts_can_be_measured_alone(collection, encoder, tmp_path):
    results = reproduce(collection, encoder, tmp_path, TINY, parts=[RelevancePart.NUMBER])
    assert set(results.trainings) == {INTERACT, NON, SEMI, "SEMI-INTERACT, N = 1"}
    assert results.mined is None
    assert list(results.sweep(RelevancePart.NUMBER)) == [0, 1, 3]
    write_tables(tmp_path, results)
    assert [path.name for path in draw(tmp_path, results)] == ["figure-3.png"]
    text = write_report(results, "the command")
    assert "Figure 3 (a)" in text
    assert "Table 2" not in text


def test_parts_that_are_not_trained_may_be_left_out(collection, encoder, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="found no INTERACT with these settings"):
        reproduce(collection, encoder, tmp_path, TINY, only_done=True)
    first = reproduce(collection, encoder, tmp_path, TINY, parts=[RelevancePart.NUMBER])
    semi = chosen_trainings(TINY, [RelevancePart.REPEATED], languages=2)[RelevancePart.REPEATED]
    again = next(run for run in semi if run.repeats == SEMI and run.config.seed)
    run_training(again, first.data, TINY, tmp_path / "runs")
    monkeypatch.setattr(runs, "train", lambda *_, **__: pytest.fail("again"))
    parts = [*DEFAULT_PARTS, RelevancePart.REPEATED]
    found = reproduce(collection, encoder, tmp_path, TINY, parts=parts, only_done=True)
    assert set(found.parts) == {RelevancePart.NUMBER, RelevancePart.REPEATED}
    assert set(found.trainings) == {*first.trainings, again.name}
    assert f"| {SEMI} | " in write_report(found, "the command")


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
def test_plans_follow_the_paper(scale):
    runs = {run.name: run for part in planned_trainings(scale).values() for run in part}
    assert len({run.folder for run in runs.values()}) == len(runs)
    assert runs[SEMI].config.relevant_queries == 3
    assert runs[SEMI_KT].config.alpha == 0.7
    assert runs[SEMI_KT].config.distillation is Distillation.PRINTED
    assert runs[SEMI_SYMMETRIC].config.distillation is Distillation.SYMMETRIC
    assert upper_limit(scale).config.architecture is RelevanceArchitecture.INTERACTIVE
    for run in runs.values():
        taught = run.config.reuse_embeddings or run.config.distillation is not Distillation.OFF
        assert bool(run.teacher) == taught
    for part in (RelevancePart.NUMBER, RelevancePart.ALPHA):
        values = [swept_value(run, part) for run in planned_trainings(scale)[part]]
        assert len(set(values)) == len(values)


@pytest.mark.parametrize(("languages", "numbers"), [(2, [1, 3]), (5, [1, 3, 4]), (7, [1, 3, 4, 6])])
def test_no_document_is_read_with_more_queries_than_languages_have(languages, numbers):
    parts = [RelevancePart.NUMBER, RelevancePart.REPEATED]
    chosen = chosen_trainings(SMALL, parts, languages=languages)
    runs = [run for run in chosen[RelevancePart.NUMBER] if run.name != NON]
    assert sorted(run.config.relevant_queries for run in runs) == numbers
    read = {run.config.relevant_queries for run in chosen[RelevancePart.REPEATED]}
    assert read == set(numbers)


def test_a_sentence_encoder_may_teach_one_more():
    more = planned_trainings(SMALL, "some folder")[RelevancePart.TRANSFER][-1]
    assert more.teacher == "some folder"
    assert not more.config.reuse_embeddings
    assert (
        len(planned_trainings(SMALL)[RelevancePart.TRANSFER])
        == len(planned_trainings(SMALL, "x")[RelevancePart.TRANSFER]) - 1
    )


def test_results_are_plain_json(report):
    folder, _ = report
    saved = json.loads((folder / "runs" / "semi-interact.json").read_text())
    assert saved["settings"]["config"]["relevant_queries"] == 3
    assert saved["epochs"][0]["validation"].keys() == {"AUC", "AUC within queries"}
