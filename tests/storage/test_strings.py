import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.storage.strings import Strings


@given(st.lists(st.text(max_size=8), max_size=20))
@settings(max_examples=60)
def test_strings_come_back_as_they_went_in(strings):
    packed = Strings.pack(strings)
    assert list(packed) == strings
    assert [packed[number] for number in range(len(packed))] == strings
    assert len(packed) == len(strings)


def test_they_are_found_by_number_and_by_name_after_loading(tmp_path):
    Strings.pack(["ä", "", "zwei\nZeilen"]).save(tmp_path, "s")
    again = Strings.load(tmp_path, "s")
    assert list(again) == ["ä", "", "zwei\nZeilen"]
    assert again.numbers["zwei\nZeilen"] == 2


def test_a_number_beyond_the_last_is_an_error():
    with pytest.raises(IndexError, match="out of bounds"):
        Strings.pack(["a", "b"])[2]
