import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.tokens.folding import FOLDINGS, fold_case, folding


def folded(word, language):
    rules = folding(language)
    return rules.after(rules.before(word))


@pytest.mark.parametrize(
    ("language", "spellings"),
    [
        ("ar", ["مَدْرَسَة", "مدرسة", "مدرســة", "مدرسه"]),
        ("ar", ["أمل", "امل", "آمل", "إمل", "ٱمل"]),
        ("ar", ["على", "علي"]),
        ("fa", ["كتابي", "کتابی"]),
        ("ur", ["كيا", "کیا"]),
        ("el", ["Οδός", "ΟΔΟΣ", "οδος"]),
        ("tr", ["IĞDIR", "ığdır"]),
        ("tr", ["İZMİR", "izmir"]),
        ("hi", ["ज़मीन", "ज\u093cमीन", "जमीन"]),
        ("hi", ["सम्बन्ध", "संबंध", "सम्बंध"]),
        ("hi", ["हूँ", "हूं"]),
        ("ru", ["ещё", "еще", "ЕЩЁ"]),
        ("uk", ["за́мок", "замок"]),
        ("he", ["שָׁלוֹם", "שלום"]),
        ("de", ["Straße", "STRASSE", "strasse"]),
        ("en", ["ﬁne", "FINE", "ｆｉｎｅ"]),
    ],
)
def test_spellings_of_one_word_meet(language, spellings):
    assert len({folded(word, language) for word in spellings}) == 1


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("tr", "ısı", "isi"),
        ("en", "resume", "résumé"),
        ("ru", "мой", "мои"),
        ("yi", "פּ", "פֿ"),
        ("hi", "कल", "काल"),
        ("mk", "ќе", "ке"),
    ],
)
def test_different_words_stay_apart(language, one, other):
    assert folded(one, language) != folded(other, language)


def test_the_stemmer_still_sees_what_it_needs():
    assert folding("ar").before("مدرسة").endswith("ة")
    assert "\u200c" in folding("fa").before("کتاب\u200cها")


@given(st.text(max_size=12), st.sampled_from(["", *FOLDINGS]))
@settings(max_examples=300, deadline=None)
def test_folding_twice_is_folding_once(word, language):
    once = folded(unicodedata.normalize("NFKC", word), language)
    assert folded(once, language) == once


def test_case_folding_leaves_no_dot_behind():
    assert fold_case("İ") == "i"
