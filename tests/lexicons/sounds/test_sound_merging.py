"""Merged sound indexes are the sound index of all words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.lexicons.sounds import sound_merging
from dragoman.lexicons.sounds.sound_index import sound_arrays
from dragoman.lexicons.sounds.sound_merging import merged_sound_arrays

SYLLABLES = st.sampled_from(("an", "na", "ma", "rri", "tt", "ko", "мос", "ква", "بان", "ثرز"))
WORDS = st.lists(SYLLABLES, min_size=1, max_size=4).map("".join)


def merged(*vocabularies):
    arrays = merged_sound_arrays([sound_arrays(words) for words in vocabularies])
    return {name: (kind, [x for chunk in chunks for x in chunk]) for name, kind, chunks in arrays}


@pytest.mark.parametrize("at_once", [1, 1 << 16])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(WORDS, max_size=12), min_size=1, max_size=4))
def test_arrays_are_those_of_all_words_together(at_once, vocabularies):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sound_merging, "MERGED_AT_ONCE", at_once)
        patch.setattr(sound_merging, "BLOCKS_AT_ONCE", at_once)
        found = merged(*vocabularies)
    expected = sound_arrays(set().union(*vocabularies))
    assert [*found] == [*expected]
    for name, (kind, values) in found.items():
        assert kind == expected[name].dtype
        assert values == expected[name].tolist(), name


def test_a_word_of_two_vocabularies_is_there_once():
    found = merged(["johanna", "maria"], ["maria", "بانثرز"])
    assert len(found["keys"][1]) == 3
    assert np.sum(found["vowelless"][1]) == 1
