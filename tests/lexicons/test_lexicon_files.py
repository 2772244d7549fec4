import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.lexicons import lexicon_files

TENSORS = {"numbers": np.arange(5)}


def test_a_folder_holds_json_and_safetensors(tmp_path):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {"source": "en"})
    assert sorted(path.name for path in (tmp_path / "table").iterdir()) == [
        "lexicon.json",
        "tables.safetensors",
    ]
    facts = json.loads((tmp_path / "table" / "lexicon.json").read_text(encoding="utf-8"))
    assert facts == {"format": "dragoman-lexicon", "version": 1, "source": "en"}


def test_a_failed_write_leaves_the_old_table(tmp_path, monkeypatch):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {"source": "en"})
    with pytest.raises(TypeError, match="not JSON serializable"):
        lexicon_files.write_folder(tmp_path / "table", TENSORS, {"source": object()})
    assert lexicon_files.read_folder(tmp_path / "table")[1]["source"] == "en"
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_a_folder_without_a_lexicon(tmp_path):
    with pytest.raises(InputError, match=r"found no lexicon\.json; expected a folder written by"):
        lexicon_files.read_folder(tmp_path)


def test_a_newer_format(tmp_path):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {})
    path = tmp_path / "table" / "lexicon.json"
    path.write_text(path.read_text(encoding="utf-8").replace("1", "9"), encoding="utf-8")
    with pytest.raises(InputError, match="found format 'dragoman-lexicon' version 9; expected"):
        lexicon_files.read_folder(tmp_path / "table")


def test_broken_json(tmp_path):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {})
    (tmp_path / "table" / "lexicon.json").write_text("{\n", encoding="utf-8")
    with pytest.raises(InputError, match="found no facts"):
        lexicon_files.read_folder(tmp_path / "table")


def test_cut_tables(tmp_path):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {})
    path = tmp_path / "table" / "tables.safetensors"
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(InputError, match="expected the tables of a lexicon"):
        lexicon_files.read_folder(tmp_path / "table")


def test_missing_tables(tmp_path):
    lexicon_files.write_folder(tmp_path / "table", TENSORS, {})
    (tmp_path / "table" / "tables.safetensors").unlink()
    with pytest.raises(InputError, match="found no tables"):
        lexicon_files.read_folder(tmp_path / "table")


def test_a_broken_packed_file(tmp_path):
    path = tmp_path / "packed"
    path.write_bytes(lexicon_files.pack(TENSORS, {})[:-3])
    with pytest.raises(InputError, match="found a broken archive"):
        lexicon_files.unpack(path)


@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1)))
def test_words_survive(words):
    assert lexicon_files.words_from_bytes(lexicon_files.words_to_bytes(tuple(words))) == tuple(
        words
    )


@given(st.lists(st.floats(1e-5, 1)))
def test_levels_are_near_the_probabilities(values):
    array = np.array(values)
    assert lexicon_files.dequantised(lexicon_files.quantised(array)) == pytest.approx(
        array, rel=0.0240
    )


def test_nothing_stays_nothing_and_all_stays_all():
    levels = lexicon_files.quantised(np.array([0.0, 1.0, 1e-30]))
    assert levels.tolist() == [0, 255, 1]
    assert lexicon_files.dequantised(levels) == pytest.approx([0, 1, np.exp(-12)])


def test_gaps_by_hand():
    columns, starts = np.array([2, 5, 9, 0, 4]), np.array([0, 3, 3, 5])
    assert lexicon_files.gaps(columns, starts).tolist() == [2, 3, 4, 0, 4]
    distances = lexicon_files.gaps(columns, starts)
    assert lexicon_files.columns_from_gaps(distances, starts).tolist() == columns.tolist()
