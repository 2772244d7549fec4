"""Tasks in the form of MATERIAL's, their baselines, and cached runs."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.errors import ConfigError
from dragoman.experiments.searcher import baselines
from dragoman.experiments.searcher.experiment import FUSION, NEURAL, ORACLE, make_task, reproduce
from dragoman.experiments.searcher.fusion import fuse_runs
from dragoman.experiments.searcher.plan import (
    SearcherRow,
    SearcherScale,
    resized_configs,
    searcher_configs,
    seed_name,
)
from dragoman.experiments.searcher.report import report, write_tables
from dragoman.experiments.searcher.runs import RAW, DetectionRun, cached_run
from dragoman.experiments.searcher.task import (
    AlignedDocument,
    DetectionTask,
    TrainingPairs,
    from_bitext,
    relevant_documents,
    sample_terms,
)
from dragoman.experiments.searcher.values import SHARE, calibrate_run, evaluate_run
from dragoman.systems.searcher.config import SearcherConfig, SearcherModelConfig, TranslationConfig
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig
from dragoman.types import Document, Query, SentencePair
from toy_bitext import sentences

SCALE = SearcherScale(
    name="toy",
    documents=12,
    queries=3,
    pairs=None,
    config=SearcherConfig(
        model=SearcherModelConfig(size=8, blocks=1),
        train=TrainConfig(epochs=2, learning_rate=0.03),
        batch=BatchConfig(size=32),
    ),
    pretrain=TranslationConfig(train=TrainConfig(epochs=1), words=20, blocks=1),
    translation=TranslationConfig(
        train=TrainConfig(epochs=4, learning_rate=0.02), words=20, blocks=1
    ),
    depths=(0, 1),
    width=12,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    (folder / "bitext").mkdir()
    with gzip.open(folder / "bitext" / "en-sw.tsv.gz", "wt", encoding="utf-8") as stream:
        for number, (english, swahili) in enumerate(sentences(240)):
            rare = f" rare{'abcdefgh'[number % 8]}" if number % 5 == 0 else ""
            stream.write(f"{english}{rare}\t{swahili}{rare.upper()}\tsource{number // 120}\n")
    return folder


@pytest.fixture(scope="module")
def task(data):
    return from_bitext(data / "bitext" / "en-sw.tsv.gz", "sw", documents=12, queries=3)


def test_documents_are_held_out_and_no_sentence_of_theirs_is_trained_on(task):
    assert len(task.documents) == 12
    held = {line for document in task.documents for line in document.text.split("\n")}
    assert not held & {pair.target for pair in task.training}
    assert len(task.fingerprint) == 12


def test_a_document_is_relevant_if_its_english_side_has_the_term():
    aligned = [
        AlignedDocument(
            Document("a", "x", language="sw"), ("The Prime Minister spoke.", "Of water.")
        ),
        AlignedDocument(Document("b", "y", language="sw"), ("prime numbers", "a minister")),
    ]
    found = relevant_documents(aligned)
    assert found["prime minist"] == {"a"}
    assert found["minist"] == {"a", "b"}
    assert found["number"] == {"b"}  # by its stem
    assert "the" not in found
    assert "spoke water" not in found  # not in one sentence


def test_terms_of_all_frequencies_are_drawn():
    frequencies = {f"{'abcdefghij'[n % 10] * (3 + n // 10)}": 1 + n % 40 for n in range(400)}
    frequencies["too common"] = 200
    chosen = sample_terms(frequencies, 1000, 12)
    assert len(chosen) == 12
    assert {frequencies[term].bit_length() for term in chosen} == {1, 2, 3, 4, 5, 6}
    assert sample_terms(frequencies, 1000, 12) == chosen


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def result(task, folder):
    return reproduce(task, folder, SCALE)


@pytest.fixture(scope="module")
def two_seeds(task, folder, result):
    """The rows of ``TWO_SEEDS``, and the stages of a call that has the first seed of them."""
    return stages_of(task, folder, TWO_SEEDS)


TWO_SEEDS = replace(SCALE, seeds=2, rows=tuple(map(SearcherRow, ("softmax", "max", "depths"))))


def stages_of(task, folder, scale):
    stages: list[str] = []
    again = reproduce(
        task, folder, scale, lambda name, _: stages.append(name) or (lambda n=1: None)
    )
    return again, [name for name in stages if "training" in name]


def test_every_row_is_measured_and_cached(data, task, folder, result, tmp_path):
    assert make_task(data, "sw", SCALE).fingerprint == task.fingerprint
    names = [value.name for value in result.values]
    assert names[-1] == FUSION
    assert {"threshold", "document translation", "psq", "searcher-max-pretrained"} <= set(names)
    assert {"threshold + psq", f"{NEURAL} + source", f"{NEURAL} + source + psq"} <= set(names)
    assert not [name for name in names if name.startswith(f"{ORACLE} + ")]
    by_name = {value.name: value for value in result.values}
    assert by_name[ORACLE].average_precision > 0.9  # phrases may be found by one of their words
    assert all(value.actual <= value.maximum + 1e-9 <= 1 + 1e-9 for value in result.values)
    assert "apertium" in result.skipped
    assert not result.runs["searcher-max"][0].variants  # many and large: not kept in memory
    (saved,) = saved_runs(task, folder, "searcher-max", 1)
    assert saved.variants
    for scores in saved.variants.values():
        answered = [mine for mine in scores.values() if mine]
        assert answered
        assert {len(mine) for mine in answered} == {len(task.documents)}
    again, trained = stages_of(task, folder, SCALE)
    assert not trained
    assert [v.actual for v in again.values] == [v.actual for v in result.values]
    text = report([result], "the command", SCALE)
    assert "| searcher-softmax-aligned | 8 | 0 |" in text
    assert "| searcher-softmax-aligned | 12 | 1 |" in text
    assert "Max pooling gives sharper probabilities than softmax pooling" in text
    assert "### Swahili" in text
    rates = {"searcher-max": "0.01", "searcher-max-aligned": "0.03", NEURAL: "0.02", "psq": ""}
    for name, rate in rates.items():
        line = next(one for one in text.splitlines() if one.startswith(f"| {name} |"))
        assert line.split("|")[7].strip() == rate
    assert "Neural translation has" in text
    assert "- command: `the command`" in text
    assert f"- scale: {SCALE.name}: size {SCALE.config.model.size}" in text
    assert "| searcher + psq is above psq | AQWV |" in text
    assert f"| {FUSION} |" in text
    write_tables(tmp_path, [result], SCALE)
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert len(lines) == len(result.values) + len(result.resized) + 1
    assert "pre-training" in (tmp_path / "convergence.csv").read_text()
    assert "sw,searcher-max,8,1,0,bias,0," in (tmp_path / "probes.csv").read_text()


def saved_runs(task, folder, row, seeds):
    home = folder / "runs" / f"sw-{task.fingerprint}"
    files = (home / f"{seed_name(row, seed)}.json" for seed in range(seeds))
    return [DetectionRun(**json.loads(path.read_text())) for path in files]


def test_the_first_seed_is_the_training_of_a_call_with_one(task, folder, result, two_seeds):
    _, trained = two_seeds
    names = {name.partition(", ")[2].partition(":")[0] for name in trained}
    assert names == {f"{row}-seed-1" for row in ("searcher-softmax", "searcher-max")}
    for row, config in {**searcher_configs(SCALE), **resized_configs(SCALE)}.items():
        assert config.with_seed(0) == config
        assert seed_name(row, 0) == row
        (saved,) = saved_runs(task, folder, row, 1)
        assert saved.settings == json.loads(json.dumps(config.as_settings()))


def test_two_seeds_are_two_models(task, folder, two_seeds):
    reproduction, _ = two_seeds
    first, second = saved_runs(task, folder, "searcher-softmax", 2)
    assert first.variants != second.variants
    assert [run.settings["train"]["seed"] for run in (first, second)] == [0, 1]
    models = sorted(path.name for path in folder.glob("runs/*/searcher-softmax*.model"))
    assert {"searcher-softmax.model", "searcher-softmax-seed-1.model"} <= set(models)
    assert len(reproduction.runs["psq"]) == 1


def test_a_row_has_the_mean_and_the_range_of_its_seeds(task, folder, two_seeds):
    reproduction, _ = two_seeds
    text = report([reproduction], "the command", TWO_SEEDS)
    for row in ("searcher-softmax", "searcher-max"):
        found = [evaluate_run(run, task) for run in saved_runs(task, folder, row, 2)]
        value = next(one for one in reproduction.values if one.name == row)
        assert value.values == pytest.approx((found[0].values + found[1].values) / 2)
        assert value.resampled == pytest.approx((found[0].resampled + found[1].resampled) / 2)
        actual = sorted(float(one.values.mean()) for one in found)
        line = next(one for one in text.splitlines() if one.startswith(f"| {row} |"))
        cells = [cell.strip() for cell in line.split("|")]
        assert cells[2].strip("*\\") == f"{sum(actual) / 2:.3f}"
        assert cells[4] == f"{actual[0]:.3f} to {actual[1]:.3f}"
        assert cells[5] == f"{(found[0].maximum + found[1].maximum) / 2:.3f}"
        precision = (found[0].average_precision + found[1].average_precision) / 2
        assert cells[6] == f"{precision:.3f}"
    (psq,) = (one for one in text.splitlines() if one.startswith("| psq |"))
    assert not psq.split("|")[4].strip()
    assert "SEARCHER is trained with 2 seeds" in text
    assert "Differences in AQWV by seed" in text


def test_probes_of_two_seeds_have_their_range(task, folder, two_seeds):
    text = report([two_seeds[0]], "the command", TWO_SEEDS)
    saved = saved_runs(task, folder, "searcher-max", 2)
    biases = sorted(float(np.mean(run.facts["probes"]["bias"])) for run in saved)
    line = next(one for one in text.splitlines() if one.startswith("| searcher-max | 8 |"))
    shown = f"{sum(biases) / 2:.3f} ({biases[0]:.2f} to {biases[1]:.2f})"
    assert line.split("|")[8].strip() == shown


def test_every_seed_is_in_the_tables(two_seeds, tmp_path):
    write_tables(tmp_path, [two_seeds[0]], TWO_SEEDS)
    lines = (tmp_path / "results.csv").read_text().splitlines()
    seeds = [line.split(",")[2] for line in lines if line.startswith("sw,searcher-max,")]
    assert seeds == ["0", "1", "mean"]
    assert "sw,searcher-max,8,1,1,bias,0," in (tmp_path / "probes.csv").read_text()
    assert "sw,searcher-max,1,training,2," in (tmp_path / "convergence.csv").read_text()


def test_one_seed_has_no_ranges(result):
    text = report([result], "the command", SCALE)
    assert "by seed" not in text
    line = next(one for one in text.splitlines() if one.startswith("| searcher-softmax |"))
    assert not line.split("|")[4].strip()


def test_rows_that_are_left_out_are_missing_with_their_claims(task, folder, result, tmp_path):
    scale = replace(SCALE, rows=(SearcherRow.MAX,))
    some, trained = stages_of(task, folder, scale)
    assert not trained
    assert [row for row in some.runs if row.startswith("searcher-")] == ["searcher-max"]
    assert not some.resized
    text = report([some], "the command", scale)
    assert "| SEARCHER is above the threshold baseline | AQWV |" in text
    assert "SEARCHER from aligned vectors is above" not in text
    assert "softmax pooling" not in text.partition("| claim |")[2]
    assert "Held-out AP by epoch, max: " in text
    assert "Held-out AP by epoch, softmax" not in text
    write_tables(tmp_path, [some], scale)
    assert "searcher-softmax" not in (tmp_path / "results.csv").read_text()


def test_reliability_and_learning_curves_are_drawn(data, task, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    from types import SimpleNamespace

    from dragoman.experiments.searcher.figures import draw

    found = calibrate_run(oracle(task), task)
    epochs = [{"validation": {"AP": 0.1}}, {"validation": {"AP": 0.2}}]
    runs = {"row": [DetectionRun("row", {}, {}, 0.0, epochs)]}
    written = draw(tmp_path, [SimpleNamespace(task=task, calibration=found, runs=runs)])
    assert [path.name for path in written] == ["reliability-sw.png", "convergence-sw.png"]
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in written)


def oracle(task, noise=0.0, name="searcher-oracle"):
    rng = np.random.default_rng(0)
    scores = {
        query.query_id: {
            d.doc_id: float(np.clip(
                (0.9 if d.doc_id in task.judgments[query.query_id] else 0.1)
                + rng.normal(0, noise), 0.01, 0.99))
            for d in task.documents
        }
        for query in task.queries
    }  # fmt: skip
    return DetectionRun(name, {}, {RAW: scores}, 0.0)


def test_a_perfect_row_is_worth_one_and_silence_nothing(task):
    best = evaluate_run(oracle(task), task)
    assert (best.actual, best.maximum, best.average_precision) == (1.0, 1.0, 1.0)
    silent = evaluate_run(DetectionRun("silent", {}, {RAW: {}}, 0.0), task)
    assert (silent.actual, silent.maximum) == (0.0, 0.0)


def test_fusion_is_not_worse_than_its_better_half_on_what_it_was_fitted_to(task):
    noisy, other = oracle(task, 0.3), oracle(task, 0.2, "psq")
    both = fuse_runs(FUSION, noisy, other, task)
    value = evaluate_run(both, task)
    assert (
        value.development
        >= max(evaluate_run(one, task).development for one in (noisy, other)) - 0.05
    )


def test_the_reading_is_chosen_by_the_development_queries(task):
    """Queries on scales of their own: only shares of the best have one threshold for all."""
    scores = {
        query_id: {doc_id: score * 1000 ** (number % 2) for doc_id, score in column.items()}
        for number, (query_id, column) in enumerate(oracle(task).variants[RAW].items())
    }
    value = evaluate_run(DetectionRun("row", {}, {RAW: scores}, 0.0), task)
    assert value.variant == f"{RAW}, {SHARE}"
    assert value.actual == 1.0


def test_a_cached_run_is_used_only_with_its_settings(task, tmp_path):
    calls = []

    def perform():
        calls.append(1)
        return oracle(task)

    for settings in ({"size": 1}, {"size": 1}, {"size": 2}):
        cached_run("row", settings, task, tmp_path, perform)
    assert len(calls) == 2


def test_source_search_is_a_weighted_sum():
    sums = baselines.with_source({"q": {"a": 2.0}}, {"q": {"a": 1.0, "b": 3.0}})
    assert len(sums) == len(baselines.SOURCE_WEIGHTS)
    assert sums["source 0.25"] == {"q": pytest.approx({"a": 1.75, "b": 0.75})}


def test_the_pairs_of_a_collection_are_general_or_in_domain(data, tmp_path):
    """Documents and queries are the same, whatever is learnt from."""
    pages = tmp_path / "pages"
    (pages / "bitext").mkdir(parents=True)
    texts = sentences(80)
    documents = [
        {"_id": f"{language}:{number}" if language == "sw" else str(number), "lang": language,
         "text": text}
        for number, pair in enumerate(texts)
        for language, text in zip(("en", "sw"), pair, strict=True)
    ]  # fmt: skip
    queries = [
        {"_id": str(n), "lang": "en", "text": "x", "split": ("train", "test")[n % 2]}
        for n in range(len(texts))
    ]
    for name, records in (("corpus", documents), ("queries", queries)):
        lines = "".join(json.dumps(one) + "\n" for one in records)
        (pages / f"{name}.jsonl").write_text(lines)
    (pages / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\tsw:1\t2\n")
    with gzip.open(pages / "bitext" / "en-sw.tsv.gz", "wt") as stream:
        stream.write("a domain of its own\tuwanja wake\n")
    scale = replace(SCALE, queries=2)
    tasks = {origin: make_task(data, "sw", scale, [pages], origin) for origin in TrainingPairs}
    targets = {origin: {p.target for p in task.training} for origin, task in tasks.items()}
    assert targets[TrainingPairs.IN_DOMAIN] == {"uwanja wake"}
    assert targets[TrainingPairs.GENERAL]
    assert "uwanja wake" not in targets[TrainingPairs.GENERAL]
    both = targets[TrainingPairs.GENERAL] | targets[TrainingPairs.IN_DOMAIN]
    assert targets[TrainingPairs.BOTH] == both
    first, *others = ((one.documents, one.queries) for one in tasks.values())
    assert all(one == first for one in others)
    with pytest.raises(ConfigError, match="no --collection with pages"):
        make_task(data, "sw", scale, [], TrainingPairs.GENERAL)


def test_words_are_translated_one_by_one(task, tmp_path):
    resources = baselines.learn_resources(task, tmp_path)
    from dragoman.lexicons.translation_tables import TranslationTables

    words = baselines.word_by_word(
        "moto mkate", "sw", TranslationTables([resources.lexicon], use_shipped=False)
    )
    assert words.split() == ["fire", "bread"]
    assert baselines.learn_resources(task, tmp_path) == resources


def test_a_task_without_terms_is_refused(tmp_path):
    from dragoman.errors import InputError

    path = tmp_path / "en-sw.tsv"
    path.write_text("".join(f"{n} {n}\t{n} {n}\tx\n" for n in range(60)), encoding="utf-8")
    with pytest.raises(InputError, match="found 0 terms"):
        from_bitext(path, "sw", 5, 5)


def test_queries_and_pairs_travel_with_the_task():
    query, pair = Query("q", "a"), SentencePair("a", "b")
    one = DetectionTask("t", "sw", (Document("d", "x"),), ("x",), (query,), (), {"q": {}}, (pair,))
    other = replace(one, training=(SentencePair("a", "c"),))
    assert one.fingerprint != other.fingerprint
