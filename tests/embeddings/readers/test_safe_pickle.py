import os
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.embeddings.readers.safe_pickle import read_pickled
from dragoman.errors import InputError
from published import MATRIX, write_polyglot_of_python_2

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("pickled") / "data.pkl"


def refused(path, raw):
    path.write_bytes(raw)
    with pytest.raises(InputError, match="nothing of it was run") as told:
        read_pickled(path)
    return str(told.value)


@given(values, st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_plain_values_come_back_as_python_reads_them(path, value, protocol):
    path.write_bytes(pickle.dumps(value, protocol))
    assert read_pickled(path) == value


@pytest.mark.parametrize("protocol", range(5))
@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8"])
def test_arrays_come_back_as_numpy_reads_them(path, protocol, dtype):
    for array in (MATRIX.astype(dtype), np.asfortranarray(MATRIX).astype(dtype, order="F")):
        path.write_bytes(pickle.dumps(array, protocol))
        np.testing.assert_array_equal(read_pickled(path), array)


def test_what_python_2_wrote_is_read(path):
    words, matrix = read_pickled(write_polyglot_of_python_2(path))
    assert words[2] == "Ελλάδα"
    np.testing.assert_array_equal(matrix, MATRIX)


class Hostile:
    """Runs a command when it is unpickled."""

    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


@pytest.mark.parametrize("protocol", range(6))
def test_a_command_in_the_file_is_never_run(path, tmp_path, protocol):
    trace = tmp_path / "run"
    told = refused(path, pickle.dumps((("a",), Hostile(f"touch {trace}")), protocol))
    assert "the name 'posix.system'" in told
    assert not trace.exists()


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"cbuiltins\neval\n(S'1'\ntR.", "the name 'builtins.eval'"),
        (b"(S'1'\nibuiltins\neval\n.", "the instruction INST"),
        (b"(cnumpy\nndarray\nS'1'\no.", "the instruction OBJ"),
        (b"cnumpy\nndarray\n(S'1'\ntR.", "the call numpy.ndarray"),
        (b"cnumpy\ndtype\n(S'O'\ntR.", "the call numpy.dtype('O',)"),
        (b"\x80\x02cnumpy\nndarray\n)\x81.", "the instruction NEWOBJ"),
        (b"}.", "the instruction EMPTY_DICT"),
        (b"P1\n.", "the instruction PERSID"),
        (b"cnumpy\nndarray\n.", "a name where a value is expected"),
        (b"]S'1'\nb.", "a state for what is neither array nor type"),
        (b"S'1'\nS'2'\na.", "something appended to what is no list"),
        (b"S'os.system'\n(S'1'\ntR.", "a call of what is no name"),
    ],
)
def test_whatever_data_does_not_need_is_refused(path, raw, found):
    assert found in refused(path, raw)


@pytest.mark.parametrize(
    "raw", [b"", b"not a pickle", b"\x80\x02", b"t.", b"h\x05.", b".", b"K\x01"]
)
def test_a_broken_file_is_named(path, raw):
    path.write_bytes(raw)
    with pytest.raises(InputError, match="found a broken pickle"):
        read_pickled(path)


@given(st.binary(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_or_refused(path, raw):
    path.write_bytes(b"\x80\x02" + raw)
    try:
        read_pickled(path)
    except InputError as error:
        assert "found" in str(error)  # noqa: PT017 - anything else than a refusal fails


def test_a_value_that_stands_everywhere_is_read_once(path):
    doubled = b"".join(b"q" + bytes([n]) + b"h" + bytes([n]) + b"\x86" for n in range(200))
    path.write_bytes(b"\x80\x02)" + doubled + b".")  # two to the power of 200 empty tuples
    found = read_pickled(path)
    for _ in range(200):
        assert found[0] is found[1]
        found = found[0]
    assert found == ()


@pytest.mark.parametrize("raw", [b"]q\x00h\x00a.", b")" + b"\x85" * 100_000 + b"."])
def test_values_inside_each_other_without_end_are_refused(path, raw):
    path.write_bytes(b"\x80\x02" + raw)
    with pytest.raises(InputError, match="found values inside each other without end"):
        read_pickled(path)


def test_an_array_whose_bytes_do_not_fit_is_refused(path):
    raw = pickle.dumps(np.ones((2, 2), dtype=np.float32), 2)
    path.write_bytes(raw.replace(b"K\x02K\x02\x86", b"K\x02K\x03\x86"))
    with pytest.raises(InputError, match="found a broken pickle"):
        read_pickled(path)


def test_an_array_of_objects_is_refused(path):
    refused(path, pickle.dumps(np.array([None, "a"], dtype=object), 2))
