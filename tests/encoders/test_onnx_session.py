import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dragoman.encoders.onnx_session import clean_text, encode_each, open_session
from dragoman.errors import InputError
from dragoman.protocols import no_progress


def test_equal_texts_are_encoded_once_and_empty_ones_not_at_all():
    seen = []

    def encode(text):
        seen.append(text)
        return np.full(3, len(text), dtype=np.float32)

    told = []
    found = encode_each(encode, ["ab", "", "abc", "ab", "?!"], 3, 100, lambda n=1: told.append(n))
    assert found[:, 0].tolist() == [2, 0, 3, 2, 0]
    assert sorted(seen) == ["ab", "abc"]
    assert sum(told) == 5


def test_nothing_gives_no_rows():
    assert encode_each(lambda _: np.ones(3), [], 3, 100, no_progress).shape == (0, 3)


def lengths(texts):
    found = encode_each(lambda text: np.full(1, len(text), np.float32), texts, 1, 100, no_progress)
    return found[:, 0].tolist()


TEXTS = ["a" * (1 + n % 50) for n in range(200)]


def test_many_may_encode_at_the_same_time():
    with ThreadPoolExecutor(6) as callers:
        for found in callers.map(lengths, [TEXTS] * 24):
            assert found == [len(text) for text in TEXTS]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # newer Pythons, on forks
def test_a_forked_process_has_threads_of_its_own():
    lengths(TEXTS)
    forked = multiprocessing.get_context("fork").Pool(1)
    with forked:
        assert forked.apply_async(lengths, [TEXTS]).get(timeout=60) == list(map(len, TEXTS))


def test_an_error_in_one_text_is_not_swallowed():
    def encode(text):
        raise ZeroDivisionError(text)

    with pytest.raises(ZeroDivisionError, match="ab"):
        encode_each(encode, ["ab"], 3, 100, no_progress)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\0b", "a b"),
        ("half \ud800", "half ?"),
        ("one two three", "one two"),
        ("unbroken-and-long", "unbroken-a"),
        (" ?! ", ""),
    ],
)
def test_texts_are_cleaned_and_cut_to_whole_words(text, clean):
    assert clean_text(text, 10) == clean


def test_a_file_that_is_no_model_is_said(tmp_path):
    (tmp_path / "model.onnx").write_text("not a graph")
    with pytest.raises(InputError, match="expected an ONNX model"):
        open_session(tmp_path / "model.onnx")
