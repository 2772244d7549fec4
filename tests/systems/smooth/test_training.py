"""From words to a trained model: vocabularies, first vectors, pairs, training, grid search."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from dragoman.errors import ConfigError, InputError, UnknownName
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measures
from dragoman.systems.smooth.config import (
    SmoothArchitecture,
    SmoothConfig,
    SmoothModelConfig,
    smooth_config,
)
from dragoman.systems.smooth.grid import Grid, at_edge, candidates, search_thresholds
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import PairBatches, sample_training_pairs
from dragoman.systems.smooth.pipeline import load_vectors, run_pipeline
from dragoman.systems.smooth.training import build_dataset, initial_model, train, training_batches
from dragoman.systems.smooth.training_data import JudgedPairs, read_training_data
from dragoman.systems.smooth.validation import MEASURES, values_per_query
from dragoman.systems.smooth.vocabulary import SmoothTokenizer, SmoothVocabulary
from dragoman.text.collection import Collection
from dragoman.text.formats.plain import write_documents, write_judgments, write_queries
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig
from dragoman.types import Document, Hit, Query, Ranking, Text
from smooth_examples import toy_data
from unit_vectors import vectors_of

QUICK = SmoothConfig(
    model=SmoothModelConfig(dimension=16),
    train=TrainConfig(epochs=4, learning_rate=0.05),
    batch=BatchConfig(size=16),
    seen=1,
)


@pytest.fixture(scope="module")
def dataset():
    return build_dataset(toy_data(), QUICK, {})


@pytest.fixture(scope="module")
def trained(dataset):
    return train(dataset, QUICK)


def test_vectors_of_two_dimensions_are_refused(dataset):
    given = {"en": vectors_of("en", ("dog",), 4), "it": vectors_of("it", ("cane",), 5)}
    with pytest.raises(ConfigError, match=r"one dimension, got \[4, 5\]"):
        initial_model(dataset, QUICK, given)


def test_a_long_text_is_cut_and_padding_can_be_counted():
    vocabulary = SmoothVocabulary({"en": ("a", "b")})
    texts = [("en", ["a", "b", "a", "a"])]
    cut = SmoothTokenizer(SmoothModelConfig(longest=2)).to_ids(texts, vocabulary)
    assert cut.sequences.words.tolist() == [1, 2]
    padded = SmoothTokenizer(SmoothModelConfig(longest=8, count_padding=True)).to_ids(
        texts, vocabulary
    )
    assert dict(zip(padded.bags.words.tolist(), padded.bags.weights.tolist(), strict=True)) == {
        0: 0.5,
        1: 0.375,
        2: 0.125,
    }


def test_training_ranks_the_right_document_first(dataset, trained):
    data = dataset.data
    for split in ("validation", "test"):
        pairs = data.pairs[split]
        before = values_per_query(
            data, pairs, dataset.scores(initial_model(dataset, QUICK, {}), pairs)
        )
        after = values_per_query(data, pairs, dataset.scores(trained.model, pairs))
        assert after["nDCG@5"].mean() > 0.9 > before["nDCG@5"].mean()


@pytest.mark.parametrize(
    ("architecture", "rate"),
    [
        (SmoothArchitecture.CNN, 0.005),
        (SmoothArchitecture.LSTM, 0.02),
        (SmoothArchitecture.LSTM_FIRST_POSITION, 0.02),
    ],
)
def test_other_architectures_train_too(architecture, rate):
    config = smooth_config(architecture, epochs=10, batch=16, learning_rate=rate)
    config = replace(config, seen=1)
    made = build_dataset(toy_data(), config, {})
    epochs = train(made, config).epochs
    assert epochs[-1].validation["nDCG@5"] > 0.8
    assert epochs[-1].loss < epochs[0].loss


@pytest.mark.parametrize("architecture", [SmoothArchitecture.CNN, SmoothArchitecture.LSTM])
def test_both_towers_begin_alike_and_part(architecture):
    config = replace(smooth_config(architecture, epochs=1, batch=16), seen=1)
    made = build_dataset(toy_data(), config, {})
    first, after = initial_model(made, config, {}), train(made, config).model
    for name, layer in first.queries.named_parameters():
        other = dict(first.documents.named_parameters())[name]
        learnt = dict(after.documents.named_parameters())[name]
        if not name.startswith("table."):
            assert torch.equal(layer, other)
            assert not torch.equal(dict(after.queries.named_parameters())[name], learnt)


def test_the_words_of_a_cnn_begin_shorter():
    config = replace(
        QUICK, model=SmoothModelConfig(architecture=SmoothArchitecture.CNN), batch=BatchConfig()
    )
    tables = [
        initial_model(build_dataset(toy_data(), one, {}), one, {}).queries.table.weight
        for one in (replace(config, model=SmoothModelConfig()), config)
    ]
    assert torch.allclose(tables[0], 8 * tables[1])


@pytest.mark.parametrize("loss", ["three-part", "mse", "po", "po-steep", "all-threshold"])
def test_other_losses_train_too(loss, dataset):
    epochs = train(dataset, replace(QUICK, loss=loss, thresholds=())).epochs
    assert epochs[-1].loss < epochs[0].loss


def test_counted_padding_trains_too():
    config = replace(QUICK, model=replace(QUICK.model, count_padding=True, longest=12))
    epochs = train(build_dataset(toy_data(), config, {}), config).epochs
    assert epochs[-1].loss < epochs[0].loss


def test_the_measures_are_those_of_a_run(dataset, trained):
    data, pairs = dataset.data, dataset.data.pairs["test"]
    scores = dataset.scores(trained.model, pairs)
    rankings, judgments = [], {}
    for query in np.unique(pairs.queries):
        rows = np.flatnonzero(pairs.queries == query)
        ids = [data.doc_ids[pairs.documents[row]] for row in rows]
        hits = [Hit(doc_id, float(scores[row])) for doc_id, row in zip(ids, rows, strict=True)]
        hits.sort(key=lambda hit: (-hit.score, hit.doc_id))
        rankings.append(Ranking(data.query_ids[query], tuple(hits)))
        grades = pairs.grades[rows].tolist()
        judgments[data.query_ids[query]] = dict(zip(ids, grades, strict=True))
    run = measure_run("run", rankings, judgments, parse_measures(" ".join(MEASURES)))
    found = values_per_query(data, pairs, scores)
    for name, column in run.overall.values.items():
        assert found[name].tolist() == pytest.approx(column.tolist())


def test_drawn_negatives_replace_the_judged_ones(dataset):
    data = dataset.data
    pairs = data.pairs["train"]
    drawn = sample_training_pairs(pairs, len(data.documents), 3, np.random.default_rng(0))
    counts = np.bincount(drawn.queries[drawn.grades == 0])
    assert set(counts[counts > 0].tolist()) == {3}
    relevant = {(q, d) for q, d, g in zip(*_columns(pairs), strict=True) if g > 0}
    assert {(q, d) for q, d, g in zip(*_columns(drawn), strict=True) if g > 0} == relevant
    assert not {(q, d) for q, d, g in zip(*_columns(drawn), strict=True) if g == 0} & relevant
    assert (np.diff(drawn.queries) >= 0).all()


def _columns(pairs):
    return pairs.queries.tolist(), pairs.documents.tolist(), pairs.grades.tolist()


def test_negatives_can_be_drawn_anew_for_every_epoch(dataset):
    batches = training_batches(dataset, replace(QUICK, negatives=3))
    epochs = [
        {(q, d) for batch in batches.epoch(epoch) for q, d, g in zip(*_columns(batch), strict=True)}
        for epoch in (0, 0, 1)
    ]
    assert epochs[0] == epochs[1] != epochs[2]
    assert len(list(batches.epoch(0))) == len(batches)


def test_the_grid_search_tries_every_rising_choice(dataset):
    grid = Grid(values=(0.0, 0.5, 0.3), epochs=1, train=5, validation=4)
    rising = [(0.0, 0.3), (0.0, 0.5), (0.2, 0.7), (0.3, 0.5)]  # one is SOSL's own
    assert candidates(QUICK, 3, grid) == rising
    assert candidates(QUICK, 2, grid) == [(0.0,), (0.3,), (0.5,)]
    tried = search_thresholds(dataset, QUICK, grid=grid)
    assert sorted(one.thresholds for one in tried) == rising
    assert [one.value for one in tried] == sorted((one.value for one in tried), reverse=True)
    with pytest.raises(ConfigError, match="3 grades need 2 different values"):
        candidates(QUICK, 3, Grid(values=(0.1, 0.1)))


def test_values_of_a_grid_are_shares_of_the_limit():
    config = replace(QUICK, limit=0.5)
    found = candidates(config, 3, Grid(values=(0.0, 0.5, 0.8)))
    assert found == [(0.0, 0.25), (0.0, 0.4), (0.25, 0.4)]  # SOSL's own .7 is out of reach
    assert at_edge((0.0, 0.25), (0.0, 0.25, 0.4))
    assert at_edge((0.25, 0.4), (0.0, 0.25, 0.4))
    assert not at_edge((0.1, 0.2), (0.0, 0.25, 0.4))
    with pytest.raises(ConfigError, match="limit must be above 0"):
        replace(QUICK, limit=0.0)


def test_the_three_part_loss_has_a_threshold_for_every_grade():
    config = smooth_config(loss="three-part")
    assert config.thresholds == (0.2, 0.55, 0.9)
    found = candidates(config, 3, Grid(values=(0.0, 0.5, 0.7)))
    assert found == [(0.0, 0.5, 0.7), (0.2, 0.55, 0.9)]


def test_fewer_queries_are_spread_and_keep_their_pairs(dataset):
    data = dataset.data
    fewer = data.limit_queries({"train": 3, "test": 5})
    assert np.unique(fewer.pairs["train"].queries).tolist() == [0, 18, 39]
    assert fewer.pairs["validation"] is data.pairs["validation"]
    kept, everything = fewer.pairs["test"], data.pairs["test"]
    assert len(np.unique(kept.queries)) == 5
    for query in np.unique(kept.queries):
        assert (kept.queries == query).sum() == (everything.queries == query).sum()


def test_pairs_of_one_document_share_a_batch_where_asked():
    pairs = JudgedPairs(np.arange(48), np.tile(np.arange(6), 8), np.zeros(48, dtype=np.int64))
    batches = PairBatches(pairs, np.full(6, 9), BatchConfig(size=8, together=4))
    found = list(batches.epoch(0))
    assert all(len(np.unique(batch.documents)) <= 2 for batch in found)
    assert sorted(q for batch in found for q in batch.queries.tolist()) == list(range(48))


def test_a_saved_model_gives_the_same_vectors(trained, tmp_path):
    model = trained.model
    model.save(tmp_path / "model")
    again = SmoothModel.load(tmp_path / "model")
    texts = [Text("thing1 noise2", "en"), Text("nothing known", "en")]
    assert again.query_vectors(texts).tolist() == model.query_vectors(texts).tolist()
    assert not again.query_vectors(texts)[1].any()
    assert again.signature == model.signature


def test_a_changed_model_is_refused(trained, tmp_path):
    trained.model.save(tmp_path / "model")
    words = tmp_path / "model" / "queries.txt"
    words.write_text(words.read_text().replace("thing1", "thingy"))
    with pytest.raises(InputError, match="Its files were changed"):
        SmoothModel.load(tmp_path / "model")
    facts = tmp_path / "model" / "model.json"
    facts.write_text(json.dumps({"format": "else"}))
    with pytest.raises(InputError, match="found format 'else'"):
        SmoothModel.load(tmp_path / "model")
    with pytest.raises(InputError, match="no facts"):
        SmoothModel.load(tmp_path)


def written(folder, splits=("train", "validation", "test")):
    """The toy data as a plain collection, with documents of a third language."""
    data = toy_data()
    documents = [
        Document(doc_id, " ".join(words), language=language)
        for doc_id, (language, words) in zip(data.doc_ids, data.documents, strict=True)
    ]
    write_documents(folder / "corpus.jsonl", [*documents, Document("x", "Haus", language="de")])
    split_of = {q: split for split in splits for q in data.pairs[split].queries.tolist()}
    queries = [
        Query(query_id, " ".join(words), language, {"split": split_of[row]})
        for row, (query_id, (language, words)) in enumerate(
            zip(data.query_ids, data.queries, strict=True)
        )
        if row in split_of
    ]
    write_queries(folder / "queries.jsonl", queries)
    judgments: dict[str, dict[str, int]] = {}
    for split in splits:
        for query, document, grade in zip(*_columns(data.pairs[split]), strict=True):
            judged = judgments.setdefault(data.query_ids[query], {})
            judged[data.doc_ids[document]] = grade
    write_judgments(folder / "qrels.tsv", judgments)
    return folder


def test_a_collection_is_read_as_words_and_pairs(tmp_path):
    collection = Collection.open(written(tmp_path))
    data, expected = (
        read_training_data(collection, SmoothTokenizer(SmoothModelConfig()), ("en", "it")),
        toy_data(),
    )
    assert list(data.doc_ids) == list(expected.doc_ids)  # "x" is judged by nobody
    assert [words for _, words in data.documents] == [words for _, words in expected.documents]
    assert data.classes == 3
    by_id = {
        (data.query_ids[q], data.doc_ids[d]): g
        for q, d, g in zip(*_columns(data.pairs["test"]), strict=True)
    }
    assert by_id == {
        (expected.query_ids[q], expected.doc_ids[d]): g
        for q, d, g in zip(*_columns(expected.pairs["test"]), strict=True)
    }
    with pytest.raises(InputError, match="no judged pair of the split 'train' in en and fr"):
        read_training_data(collection, SmoothTokenizer(SmoothModelConfig()), ("en", "fr"))


def test_a_job_leaves_a_model_with_its_log_and_report(tmp_path):
    source = written(tmp_path / "toy")
    report = run_pipeline(source, QUICK, tmp_path / "model", languages=("en", "it"))
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == [
        "documents.txt",
        "log.jsonl",
        "model.json",
        "model.safetensors",
        "queries.txt",
    ]
    assert report["test"]["nDCG@5"] > 0.9
    assert SmoothModel.load(tmp_path / "model").facts["test"] == report["test"]
    assert not (tmp_path / ".model.training").exists()


def test_a_job_refuses_thresholds_that_do_not_fit(tmp_path):
    source = written(tmp_path / "toy")
    with pytest.raises(ConfigError, match="3 grades need 2 thresholds"):
        run_pipeline(source, replace(QUICK, thresholds=(0.5,)), tmp_path / "model")


def test_vectors_are_loaded_by_folder_or_by_language(tmp_path):
    for language in ("en", "it"):
        vectors_of(language, ("a", "b")).save(tmp_path / "both" / language)
    data = toy_data()
    both = load_vectors([str(tmp_path / "both")], data)
    assert {code: found.dimension for code, found in both.items()} == {"en": 4, "it": 4}
    one = load_vectors([f"en={tmp_path / 'both' / 'en'}"], data)
    assert list(one) == ["en"]
    with pytest.raises(ConfigError, match="two sources of word vectors for en"):
        load_vectors([str(tmp_path / "both"), f"en={tmp_path / 'both' / 'en'}"], data)


def test_the_papers_settings():
    average, lstm = SmoothConfig.paper(), SmoothConfig.paper(SmoothArchitecture.LSTM)
    assert (average.train.learning_rate, average.batch.size, average.train.epochs) == (
        0.01,
        128,
        30,
    )
    assert (lstm.train.learning_rate, lstm.train.decay, lstm.batch.size) == (0.001, 0.95, 64)
    assert lstm.train.epochs == 15
    first_position = SmoothConfig.paper(SmoothArchitecture.LSTM_FIRST_POSITION)
    assert (first_position.train, first_position.batch) == (lstm.train, lstm.batch)
    assert average.thresholds == (0.2, 0.7)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"architecture": "averge"}, UnknownName, "Did you mean 'average'"),
        ({"loss": "sols"}, UnknownName, "Did you mean 'sosl'"),
        ({"epsilon": -1.0}, ConfigError, "epsilon must be a number from 0 on"),
        ({"negatives": -1}, ConfigError, "found negatives -1"),
        ({"precision": "fp8"}, UnknownName, "Unknown precision 'fp8'. Known: bf16, no"),
        (
            {"architecture": "cnn", "count_padding": True},
            ConfigError,
            "count_padding applies to average pooling only",
        ),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        smooth_config(**settings)
