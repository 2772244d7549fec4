import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.training.batches import (
    BatchConfig,
    EpochParts,
    RowBatches,
    batch_count,
    epoch_rows,
    grouped_shuffle,
)

LENGTHS = np.random.default_rng(0).integers(1, 50, 103)


@pytest.mark.parametrize("bucket", [1, 4])
def test_an_epoch_has_every_example_once(bucket):
    config = BatchConfig(size=10, bucket=bucket)
    batches = list(epoch_rows(LENGTHS, config, 3))
    assert len(batches) == batch_count(len(LENGTHS), config) == 11
    assert sorted(np.concatenate(batches).tolist()) == list(range(103))


@pytest.mark.parametrize("bucket", [1, 4])
def test_an_epoch_can_be_entered_anywhere_and_shared(bucket):
    config = BatchConfig(size=10, bucket=bucket, seed=5)
    whole = [rows.tolist() for rows in epoch_rows(LENGTHS, config, 2)]
    assert [rows.tolist() for rows in epoch_rows(LENGTHS, config, 2, 4, 3)] == whole[4::3]


def test_parts_of_an_epoch_are_its_batches_in_order():
    whole = RowBatches(LENGTHS, BatchConfig(size=10, bucket=4))
    halves = EpochParts(whole, 2)
    assert len(halves) == len(whole) // 2 == 5
    parts = [rows.tolist() for number in (2, 3) for rows in halves.epoch(number)]
    assert parts == [rows.tolist() for rows in whole.epoch(1)][:10]
    assert [rows.tolist() for rows in halves.epoch(3, 1, 2)] == parts[6::2]
    same = EpochParts(whole, 1)
    assert [one.tolist() for one in same.epoch(1)] == [one.tolist() for one in whole.epoch(1)]


def test_epochs_and_seeds_differ():
    orders = {
        tuple(next(epoch_rows(LENGTHS, BatchConfig(size=10, seed=seed), epoch)).tolist())
        for seed in (0, 1)
        for epoch in (0, 1)
    }
    assert len(orders) == 4


def test_without_shuffling_the_order_is_that_of_the_examples():
    config = BatchConfig(size=50, shuffle=False)
    assert np.concatenate(list(epoch_rows(LENGTHS, config, 0))).tolist() == list(range(103))


def test_a_bucket_brings_like_lengths_together():
    def spread(bucket):
        batches = epoch_rows(LENGTHS, BatchConfig(size=10, bucket=bucket), 0)
        return np.mean([np.ptp(LENGTHS[rows]) for rows in batches])

    assert spread(10) < spread(1) / 3


def test_examples_with_one_text_come_together():
    texts = np.random.default_rng(1).integers(0, 12, 103)
    config = BatchConfig(size=10, together=5)
    batches = list(epoch_rows(LENGTHS, config, 0, texts=texts))
    assert sorted(np.concatenate(batches).tolist()) == list(range(103))
    alone = epoch_rows(LENGTHS, BatchConfig(size=10), 0, texts=texts)

    def different(found):
        return np.mean([len(np.unique(texts[rows])) for rows in found])

    assert different(batches) < different(alone) / 2
    turns = texts[grouped_shuffle(texts, 5, np.random.default_rng(0))]
    runs = np.diff(np.flatnonzero(np.diff(turns, prepend=-1, append=-1)))
    assert runs.max() > 1
    assert len(set(turns[:20].tolist())) > 3  # not all of one text at once


def test_an_empty_batch_is_refused():
    with pytest.raises(ConfigError, match="1 or more"):
        BatchConfig(size=0)


def test_row_batches_are_those_of_the_epoch():
    lengths = np.arange(10)
    batches = RowBatches(lengths, BatchConfig(size=4, seed=1))
    assert len(batches) == 3
    rows = [batch.tolist() for batch in batches.epoch(2)]
    assert rows == [batch.tolist() for batch in epoch_rows(lengths, BatchConfig(size=4, seed=1), 2)]
    assert sorted(row for batch in rows for row in batch) == list(range(10))
