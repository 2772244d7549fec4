import numpy as np
import pytest

from dragoman.encoders.family import EncoderFamily, shipped_students
from dragoman.encoders.models import UNIVERSAL
from dragoman.errors import ConfigError
from dragoman.types import Text


@pytest.fixture
def family(toy):
    return EncoderFamily(toy("en", {"water": 0, "fire": 1}), [toy("sw", {"maji": 0, "moto": 1})])


def test_each_language_is_read_by_the_encoder_that_knows_it(family):
    found = family.encode([Text("maji", "sw"), Text("fire", "en"), Text("moto", "sw")])
    scores = found @ family.encode([Text("water", "en"), Text("fire", "en")]).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 1]


def test_no_texts_are_no_rows(family):
    assert family.encode([]).shape == (0, 8)


def test_a_language_nobody_knows_is_read_by_the_teacher_with_a_warning(family):
    assert np.array_equal(
        family.encode([Text("water", "vi")]), family.encode([Text("water", "en")])
    )
    assert "does not support vi" in family.warning("vi")
    assert family.warning("sw") is None
    assert family.warning("en") is None


def test_signatures_tell_who_reads_what(family):
    found = family.signatures(["sw", "en", "vi"])
    assert found["en"] == found["vi"] != found["sw"]


def test_what_a_student_never_met_its_teacher_reads_beside_it(toy):
    student = toy("sw", {"maji": 0})
    student.blend = 2.0
    family = EncoderFamily(toy("en", {"water": 0, "kenya": 1}), [student])
    met, half, unmet = family.encode([Text(text, "sw") for text in ("maji", "maji Kenya", "Kenya")])
    assert met == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0], abs=0.01)
    assert half[:2] == pytest.approx(np.array([1, 1]) / np.sqrt(2), abs=0.01)  # 1 and 2 * .5
    assert unmet == pytest.approx([0, 1, 0, 0, 0, 0, 0, 0], abs=0.01)


def test_the_teacher_is_given_latin_letters_where_it_reads_no_others(toy):
    student = toy("el", {"νερο": 0})
    student.blend, student.romanized = 1.0, True
    family = EncoderFamily(toy("en", {"kenya": 1}), [student])
    assert family.encode([Text("Κενυα", "el")])[0, 1] == pytest.approx(1, abs=0.01)


def test_a_student_of_another_space_is_refused(toy):
    with pytest.raises(ConfigError, match="Learn it again"):
        EncoderFamily(toy("en", {"water": 0}), [toy("sw", {"maji": 0}, space="other")])


def test_every_shipped_student_is_in_the_default_encoders_space_and_new_to_it():
    for student in shipped_students():
        assert student.space == f"use-multilingual-3:{UNIVERSAL.sha256[:12]}"
        assert not student.languages & UNIVERSAL.languages
        assert student.facts["held_out"]["to_known"] > 0.5
