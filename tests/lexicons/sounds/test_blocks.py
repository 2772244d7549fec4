"""Blocks of sounds: those of many words at once are the hashes of the blocks of each."""

from zlib import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.lexicons.sounds.blocks import block_hashes, has_sound, sound_blocks
from dragoman.lexicons.sounds.transliteration import sound_key, sound_keys

SCRIPTS = "abceghiknopqrstxyz'ßéøβδθμπντкнтшчبنتسوर्टกท東7"
LONG = "kat" * 24

several = st.lists(st.text(SCRIPTS, max_size=12) | st.just(LONG), max_size=12)


def test_one_consonant_of_three_may_differ():
    assert set(sound_blocks("panther")) & set(sound_blocks("pantera"))
    assert not set(sound_blocks("oslo")) & set(sound_blocks("osaka"))
    assert sound_blocks("panther") == ("pntr", "ntr", "ptr", "pnr", "pnt")
    assert sound_blocks("oslo") == ("sl",)


def test_no_block_comes_twice():
    assert len(sound_blocks(LONG)) == len(set(sound_blocks(LONG))) > 24


@given(several)
@settings(max_examples=100)
def test_hashes_of_many_words_are_those_of_each(words):
    known = [word for word in words if has_sound(word, sound_key(word))]
    hashes, rows = block_hashes([sound_key(word) for word in known])
    assert list(zip(rows.tolist(), hashes.tolist(), strict=True)) == [
        (row, crc32(block.encode()))
        for row, word in enumerate(known)
        for block in sound_blocks(word)
    ]


@given(several)
@settings(max_examples=100)
def test_keys_of_many_words_are_those_of_each(words):
    assert sound_keys(words) == [sound_key(word) for word in words]
