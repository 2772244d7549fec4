import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.types import Text
from dragoman.vectors.family import EncoderFamily, shipped_students
from dragoman.vectors.models import UNIVERSAL


@pytest.fixture
def family(toy):
    return EncoderFamily(toy("en", {"water": 0, "fire": 1}), [toy("sw", {"maji": 0, "moto": 1})])


def test_each_language_is_read_by_the_encoder_that_knows_it(family):
    found = family.encode([Text("maji", "sw"), Text("fire", "en"), Text("moto", "sw")])
    scores = found @ family.encode([Text("water", "en"), Text("fire", "en")]).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 1]


def test_no_texts_are_no_rows(family):
    assert family.encode([]).shape == (0, 8)


def test_a_language_nobody_knows_is_read_by_the_teacher_with_a_notice(family):
    assert np.array_equal(
        family.encode([Text("water", "vi")]), family.encode([Text("water", "en")])
    )
    assert "does not know vi" in family.notice("vi")
    assert family.notice("sw") is None
    assert family.notice("en") is None


def test_signatures_tell_who_reads_what(family):
    found = family.signatures(["sw", "en", "vi"])
    assert found["en"] == found["vi"] != found["sw"]


def test_a_student_of_another_space_is_refused(toy):
    with pytest.raises(ConfigError, match="Learn it again"):
        EncoderFamily(toy("en", {"water": 0}), [toy("sw", {"maji": 0}, space="other")])


def test_every_shipped_student_is_in_the_default_encoders_space_and_new_to_it():
    for student in shipped_students():
        assert student.space == f"use-multilingual-3:{UNIVERSAL.sha256[:12]}"
        assert not student.languages & UNIVERSAL.languages
        assert student.facts["held_out"]["to_known"] > 0.5
