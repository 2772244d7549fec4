import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.encoders.student import Student
from dragoman.errors import InputError

AXES = {"maji": 0, "moto": 1, "mtu": 2}


def test_a_text_is_the_sum_of_its_words_at_length_one(toy):
    vector = toy("sw", AXES).encode(["maji moto"])[0]
    assert vector[0] == pytest.approx(vector[1], abs=0.02)
    assert vector[2] == pytest.approx(0, abs=0.02)
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_a_text_of_which_nothing_was_met_is_zero(toy):
    assert not toy("sw", AXES).encode(["", "xyz!"]).any()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from([*AXES, "x"])).map(" ".join), max_size=6))
def test_a_vector_depends_on_its_text_alone(toy, texts):
    student = toy("sw", AXES)
    alone = [student.encode([text])[0] for text in texts]
    assert np.array_equal(student.encode(texts), np.array(alone).reshape(-1, 8))


def test_the_unseen_share_is_what_unmet_words_weigh_as_far_as_they_may_be_names(toy):
    student = toy("sw", AXES)
    shares = student.unseen_shares(
        ["maji", "Maji Kenya", "Kenya", "maji kenya", "majini", "1990", "केन्या", ""]
    )
    assert shares.tolist() == [0, 0.5, 1, 0.125, 0.25, 1, 0.5, 1]


def test_every_text_is_told(toy):
    told = []
    toy("sw", AXES).encode(["maji", "moto"], lambda steps=1: told.append(steps))
    assert sum(told) == 2


def test_what_was_saved_comes_back_with_the_same_vectors_and_signature(toy, tmp_path):
    student = toy("sw", AXES)
    student.facts["pairs"] = 3
    student.blend, student.romanized = 2.0, True
    student.save(tmp_path / "sw")
    loaded = load_encoder(tmp_path / "sw")
    assert isinstance(loaded, Student)
    assert (loaded.blend, loaded.romanized) == (2.0, True)
    assert loaded.facts == {"pairs": 3}
    assert np.array_equal(loaded.encode(["mtu maji"]), student.encode(["mtu maji"]))


def test_saving_twice_gives_the_same_bytes(toy, tmp_path):
    for name in ("one", "two"):
        toy("sw", AXES).save(tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("student.json", "{", "no facts"),
        ("student.json", "{}", "format None"),
        ("student.safetensors", "no tensors", "arrays"),
    ],
)
def test_a_damaged_student_is_refused(toy, tmp_path, file, content, said):
    toy("sw", AXES).save(tmp_path / "sw")
    (tmp_path / "sw" / file).write_text(content)
    with pytest.raises(InputError, match=said):
        Student.load(tmp_path / "sw")
