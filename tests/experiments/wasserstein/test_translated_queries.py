"""Queries in the words that the training documents prefer."""

from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.translated_queries import translate_queries, unigrams
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.types import Document


def aligned(item, english, french):
    return Document(f"en:{item}", english, language="en"), Document(
        f"fr:{item}", french, language="fr"
    )


def test_unigrams_count_running_words():
    documents = [Document("a", "Water and water", language="en"), Document("b", "river 7", "")]
    assert unigrams(documents)["water"] == 2
    assert "7" not in unigrams(documents)


def translated(training_french, test_french):
    pairs = PairedDocuments(
        "made",
        ("en", "fr"),
        {"0": aligned("0", "house", test_french)},
        {"1": aligned("1", "house", training_french)},
    )
    (query,) = translate_queries(pairs, 0, TranslationTables())
    assert (query.query_id, query.language) == ("0", "fr")
    return query.text


def test_training_documents_choose_among_translations():
    assert translated("maison maison", "chambre") == "maison"
    assert translated("logement logement", "maison") == "logement"


def test_a_word_without_a_translation_in_the_training_documents_stays():
    assert translated("eau", "maison") == "house"
