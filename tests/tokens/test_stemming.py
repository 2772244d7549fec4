import pytest
import Stemmer

from dragoman.text.languages import canonical
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.stemming import SNOWBALL, algorithm, stemmer, version


@pytest.mark.parametrize("language", SNOWBALL)
def test_every_named_algorithm_is_installed_under_a_canonical_code(language):
    assert canonical(language) == language
    assert algorithm(language) == SNOWBALL[language]


def test_no_algorithm_of_the_installation_is_forgotten():
    older_variants = {"porter", "dutch_porter"}
    assert set(Stemmer.algorithms()) - older_variants == set(SNOWBALL.values())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["connection", "connected", "generously", "dying"]),
        ("de", ["aufeinanderfolgenden", "kategorie", "häuser"]),
        ("fi", ["edeltäjien", "kirjoissa"]),
        ("ru", ["важнейшими", "книгами"]),
        ("es", ["chicharrones", "torneos"]),
    ],
)
def test_analyses_agree_with_pystemmer(language, words):
    reference = Stemmer.Stemmer(SNOWBALL[language])
    analyse = Analyzer()
    assert [analyse(word, language) for word in words] == [
        [stem] for stem in reference.stemWords(words)
    ]
    assert [stemmer(language)(word) for word in words] == reference.stemWords(words)


def test_a_language_without_algorithm_has_none():
    assert algorithm("sw") == ""


def test_the_version_is_pystemmers():
    assert version() == f"PyStemmer {Stemmer.version()}"
