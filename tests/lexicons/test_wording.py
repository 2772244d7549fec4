from dragoman.lexicons.tables import Tables
from dragoman.lexicons.wording import Forms, Wording
from dragoman.types import Text

GERMAN = {"haus": 3.0, "häuser": 5.0, "brot": 2.0, "eine": 9.0}


def forms(wording, language="de", words=None):
    return Forms.of(language, words or GERMAN, wording.read)


def test_a_word_is_given_in_the_form_that_most_documents_have():
    wording = Wording(Tables())
    assert wording.translated(Text("houses", "en"), forms(wording)) == ["häuser"]


def test_what_no_table_translates_stays_as_it_is():
    wording = Wording(Tables())
    assert wording.translated(Text("Xylophonix", "en"), forms(wording)) == ["Xylophonix"]


def test_a_translation_that_no_document_has_is_not_given():
    wording = Wording(Tables())
    assert wording.translated(Text("house bread", "en"), forms(wording, words={"brot": 1.0})) == [
        "house",
        "brot",
    ]


def test_a_question_in_the_documents_language_is_not_translated():
    wording = Wording(Tables())
    assert wording.translated(Text("die Häuser", "de"), forms(wording)) == ["Häuser"]


def test_two_languages_meet_through_the_pivot():
    wording = Wording(Tables())
    french = forms(wording, "fr", {"maison": 4.0, "pain": 2.0})
    assert wording.translated(Text("Brot", "de"), french) == ["pain"]


def test_it_says_which_languages_it_can_translate():
    wording = Wording(Tables())
    assert wording.knows("de", "fr")
    assert not wording.knows("de", "xx")
    assert wording.knows("xx", "xx")
