from dragoman.protocols import silent
from dragoman.systems.lexical.collected import collect
from dragoman.types import Document


def split(text, language):
    del language
    return text.split()


DOCUMENTS = [
    Document("z", "b a b", language="en"),
    Document("a", "c", title="t", language="de"),
    Document("m", "", language="en"),
]


def test_one_pass_leaves_counts_by_language():
    steps = []
    collected = collect(iter(DOCUMENTS), split, lambda n=1: steps.append(n))
    german, english = collected.parts
    assert list(collected.doc_ids) == ["a", "m", "z"]
    assert (german.language, german.words, german.numbers.tolist()) == ("de", ("t", "c"), [0])
    assert (english.words, english.numbers.tolist()) == (("b", "a"), [2, 1])
    assert english.rows.values.tolist() == [2, 1]
    assert english.lengths.tolist() == [3, 0]
    assert english.mean_length == 3
    assert english.document_frequencies.tolist() == [1, 1]
    assert sum(steps) == 3


def test_nothing_at_all_is_nothing():
    assert collect([], split, silent).parts == ()
