import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.storage.packed_strings import PackedStrings, code_points


@given(st.lists(st.text(max_size=8), max_size=20))
@settings(max_examples=60)
def test_strings_come_back_as_they_went_in(strings):
    packed = PackedStrings.pack(strings)
    assert list(packed) == strings
    assert [packed[number] for number in range(len(packed))] == strings
    assert len(packed) == len(strings)


def test_a_number_beyond_the_last_is_an_error():
    with pytest.raises(IndexError, match="out of bounds"):
        PackedStrings.pack(["a", "b"])[2]


def test_code_points_are_those_of_the_characters():
    assert code_points("aé東\ud800").tolist() == [0x61, 0xE9, 0x6771, 0xD800]
