import numpy as np
import pytest

from dragoman.encoders.quantization import quantize
from dragoman.errors import ConfigError

# the mean squared error of the best even steps for a normal distribution (Max 1960, table II)
ERRORS = {1: 0.3634, 2: 0.1188, 4: 0.01154, 8: 0.0001}


@pytest.mark.parametrize("bits", ERRORS)
def test_the_error_is_that_of_the_best_even_steps(bits):
    table = np.random.default_rng(1).normal(size=(200, 512)).astype(np.float32)
    packed = quantize(table, bits)
    found = np.mean((packed.rows(slice(None)) - table) ** 2)
    assert found == pytest.approx(ERRORS[bits], rel=0.05, abs=2e-5)
    assert packed.codes.nbytes == 200 * 512 * bits // 8


def test_rows_are_read_by_number_in_any_order():
    table = np.random.default_rng(2).normal(size=(5, 16)).astype(np.float32)
    packed = quantize(table, 8)
    whole = packed.rows(slice(None))
    assert np.array_equal(packed.rows(np.array([3, 0, 3])), whole[[3, 0, 3]])


def test_a_row_of_zeros_stays_nearly_zero():
    packed = quantize(np.zeros((1, 8), dtype=np.float32), 2)
    assert np.abs(packed.rows(slice(None))).max() == 0


@pytest.mark.parametrize(("shape", "bits", "said"), [((1, 8), 3, "one of"), ((1, 3), 2, "bytes")])
def test_what_cannot_be_packed_is_refused(shape, bits, said):
    with pytest.raises(ConfigError, match=said):
        quantize(np.ones(shape, dtype=np.float32), bits)
