import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from unicodedata import category

import pytest
import stopwordsiso
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dragoman import registry
from dragoman.errors import ConfigError, MissingExtra, UnknownLanguage
from dragoman.tokens import analyzer as analyzer_module
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.tokens.compounds import CompoundSplitter
from dragoman.tokens.segmentation import Segmentation
from dragoman.tokens.stemming import SNOWBALL
from dragoman.tokens.stopwords import CONTENT_WORDS

ALL = Analyzer()
PLAIN = Analyzer(AnalyzerConfig(stop=False, stem=False))
UNSTEMMED = Analyzer(AnalyzerConfig(stem=False))

LANGUAGES = sorted({*stopwordsiso.langs(), *SNOWBALL, "th", "km", "lo", "my", "te", "ha", "so"})
ALPHABETS = (
    *("abcIiİıßéœ'’.,-_ +#\"\n", "أإآاىيةهًَُِـ ‌", "अआकखगनमि्ंँ़ ", "αάΣσς ", "ёйи́ж "),
    *(
        "日本語のデータ漢ー。 ",
        "กขน้ำเ ๑๒",
        "한국어 ",
        "שלוםָ״ ",
        "0123456789٠١.,'",
        "😀\u00ad\u200d\ufe0f☃ﬁ½",
    ),
)
texts = st.text(st.sampled_from("".join(ALPHABETS)), max_size=40) | st.text(max_size=25)
languages = st.sampled_from(["", "en", "de", "fr", "it", "tr", "el", "ar", "fa", "hi", "ru", "zh"])


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Don't run, O’Connor!", ["don't", "run", "o'connor"]),
        ("en", "the U.S.A. and e.g. this", ["the", "usa", "and", "eg", "this"]),
        (
            "en",
            "libfoo-dev foo_bar C++ C# a+b",
            ["libfoo", "dev", "foo", "bar", "c++", "c#", "a", "b"],
        ),
        ("en", "1,234.56 3.14 1,000,000 v2.13.0", ["1234.56", "3.14", "1000000", "v2.13.0"]),
        ("de", "1.234,56 3,14 1.000.000", ["1234.56", "3.14", "1000000"]),
        ("en", "so\u00adft “quoted”—yes😀1️⃣ ﬁne", ["soft", "quoted", "yes", "1", "fine"]),
        ("fr", "L’eau d'aujourd'hui", ["l", "eau", "d", "aujourd", "hui"]),
        ("it", "dell'arte", ["dell", "arte"]),
        ("ca", "col·lecció d'art", ["col·lecció", "d", "art"]),
        ("uk", "м'який м’який мʼякий", ["м'який"] * 3),
        ("sw", "ng'ombe", ["ng'ombe"]),
        ("tr", "İstanbul'da IŞIK ışık", ["istanbul", "ışık", "ışık"]),
        ("en", "İstanbul IRON", ["istanbul", "iron"]),
        ("de", "Straße STRASSE", ["strasse", "strasse"]),
        ("el", "Ο δρόμος, ΔΡΟΜΟΣ", ["ο", "δρομοσ", "δρομοσ"]),
        ("ar", "أحمد إلى مدرســةٍ ١٢٣٫٥", ["احمد", "الي", "مدرسه", "123.5"]),
        ("fa", "می‌خواهم كتاب", ["میخواهم", "کتاب"]),
        ("he", 'צה"ל שָׁלוֹם', ["צהל", "שלום"]),
        ("hi", "हिन्दी हिंदी क़लम किताबें", ["हिंदी", "हिंदी", "कलम", "किताबें"]),
        ("ru", "до́ма Ёлка", ["дома", "елка"]),
        ("zh", "我用iPhone手机，一", ["我用", "iphone", "手机", "一"]),
        ("ja", "日本語のﾃﾞｰﾀ", ["日本", "本語", "語の", "のデ", "デー", "ータ"]),
        ("ko", "나는 학생", ["나는", "학생"]),
        ("th", "น้ำ๒๕", ["น\u0e49\u0e4dา", "25"]),
        ("km", "ខ្ញុំ", ["ខ្ញុំ"]),
        ("my", "မြန်မာ", ["မြန်", "န်မာ"]),
        ("vi", "Tiếng Việt", ["tiếng", "việt"]),
        ("", "No Language", ["no", "language"]),
        ("en", " \n\t…!? 😀 ् ", []),
    ],
)
def test_words_by_hand(language, text, expected):
    assert PLAIN(text, language) == expected
    assert PLAIN(unicodedata.normalize("NFD", text), language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "The cats are running to the schools", ["cat", "run", "school"]),
        ("de", "Die Häuser und das Haus", ["haus", "haus"]),
        ("fr", "L'eau des rivières", ["eau", "rivi"]),
        ("el", "ο δρόμος και οι δρόμοι", ["δρομ", "δρομ"]),
        ("ar", "في المدرسة وفي مدرسه", ["مدرس", "مدرس"]),
        ("fa", "کتاب‌ها و کتابها", ["کتاب", "کتاب"]),
        ("tr", "kitaplar ve kitap", ["kitap", "kitap"]),
        ("ru", "ёлка и елки", ["елк", "елк"]),
        ("hi", "लड़की और लड़कियां", ["लडक", "लडक"]),
        ("en", "python3 v2.13.0 running2", ["python3", "v2.13.0", "running2"]),
    ],
)
def test_stop_words_go_and_stems_meet(language, text, expected):
    assert ALL(text, language) == expected


