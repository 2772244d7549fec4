import pytest
from mteb.languages import check_language_code

from dragoman.integrations.mteb.language_codes import canonical_codes, mteb_code
from dragoman.lexicons.shipped_lexicons import shipped_languages


@pytest.mark.parametrize("language", shipped_languages())
def test_mteb_knows_the_code_of_every_shipped_language(language):
    check_language_code(mteb_code(language))
    assert canonical_codes([mteb_code(language)]) == [language]


@pytest.mark.parametrize(
    ("language", "code"), [("sw", "swa-Latn"), ("zh", "zho-Hans"), ("ar", "ara-Arab")]
)
def test_codes_have_the_usual_script(language, code):
    assert mteb_code(language) == code


def test_codes_of_no_language_are_left_out():
    assert canonical_codes(["eng-Latn", "python-Code", "eng-Latn"]) == ["en"]
