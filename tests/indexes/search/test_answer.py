"""Results: the page of a file that a hit refers to."""

from dragoman.indexes.search.answer import Result
from dragoman.indexes.search.snippets import snippet
from dragoman.types import Document, Hit

TEXT = "Bread and butter were sold.\n\nThe harbour and its boats."
SECTIONS = {"_sections": [[0, 1, "Bread"], [29, 2, "Harbour"]]}


def section(*words):
    document = Document("a", TEXT, "", "en", SECTIONS)
    result = Result(Hit("a", 1.0), document, words, snippet(TEXT, words))
    return result.section


def test_the_page_is_that_of_the_first_word_that_was_met_though_the_snippet_begins_before_it():
    assert section("boats") == (2, "Harbour")
    assert section("butter", "boats") == (1, "Bread")


def test_without_a_met_word_the_page_is_that_of_the_snippet():
    assert section() == (1, "Bread")