def test_words_that_name_subjects_do_not_stop():
    assert ALL("the invention of the computer", "en") == ["invent", "comput"]


@given(texts, texts, languages)
@settings(max_examples=300, deadline=None)
def test_lines_are_analysed_one_by_one(first, second, language):
    assert ALL(f"{first}\n{second}", language) == ALL(first, language) + ALL(second, language)


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_words_are_never_empty_and_hold_no_blanks(text, language):
    for analyse in (ALL, PLAIN):
        for word in analyse(text, language):
            assert word
            assert not any(map(str.isspace, word))
            assert any(map(str.isalnum, word))


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_the_unicode_form_of_a_text_does_not_matter(text, language):
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert ALL(composed, language) == ALL(apart, language)


@given(texts, languages)
@settings(max_examples=300, deadline=None)
def test_plain_words_analyse_to_themselves(text, language):
    normal = unicodedata.normalize("NFKC", text)
    assume(not any(a.isdigit() and category(b)[0] == "M" for a, b in pairwise(normal)))
    words = PLAIN(text, language)
    assert PLAIN("\n".join(words), language) == words


@given(texts, languages)
@settings(max_examples=200, deadline=None)
def test_surfaces_go_with_the_same_words_in_the_same_order(text, language):
    pairs = ALL.analyse_with_surface(text, language)
    assert [word for word, _ in pairs] == ALL(text, language)
    assert all(surface in unicodedata.normalize("NFKC", text) for _, surface in pairs)


def test_surfaces_are_what_stands_in_the_text():
    pairs = ALL.analyse_with_surface("Cats, C++ and U.S.A in l'Étoile", "en")
    assert pairs == [("cat", "Cats"), ("c++", "C++"), ("usa", "U.S.A"), ("l'étoil", "l'Étoile")]


@pytest.mark.parametrize("language", sorted(stopwordsiso.langs()))
def test_every_listed_language_stops_its_own_short_words(language):
    described = ALL.describe(language)
    assert described.stop_words > 0
    stopped = stopwordsiso.stopwords(language) - CONTENT_WORDS.get(language, frozenset())
    short = [word for word in stopped if word.isalpha() and len(word) == 2]
    assert [ALL(word, language) for word in short] == [[]] * len(short)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_is_done_for_it(language):
    described = ALL.describe(language)
    text = str(described)
    assert ("stemmer: none" in text) == (described.stemmer == "") == (language not in SNOWBALL)
    assert ("stop words: none" in text) == (not stopwordsiso.has_lang(language))
    assert ALL("42 abc", language)
    assert ALL.signature(language).startswith(f"language:{language}|")


