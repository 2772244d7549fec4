import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.lexicons.sounds.neighbours import same_names
from dragoman.lexicons.sounds.transliteration import romanised, sound_key


@pytest.mark.parametrize(
    ("word", "latin"),
    [
        ("вашингтон", "vashington"),
        ("щука", "shchuka"),
        ("αθηνα", "athina"),
        ("λουθηρο", "louthiro"),
        ("تسلا", "tsla"),
        ("وارسو", "warsu"),
        ("विक्टोरिया", "viktoriya"),
        ("straße", "strasse"),
        ("łódź", "lodz"),
        ("ñandú", "nandu"),
        ("plain", "plain"),
        ("", ""),
        ("東京", "東京"),
    ],
)
def test_words_are_written_in_latin_letters(word, latin):
    assert romanised(word) == latin


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        ("schwarzenegger", "шварценеггер"),
        ("washington", "вашингтон"),
        ("einstein", "αινσταιν"),
        ("tesla", "تسلا"),
        ("jacksonville", "جاكسونفيل"),
        ("panthers", "بانثرز"),
        ("victoria", "विक्टोरिया"),
        ("chopin", "шопен"),
    ],
)
def test_a_name_keeps_its_key_in_another_script(name, elsewhere):
    assert sound_key(name) == sound_key(elsewhere)
    assert [other for other, _ in same_names(name, [elsewhere])] == [elsewhere]


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("schwarz", "sfrs"),  # sch is one sound, w is f, z is s
        ("khrushchev", "krsf"),
        ("cicero", "sr"),  # c before i and e, one sound twice
        ("mcqueen", "mkn"),  # c and qu are one sound
        ("dzhugashvili", "tsksfl"),  # zh is taken from the dz, g is k
        ("xerox", "ksrks"),
        ("bhutto", "pt"),
        ("aeiou", ""),
    ],
)
def test_the_key_is_the_classes_of_the_consonants(word, key):
    assert sound_key(word) == key


@pytest.mark.parametrize(("one", "other"), [("berlin", "брюссель"), ("panthers", "تسلا")])
def test_different_names_are_different(one, other):
    assert same_names(one, [other]) == []


@given(st.text(max_size=20))
@settings(max_examples=100)
def test_any_text_can_be_written_and_keyed(text):
    assert isinstance(romanised(text), str)
    assert set(sound_key(text)) <= set("fklmnprst")
