"""Pages -> aligned lines, and nothing in them that was held out."""

from dragoman.text.collections.bitext import align_pages, held_out_lines, without_leaks
from dragoman.text.collections.items import Page
from dragoman.types import SentencePair


def pairs(source, target):
    return [(pair.source, pair.target) for pair in align_pages(source, target)]


def test_sentences_meet_where_there_are_as_many():
    source = Page("a game", ("It is quick. It is small.", "See the manual."))
    target = Page("un gioco", ("È rapido. È piccolo.", "Si veda il manuale."))
    assert pairs(source, target) == [
        ("a game", "un gioco"),
        ("It is quick.", "È rapido."),
        ("It is small.", "È piccolo."),
        ("See the manual.", "Si veda il manuale."),
    ]


def test_what_cannot_be_cut_stays_whole():
    source = Page("t", ("It is quick. It is small.", "End."))
    assert pairs(source, Page("u", ("È rapido e piccolo.", "Fine.")))[1:] == [
        ("It is quick. It is small.", "È rapido e piccolo."),
        ("End.", "Fine."),
    ]
    assert pairs(source, Page("u", ("È rapido e piccolo. Fine.",)))[1:] == [
        ("It is quick. It is small. End.", "È rapido e piccolo. Fine.")
    ]


def test_sentences_of_very_different_length_are_not_paired():
    source = Page("t", ("Yes. " + "It reads all the files that are in the folder now and later.",))
    target = Page("u", ("Legge tutti i file che sono nella cartella, ora e dopo, sempre. Sì.",))
    assert len(pairs(source, target)) == 2


def test_marks_decide_where_the_source_has_them():
    source = Page("t", ("One.", "Two.", "Three."), ("a", "b", "c"))
    target = Page("u", ("Tre.", "Uno."), ("c", "a"))
    assert pairs(source, target)[1:] == [("Three.", "Tre."), ("One.", "Uno.")]


def test_held_out_lines_copies_and_repeats_are_left_out():
    held_out = held_out_lines([Page("A Title", ("One here. Two there.",))])
    lines = [
        SentencePair("a  title", "un titolo"),  # a held-out title
        SentencePair("New.", "two THERE."),  # a held-out sentence, as the target
        SentencePair("One here. Two there.", "Uno. Due."),  # a held-out paragraph
        SentencePair("Same", "same"),
        SentencePair("", "vuoto"),
        SentencePair("Kept\there", "Tenuto"),
        SentencePair("kept here", "tenuto"),
    ]
    assert list(without_leaks(lines, held_out)) == [SentencePair("Kept here", "Tenuto")]
