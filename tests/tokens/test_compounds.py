import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.text.files import Faults, read_lines
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.tokens.compounds import LINKERS, MOST_PARTS, CompoundPart, CompoundSplitter

BITEXT = Path(__file__).parents[3] / "shared" / "data" / "bitext"
COUNTS = {"aktion": 852, "plan": 710, "akt": 224, "ion": 1, "aktionsplan": 10, "haus": 50}


def test_the_example_of_the_paper():
    # Koehn and Knight: 852 and 710 have the mean 778, above 10 for the word and 54 for akt+ion+plan
    splitter = CompoundSplitter("de", COUNTS, min_length=3)
    assert splitter.split("aktionsplan") == ["aktion", "plan"]
    assert splitter.parts("aktionsplan") == (CompoundPart("aktion", "s"), CompoundPart("plan"))


def test_a_frequent_word_stays_whole():
    assert CompoundSplitter("de", COUNTS | {"aktionsplan": 5000}, 3).split("aktionsplan") == [
        "aktionsplan"
    ]


def test_finnish_joins_without_links():
    counts = {"kirja": 20, "kauppa": 15, "raha": 9}
    splitter = CompoundSplitter("fi", counts)
    assert splitter.split("kirjakauppa") == ["kirja", "kauppa"]
    assert splitter.split("kirjaskauppa") == ["kirjaskauppa"]


def test_what_is_no_compound_comes_back_alone():
    splitter = CompoundSplitter("de", COUNTS)
    for word in ("haus", "hausx", "", "x" * 500, "unbekannt"):
        assert splitter.split(word) == [word]


def test_training_leaves_out_what_cannot_be_a_part():
    counts = {"nach": 900, "frage": 90, "nachfrage": 5, "c++x": 70, "selten": 1, "abc": 40}
    splitter = CompoundSplitter.train(counts, "deu")
    assert splitter.counts == {"frage": 90, "nachfrage": 5}
    assert splitter.language == "de"
    assert splitter.split("nachfrage") == ["nachfrage"]


def test_the_order_of_counts_does_not_matter():
    backwards = dict(reversed(COUNTS.items()))
    one, other = CompoundSplitter.train(COUNTS, "de"), CompoundSplitter.train(backwards, "de")
    assert one.signature == other.signature
    assert CompoundSplitter.train(COUNTS | {"plan": 1}, "de").signature != one.signature


def test_parts_of_one_letter_are_refused():
    with pytest.raises(ConfigError, match="min_length must be at least 2"):
        CompoundSplitter("de", COUNTS, min_length=1)


words = st.text("abs", min_size=2, max_size=3)


@given(
    st.dictionaries(words, st.integers(1, 99), max_size=8), st.lists(words, min_size=1, max_size=3)
)
@settings(max_examples=200, deadline=None)
def test_the_split_is_the_best_of_all_that_spell_the_word(counts, pieces):
    word = "s".join(pieces)
    splitter = CompoundSplitter("no", counts, min_length=2)
    found = splitter.parts(word)
    assert "".join(part.word + part.linker for part in found) == word
    assert found[-1].linker == ""

    def mean(split):
        logs = [math.log(counts.get(part, 0) or 1) for part in split]
        return sum(logs) / len(logs)

    best = max([mean([word]), *map(mean, every_split(word, counts))])
    assert mean([part.word for part in found]) == pytest.approx(best)


def every_split(word, counts):
    """All splits into known parts, found the slow way."""
    links = ("", *LINKERS["no"])
    for number in range(2, MOST_PARTS + 1):
        for parts in itertools.product([part for part in counts if part in word], repeat=number):
            for between in itertools.product(links, repeat=number - 1):
                if "".join(a + b for a, b in zip(parts, (*between, ""), strict=True)) == word:
                    yield parts


def test_real_german_compounds_are_found():
    path = BITEXT / "en-de.tsv.gz"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    analyse = Analyzer(AnalyzerConfig(stop=False, stem=False))
    counts = {}
    for _, line in itertools.islice(read_lines(path, Faults()), 60_000):
        for word in analyse(line.split("\t")[1], "de"):
            counts[word] = counts.get(word, 0) + 1
    splitter = CompoundSplitter.train(counts, "de")
    assert splitter.split("arbeitsplatz") == ["arbeit", "platz"]
    assert splitter.split("kinderlieder") == ["kinder", "lieder"]
    assert splitter.split("katze") == ["katze"]
