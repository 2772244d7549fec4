import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings

from corpora import KOEHN, corpora, packed
from dragoman.lexicons.alignment import cooccurrence as module
from dragoman.lexicons.alignment.cooccurrence import DROPPED, cooccurrence


def rows_of(pairs):
    return np.repeat(np.arange(len(pairs.starts) - 1), np.diff(pairs.starts))


def check_slots(bitext, pairs):
    """Every slot holds the words that stand there."""
    rows = rows_of(pairs)
    for n in range(len(bitext)):
        source, target = bitext.sentence(n)
        slots = pairs.slots[pairs.blocks[n] : pairs.blocks[n + 1]].reshape(-1, len(target))
        assert (rows[slots] == source[:, None]).all()
        assert (pairs.columns[slots] == target[None, :]).all()


@given(corpora(max_size=12))
@settings(max_examples=25, deadline=None)
def test_every_pair_that_meets_has_one_slot(sentence_pairs):
    with tempfile.TemporaryDirectory() as name:
        bitext = packed(sentence_pairs, Path(name))
        pairs = cooccurrence(bitext, Path(name), workers=2)
        check_slots(bitext, pairs)
        met = {(s, t) for source, target in sentence_pairs for s in source for t in target}
        assert pairs.size == len(met)


def test_many_chunks_give_the_same_table(tmp_path, monkeypatch):
    bitext = packed(KOEHN * 10, tmp_path)
    whole = cooccurrence(bitext, tmp_path, workers=1)
    monkeypatch.setattr(module, "CHUNK", 2)
    (tmp_path / "chunks").mkdir()
    chunked = cooccurrence(bitext, tmp_path / "chunks", workers=2)
    assert (whole.starts == chunked.starts).all()
    assert (whole.columns == chunked.columns).all()
    assert (whole.slots == chunked.slots).all()


def test_slots_live_on_disk(tmp_path):
    pairs = cooccurrence(packed(KOEHN, tmp_path), tmp_path, workers=1)
    assert isinstance(pairs.slots, np.memmap)


def test_filtered_pairs_lose_their_slots(tmp_path):
    bitext = packed(KOEHN, tmp_path)
    whole = cooccurrence(bitext, tmp_path, workers=1)
    before, rows, columns = whole.slots.copy(), rows_of(whole), whole.columns
    mask = np.arange(whole.size) % 2 == 0
    kept = whole.filtered(mask)
    assert kept.size == mask.sum()
    for old, new in zip(before, kept.slots, strict=True):
        if mask[old]:
            assert (rows_of(kept)[new], kept.columns[new]) == (rows[old], columns[old])
        else:
            assert new == DROPPED


def test_lanes_cover_all_sentences_in_order(tmp_path):
    pairs = cooccurrence(packed(KOEHN * 7, tmp_path), tmp_path, workers=1)
    bounds = pairs.lanes()
    assert (bounds[0], bounds[-1]) == (0, 21)
    assert (np.diff(bounds) >= 0).all()