def test_a_language_without_means_works():
    assert ALL("Watu wa Mungu", "luo") == ["watu", "wa", "mungu"]
    assert str(ALL.describe("luo")) == (
        "Luo (luo): stemmer: none; stop words: none; text without spaces: character bigrams"
    )
    with pytest.raises(UnknownLanguage, match="'klingonese'"):
        ALL("nuqneH", "klingonese")


def test_codes_of_one_language_share_their_analysis():
    assert ALL("Häuser", "deu") == ALL("Häuser", "de-AT") == ALL("Häuser", "de") == ["haus"]
    assert ALL.signature("deu") == ALL.signature("de")


def test_signatures_change_with_what_is_done():
    configs = [
        AnalyzerConfig(),
        AnalyzerConfig(stem=False),
        AnalyzerConfig(stop=False),
        AnalyzerConfig(min_length=2),
    ]
    assert len({Analyzer(config).signature("zh") for config in configs}) == 3  # zh has no stemmer
    assert len({Analyzer(config).signature("de") for config in configs}) == 4
    assert "PyStemmer" in ALL.signature("de")
    splitter = CompoundSplitter("de", {"haus": 9, "katze": 9})
    assert Analyzer(None, {"de": splitter}).signature("de") != ALL.signature("de")
    assert Analyzer(None, {"de": splitter}).signature("en") == ALL.signature("en")


def test_settings_are_checked():
    assert AnalyzerConfig(cjk="words").cjk is Segmentation.WORDS
    with pytest.raises(ConfigError, match="one of bigrams, words; got 'trigrams'"):
        AnalyzerConfig(cjk="trigrams")
    with pytest.raises(ConfigError, match="min_length must be at least 1"):
        AnalyzerConfig(min_length=0)


def test_short_words_go_but_not_pieces_of_unspaced_text():
    long_words = Analyzer(AnalyzerConfig(stop=False, stem=False, min_length=3))
    assert long_words("to be or not 一", "en") == ["not", "一"]


def test_compounds_bring_their_parts():
    splitter = CompoundSplitter("de", {"haus": 9, "katzen": 9})
    analyse = Analyzer(AnalyzerConfig(), {"de": splitter})
    assert analyse("Hauskatzen schlafen", "de") == ["hauskatz", "haus", "katz", "schlaf"]
    assert analyse.describe("de").compounds


def test_a_dictionary_cuts_where_one_is_registered():
    pytest.importorskip("jieba", reason="the extra cjk is not installed")
    pytest.importorskip("fugashi", reason="the extra cjk is not installed")
    words = Analyzer(AnalyzerConfig(stop=False, cjk=Segmentation.WORDS))
    assert words("我来到北京 iPhone手机", "zh") == ["我", "来到", "北京", "iphone", "手机"]
    assert words("私は学生です", "ja") == ["私", "は", "学生", "です"]
    assert words("나는 학생", "ko") == ["나는", "학생"]
    assert words.describe("zh").unspaced.startswith("jieba")
    assert words.signature("zh") != Analyzer(AnalyzerConfig(stop=False)).signature("zh")
    assert words.describe("ko").unspaced == "character bigrams"


def test_a_missing_dictionary_names_its_extra(monkeypatch):
    monkeypatch.setattr(registry, "SEGMENTERS", {"zh": "jieba_that_is_not_there:Segmenter"})
    monkeypatch.setattr(registry, "EXTRAS", {"jieba_that_is_not_there": "cjk"})
    with pytest.raises(MissingExtra, match=r"dragoman\[cjk\]"):
        Analyzer(AnalyzerConfig(cjk=Segmentation.WORDS))("一", "zh")


def test_the_cache_is_bounded_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(analyzer_module, "CACHED_CHUNKS", 8)
    small = Analyzer()
    text = " ".join(f"word{number} running" for number in range(50)) + " " + "x" * 500
    assert small(text, "en") == ALL(text, "en")
    assert len(small._analyses("en")) <= 8


def test_threads_share_an_analyser():
    shared = Analyzer()
    lines = [f"running{'s' * (n % 7)} houses {n} Flüsse" for n in range(400)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda line: shared(line, "en"), lines))
    assert found == [ALL(line, "en") for line in lines]
