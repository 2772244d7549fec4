import pytest

from dragoman.text.column_languages import are_swapped
from dragoman.types import DictionaryEntry, SentencePair

ENGLISH = "The water of the river is cold today and nobody wants to swim."
SWAHILI = "Maji ya mto ni baridi leo na hakuna mtu anayetaka kuogelea."
HAUSA = "Ruwan kogin yana da sanyi yau kuma babu wanda yake so ya yi iyo."
HINDI = "नदी का पानी आज ठंडा है और कोई तैरना नहीं चाहता।"


@pytest.mark.parametrize(("language", "sentence"), [("sw", SWAHILI), ("ha", HAUSA), ("hi", HINDI)])
def test_columns_in_the_other_order_are_recognised(language, sentence):
    pairs = [SentencePair(ENGLISH, sentence)] * 3
    assert not are_swapped(pairs, "en", language)
    assert are_swapped(pairs, language, "en")
    entries = [DictionaryEntry(sentence, ENGLISH)] * 3
    assert are_swapped(entries, "en", language)
    assert not are_swapped(entries, language, "en")


def test_what_does_not_tell_a_language_is_not_swapped():
    assert not are_swapped([], "en", "sw")
    assert not are_swapped([SentencePair("ok", "ok")], "en", "sw")
    assert not are_swapped([SentencePair(ENGLISH, ENGLISH)] * 3, "en", "sw")
    assert not are_swapped([SentencePair("1 2 3 " * 20, "4 5 6 " * 20)], "en", "sw")
