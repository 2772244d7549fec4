from dragoman.lexicons.query_translation import DocumentForms, QueryTranslator
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.types import Text

GERMAN = {"haus": 3.0, "häuser": 5.0, "brot": 2.0, "eine": 9.0}


def forms(translator, language="de", words=None):
    return DocumentForms.from_frequencies(language, words or GERMAN, translator.analyzer)


def test_a_word_is_given_in_the_form_that_most_documents_have():
    translator = QueryTranslator(TranslationTables())
    assert translator.translate(Text("houses", "en"), forms(translator)) == ["häuser"]


def test_what_no_table_translates_stays_as_it_is():
    translator = QueryTranslator(TranslationTables())
    assert translator.translate(Text("Xylophonix", "en"), forms(translator)) == ["Xylophonix"]


def test_a_translation_that_no_document_has_is_not_given():
    translator = QueryTranslator(TranslationTables())
    assert translator.translate(
        Text("house bread", "en"), forms(translator, words={"brot": 1.0})
    ) == [
        "house",
        "brot",
    ]


def test_a_question_in_the_documents_language_is_not_translated():
    translator = QueryTranslator(TranslationTables())
    assert translator.translate(Text("die Häuser", "de"), forms(translator)) == ["Häuser"]


def test_two_languages_meet_through_the_pivot():
    translator = QueryTranslator(TranslationTables())
    french = forms(translator, "fr", {"maison": 4.0, "pain": 2.0})
    assert translator.translate(Text("Brot", "de"), french) == ["pain"]
