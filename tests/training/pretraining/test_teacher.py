"""The teacher is asked once for each text."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.protocols import no_progress
from dragoman.training.pretraining.teacher import teacher_vectors


class Counting(SentenceEncoder):
    """A text's vector is its length and how often it has an a."""

    name, dimension, languages, space = "counting", 2, frozenset(), "counting"

    def __init__(self, signature="counting:1"):
        self.signature, self.seen = signature, []

    def encode(self, texts, advance=no_progress):
        self.seen += texts
        advance(len(texts))
        return np.array([[len(text), text.count("a")] for text in texts], dtype=np.float32)


TEXTS = ["banana", "fig", "banana", "pear"]
IDENTITIES = np.array([0, 1, 0, 2])


def test_equal_texts_share_a_vector_and_others_have_none(tmp_path):
    teacher = Counting()
    taught = teacher_vectors(teacher, TEXTS, IDENTITIES, np.array([0, 1]), tmp_path / "t")
    assert sorted(teacher.seen) == ["banana", "fig"]
    known, vectors = taught.of_pairs(np.array([3, 2, 1]))
    assert known.tolist() == [1, 2]
    assert vectors.tolist() == [[6, 3], [3, 0]]
    assert taught.dimension == 2


def test_it_is_not_asked_again(tmp_path):
    rows = np.array([0, 3])
    first = teacher_vectors(Counting(), TEXTS, IDENTITIES, rows, tmp_path / "t")
    again = Counting()
    second = teacher_vectors(again, TEXTS, IDENTITIES, rows, tmp_path / "t")
    assert again.seen == []
    assert second.vectors.tolist() == first.vectors.tolist()


@pytest.mark.parametrize(("signature", "rows"), [("counting:2", [0, 3]), ("counting:1", [0, 1])])
def test_another_teacher_or_other_texts_are_asked_for(tmp_path, signature, rows):
    teacher_vectors(Counting(), TEXTS, IDENTITIES, np.array([0, 3]), tmp_path / "t")
    again = Counting(signature)
    teacher_vectors(again, TEXTS, IDENTITIES, np.array(rows), tmp_path / "t")
    assert len(again.seen) == 2
