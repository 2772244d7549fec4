import numpy as np
import pytest

from dragoman import registry
from dragoman.errors import InputError
from dragoman.text.files import Faults
from published import MATRIX, WORDS, uris, write_hdf5

h5py = pytest.importorskip("h5py", reason="needs the extra hdf5")
read_hdf5 = registry.find(registry.WORD_VECTOR_FORMATS, "numberbatch-hdf5", "format")


def test_rows_of_small_whole_numbers_are_read(tmp_path):
    small = np.rint(MATRIX * 30).astype(np.int8)
    rows = list(read_hdf5(write_hdf5(tmp_path / "mini.h5", matrix=small), Faults()))
    assert [row.word for row in rows] == list(WORDS)
    np.testing.assert_array_equal(np.stack([row.vector for row in rows]), small)


def test_blocks_without_a_wanted_word_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.embeddings.readers.numberbatch_hdf5.BLOCK", 2)
    labels = [*uris("fr")[:3], *uris("en")[3:]]
    path = write_hdf5(tmp_path / "mini.h5", labels)
    (last,) = read_hdf5(path, Faults(), lambda word, _: word == "ice_cream")
    np.testing.assert_array_equal(last.vector, MATRIX[-1])


def test_another_file_is_refused(tmp_path):
    (tmp_path / "mini.h5").write_text("no HDF5")
    with pytest.raises(InputError, match="found no HDF5"):
        list(read_hdf5(tmp_path / "mini.h5", Faults()))
    with pytest.raises(InputError, match="found no such file"):
        list(read_hdf5(tmp_path / "none.h5", Faults()))


@pytest.mark.parametrize(
    ("labels", "values", "message"),
    [
        (np.array([b"/c/en/a"]), np.ones((2, 3)), "1 labels, float64 values of shape"),
        (np.array([1]), np.ones((1, 3)), "labels of type int64"),
        (np.array([b"/c/en/a"]), np.ones((1, 1)), "found 1 dimensions"),
    ],
)
def test_a_table_of_another_shape_is_refused(labels, values, message, tmp_path):
    with h5py.File(tmp_path / "mini.h5", "w") as file:
        file["mat/axis1"], file["mat/block0_values"] = labels, values
    with pytest.raises(InputError, match=message):
        list(read_hdf5(tmp_path / "mini.h5", Faults()))


def test_a_file_without_the_table_says_what_it_holds(tmp_path):
    with h5py.File(tmp_path / "mini.h5", "w") as file:
        file["other"] = np.ones(3)
    with pytest.raises(InputError, match="found the parts other; expected mat/axis1"):
        list(read_hdf5(tmp_path / "mini.h5", Faults()))
