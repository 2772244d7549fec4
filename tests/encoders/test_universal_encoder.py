"""The default encoder itself; these run where ``dragoman models get default`` was run before."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dragoman.encoders import universal_encoder
from dragoman.encoders.models import UNIVERSAL
from dragoman.encoders.sentence_encoder import load_encoder

pytestmark = pytest.mark.skipif(
    not UNIVERSAL.installed, reason="needs the encoder: dragoman models get default"
)

TEXTS = [
    "The cat sits on the mat.",
    "Die Katze sitzt auf der Matte.",
    "猫坐在垫子上。",
    "The parliament passed a new budget after a long debate on taxes and spending.",
    "",
    "x" * 10_000,
]


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("default")


def test_translations_are_nearer_than_other_sentences(encoder):
    vectors = encoder.encode(TEXTS[:4])
    scores = vectors @ vectors.T
    assert min(scores[0, 1], scores[0, 2]) > 0.6
    assert scores[0, 3] < 0.3


def test_a_vector_is_bit_for_bit_the_same_alone_in_a_batch_and_in_any_order(encoder):
    together = encoder.encode(TEXTS)
    alone = np.vstack([encoder.encode([text]) for text in TEXTS])
    assert np.array_equal(together, alone)
    assert np.array_equal(encoder.encode(TEXTS[::-1]), alone[::-1])


def test_vectors_have_length_one_and_the_empty_text_is_zero(encoder):
    lengths = np.linalg.norm(encoder.encode(TEXTS), axis=1)
    assert lengths == pytest.approx([1, 1, 1, 1, 0, 1], abs=1e-5)


def test_it_knows_its_languages(encoder):
    assert encoder.supports("zh")
    assert not encoder.supports("vi")
    assert encoder.dimension == 512


def test_threads_that_begin_together_load_the_model_once(encoder, monkeypatch):
    opened = []
    real = universal_encoder.open_session

    def counted(*given):
        opened.append(given)
        return real(*given)

    monkeypatch.setattr(universal_encoder, "open_session", counted)
    universal_encoder._loaded.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(encoder.encode, [TEXTS[:1]] * 4))
    assert len(opened) == 1
    assert all(np.array_equal(vectors, found[0]) for vectors in found)
