from concurrent.futures import ThreadPoolExecutor

import pytest

from dragoman.errors import ConfigError, UnknownLanguage
from dragoman.text.language_detection import CERTAIN, Detection, Detector

SENTENCES = {
    "ar": "هذه المدينة تقع على ضفاف نهر كبير",
    "de": "Diese Stadt liegt am Ufer eines großen Flusses",
    "el": "Αυτή η πόλη βρίσκεται στις όχθες ενός μεγάλου ποταμού",
    "en": "This town lies on the banks of a large river",
    "fr": "Cette ville se trouve au bord d'un grand fleuve",
    "ja": "この町は大きな川の岸にあります",
    "ru": "Этот город стоит на берегу большой реки",
    "sw": "Mji huu uko kando ya mto mkubwa",
    "zh": "这座城市位于一条大河的岸边",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language):
    found = Detector(list(SENTENCES)).detect(SENTENCES[language])
    assert (found.language, found.certain) == (language, True)
    assert found.probability >= CERTAIN


def test_only_the_collections_languages_are_considered():
    assert Detector(["en", "fr"]).detect(SENTENCES["de"]).language in {"en", "fr"}
    assert Detector(["fr"]).detect("hello").reason == "the only language to choose from"


def test_a_script_that_one_language_writes_decides_however_short_the_text():
    detector = Detector(["en", "de", "ru", "el", "ja", "zh", "luo"])
    for text, language in [("да", "ru"), ("ναι", "el"), ("はい", "ja"), ("Python を使う", "ja")]:
        found = detector.detect(text)
        assert (found.language, found.certain) == (language, True)
    assert detector.detect("да").reason == "the only language written in Cyrillic letters"


def test_a_quoted_foreign_name_does_not_decide():
    detector = Detector(["en", "ru"])
    assert detector.detect("Что такое Engineering News-Record?").language == "ru"
    assert detector.detect("the area of a circle is π times the radius squared").language == "en"


def test_what_does_not_decide_falls_back_and_says_so():
    counted = Detector({"de": 3, "eng": 2, "en": 2, "fr": 1})
    assert counted.majority == "en"
    assert counted.detect("42") == Detection(
        "en", 0.0, False, "the text has no letters; taken as the language of most documents"
    )
    assert counted.detect("42", declared="fra") == Detection(
        "fr", 0.0, False, "the text has no letters; taken as declared"
    )
    short = counted.detect("Marathon", declared="de")
    assert (short.language, short.certain) == ("de", False)
    assert short.reason == "the text is too short to tell; taken as declared"
    assert 0 < short.probability < CERTAIN
    guess = Detector(["de", "en", "fr"]).detect("Marathon")
    assert (guess.certain, guess.reason) == (False, "the text is too short to tell; a guess")
    foreign = Detector(["de", "en"]).detect("привет")
    assert foreign.reason == "no language here is written in Cyrillic letters; the first listed"


def test_languages_that_the_model_lacks_are_said():
    detector = Detector(["en", "luo", "ceb"])
    assert detector.unknown == ("luo", "ceb")
    found = detector.detect(SENTENCES["en"])
    assert (found.language, found.certain) == ("en", False)
    assert "does not cover luo, ceb" in found.reason
    neither = Detector(["luo", "ceb"], majority="ceb").detect("chal manyien")
    assert neither.language == "ceb"
    assert neither.reason.startswith("py3langid does not cover luo, ceb; taken as the language of")


def test_two_standards_of_one_language_add_up():
    found = Detector(["no", "fi"]).detect("Denne byen ligg ved breidda av ei stor elv")
    assert (found.language, found.certain) == ("no", True)
    assert found.probability <= 1.0


def test_one_detector_does_not_change_another():
    first = Detector(["de", "en"])
    before = first.detect(SENTENCES["de"])
    Detector(["fr", "sw"]).detect(SENTENCES["fr"])
    assert first.detect(SENTENCES["de"]) == before
    assert Detector().detect(SENTENCES["sw"]).language == "sw"


def test_detection_from_many_threads_is_the_same():
    detector = Detector(list(SENTENCES))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(detector.detect, list(SENTENCES.values()) * 20))
    assert [one.language for one in found] == list(SENTENCES) * 20


def test_a_detector_needs_languages():
    with pytest.raises(ConfigError, match="at least one language"):
        Detector([])
    with pytest.raises(UnknownLanguage, match="'qq'"):
        Detector(["en", "qq"])


def test_a_text_that_does_not_decide_goes_to_a_language_of_its_script():
    counts = {"ar": 30, "ru": 30, "en": 28, "sw": 28, "fi": 28}
    found = Detector(counts).detect("sea")
    assert not found.certain
    assert found.language in {"en", "sw", "fi"}
    assert "likeliest among the documents' languages" in found.reason


def test_many_documents_in_a_language_decide_what_the_letters_leave_open():
    letters = Detector({"en": 1, "sw": 1, "fi": 1}).detect("malaria")
    assert not letters.certain
    for code in ("en", "sw", "fi"):
        counts = dict.fromkeys(("en", "sw", "fi"), 1) | {code: 10**9}
        assert Detector(counts).detect("malaria").language == code


def test_a_heading_in_another_script_does_not_choose_a_language_of_both_scripts():
    text = (
        "منظور ما هو أبعد من البرمجيات\nThe first version of the social contract said that it would"
    )
    text += (
        " remain free. This word indicates the will to achieve freedom in documentation as well."
    )
    for languages in (None, ("ar", "en", "ms"), ("ar", "de", "en", "ms", "uz")):
        found = Detector(languages).detect(text)
        assert (found.language, found.certain) == ("en", True)


def test_scripts_that_one_text_mixes_count_together():
    assert Detector(("ja", "zh")).detect("日本語を勉強する").language == "ja"
    assert Detector(("en", "sr", "ru")).detect("Добар дан, како сте данас?").language == "sr"
