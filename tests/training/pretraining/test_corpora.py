"""What is read, what is held out, how much of each group."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.errors import ConfigError, InputError
from dragoman.text.files import Faults
from dragoman.training.pretraining.corpora import (
    Bitext,
    group_names,
    hold_out,
    limit_groups,
    quotas,
    read_bodies,
    read_groups,
    sample_rows,
)


def write_pairs(path, count, word="maji"):
    path.write_text("".join(f"water {i}\t{word} {i}\n" for i in range(count)))
    return path


def test_groups_are_named_after_their_files(tmp_path):
    folder = tmp_path / "bitext"
    folder.mkdir()
    write_pairs(folder / "en-sw.tsv", 12)
    write_pairs(folder / "en-de.tsv", 9, "wasser")
    found = read_groups([folder, folder / "en-sw.tsv"], Faults())  # one file twice is read once
    assert found.names == ("en-de", "en-sw")
    assert found.sizes().tolist() == [9, 12]
    assert found.sizes(np.arange(9, 20)).tolist() == [0, 11]
    assert (found.firsts[9], found.seconds[0]) == ("water 0", "wasser 0")


def test_files_of_one_name_are_told_apart_by_the_folders_above_them():
    files = [
        "/a/bitext/en-sw.tsv.gz",
        "/b/bitext/en-sw.tsv",
        "/b/other/en-sw.tmx",
        "/b/en-sw.v2.tsv",
    ]
    assert group_names([Path(file) for file in files]) == (
        "a/bitext/en-sw",
        "b/bitext/en-sw",
        "other/en-sw",
        "en-sw.v2",
    )
    twins = [Path("/b/en-sw.tmx"), Path("/b/en-sw.tsv")]
    assert group_names(twins) == ("/b/en-sw.tmx", "/b/en-sw.tsv")


def test_too_little_and_nothing_are_refused(tmp_path):
    with pytest.raises(InputError, match="found 3 pairs; expected 20 or more"):
        read_groups([write_pairs(tmp_path / "en-sw.tsv", 3)], Faults())
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found no bitext"):
        read_groups([tmp_path / "empty"], Faults())


def test_a_group_is_read_up_to_a_number_of_pairs():
    firsts = [str(number) for number in range(30)]
    bitext = Bitext(("big", "small"), firsts, firsts[::-1], np.repeat([0, 1], [25, 5]))
    found = limit_groups(bitext, 10, np.random.default_rng(0))
    assert found.sizes().tolist() == [10, 5]
    assert [int(one) for one in found.firsts] == sorted({int(one) for one in found.firsts})
    assert all(int(a) + int(b) == 29 for a, b in zip(found.firsts, found.seconds, strict=True))


def test_titles_and_queries_of_a_collection_are_not_read(tmp_path):
    documents = [
        {"_id": "a", "title": "A secret", "text": "Told openly.", "lang": "en"},
        {"_id": "b", "title": "Another", "text": " ", "lang": "en"},
    ]
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    (tmp_path / "corpus.jsonl").write_text(lines)
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "asked", "lang": "en"}\n')
    (tmp_path / "qrels.tsv").write_text("q\ta\t1\n")
    assert list(read_bodies([str(tmp_path)], Faults())) == ["Told openly."]


pairs = st.lists(
    st.tuples(st.sampled_from("abcdefghijklmn"), st.sampled_from("ABCDEFGHIJKLMN")),
    min_size=30,
    max_size=60,
)


@settings(max_examples=50, deadline=None)
@given(pairs, st.integers(0, 3))
def test_no_held_out_text_is_learnt_from(pairs, seed):
    firsts, seconds = zip(*pairs, strict=True)
    groups = np.arange(len(pairs)) % 2
    bitext = Bitext(("one", "two"), firsts, seconds, groups)
    try:
        split = hold_out(bitext, 2, np.random.default_rng(seed))
    except ConfigError:  # too few different texts to leave any
        return
    held = {firsts[row] for row in split.held_out}, {seconds[row] for row in split.held_out}
    assert not any(firsts[row] in held[0] or seconds[row] in held[1] for row in split.training)
    for group in (0, 1):
        mine = [row for row in split.held_out if groups[row] == group]
        assert len(mine) <= 2
        assert (
            len({firsts[row] for row in mine}) == len({seconds[row] for row in mine}) == len(mine)
        )


def test_pairs_that_are_all_the_same_leave_nothing():
    bitext = Bitext(("one",), ["a"] * 30, ["b"] * 30, np.zeros(30, dtype=np.int64))
    with pytest.raises(ConfigError, match="0 of them for training and 1 for validation"):
        hold_out(bitext, 5, np.random.default_rng(0))


def test_quotas_by_hand():
    assert quotas(np.array([400, 100, 0]), 30, 0.5).tolist() == [20, 10, 0]
    assert quotas(np.array([900, 100]), 100, 1.0).tolist() == [90, 10]
    assert quotas(np.array([10**6, 1]), 10, 1.0).tolist() == [9, 1]


def test_a_sample_takes_no_row_twice_and_small_groups_whole():
    groups = np.repeat([0, 1], [90, 10])
    bitext = Bitext(("big", "small"), ["a"] * 100, ["b"] * 100, groups)
    rows = sample_rows(bitext, np.arange(100), 60, 0.0, np.random.default_rng(0))
    assert len(set(rows.tolist())) == len(rows) == 40
    assert (rows >= 90).sum() == 10
