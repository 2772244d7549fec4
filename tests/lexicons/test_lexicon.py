import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_array

from dragoman.errors import ConfigError
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.tokens.analyzer import AnalyzerConfig
from dragoman.tokens.compounds import CompoundSplitter
from dragoman.types import DictionaryEntry


def lexicon(joint, source="en", target="de", prefixes=("s", "t"), **others):
    """A lexicon whose directions are the two normalisations of ``joint``."""
    joint = csr_array(np.asarray(joint, dtype=np.float32))
    words = [
        Vocabulary(tuple(f"{prefix}{n}" for n in range(size)))
        for prefix, size in zip(prefixes, joint.shape, strict=True)
    ]
    counts = [np.arange(size, 0, -1) for size in joint.shape]
    forward, backward = sparse_rows.normalised(joint), sparse_rows.normalised(csr_array(joint.T))
    return Lexicon(source, target, *words, *counts, forward, backward, **others)


def lexicons(**others):
    cell = st.one_of(st.just(0.0), st.floats(1 / 64, 1.0, width=32))
    return arrays.arrays(np.float32, (4, 5), elements=cell).map(
        lambda joint: lexicon(joint, **others)
    )


def same(left, right, tolerance=1e-6):
    return (
        left.source_words.words == right.source_words.words
        and left.target_words.words == right.target_words.words
        and np.allclose(left.forward.toarray(), right.forward.toarray(), atol=tolerance)
        and np.allclose(left.backward.toarray(), right.backward.toarray(), atol=tolerance)
    )


def whitespace(text, language):
    return text.split()


def test_translations_come_best_first():
    table = lexicon([[1, 2, 1], [0, 0, 0]])
    assert table.translations("s0") == [("t1", 0.5), ("t0", 0.25), ("t2", 0.25)]
    assert table.translations("s0", n=1) == [("t1", 0.5)]
    assert table.translations("s1") == []
    assert table.translations("unknown") == []


@given(lexicons())
def test_reversing_twice_changes_nothing(table):
    assert same(table.reversed().reversed(), table)
    assert table.reversed().source == table.target


@given(lexicons())
def test_symmetrised_tables_are_probabilities_with_equal_pairs(table):
    even = table.symmetrised()
    for matrix in (even.forward, even.backward):
        sums = sparse_rows.row_sums(matrix)
        assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()
    assert ((even.forward.toarray() > 0) == (even.backward.toarray().T > 0)).all()


@given(lexicons())
def test_symmetrising_does_not_prefer_a_direction(table):
    assert same(table.reversed().symmetrised().reversed(), table.symmetrised())


def test_symmetrised_by_hand():
    # p(t0|s0) = 1, p(s0|t0) = 1/4, p(s1|t0) = 3/4, p(t0|s1) = 1
    even = lexicon([[1], [3]]).symmetrised()
    root = np.sqrt(0.25), np.sqrt(0.75)
    assert even.backward.toarray()[0] == pytest.approx(np.array(root) / sum(root))


@given(lexicons())
def test_composing_with_the_identity_changes_nothing(table):
    identity = lexicon(np.eye(5), source="de", target="nl", prefixes=("t", "t"))
    assert same(table.composed(identity), table)


def test_composed_through_a_pivot_by_hand():
    first = lexicon([[1, 1], [0, 1]], source="de", target="en", prefixes=("d", "e"))
    second = lexicon([[1, 0], [1, 1]], source="en", target="fr", prefixes=("e", "f"))
    through = first.composed(second)
    assert (through.source, through.target) == ("de", "fr")
    assert dict(through.translations("d0")) == pytest.approx({"f0": 0.75, "f1": 0.25})


def test_a_pivot_word_that_is_missing_loses_its_share():
    first = lexicon([[1, 1]], source="de", target="en", prefixes=("d", "e"))
    second = lexicon([[1]], source="en", target="fr", prefixes=("e", "f"))
    assert first.composed(second).translations("d0") == [("f0", 1.0)]


def test_only_tables_that_meet_compose():
    table = lexicon([[1]])
    with pytest.raises(ConfigError, match="cannot compose en-de with en-de: expected a table from"):
        table.composed(table)


def test_a_dictionary_teaches_new_words_and_leans_on_known_ones():
    table = lexicon([[1]])  # s0 was seen once
    entries = [DictionaryEntry("s0", "new"), DictionaryEntry("rare", "t0")]
    merged = table.with_dictionary(entries, whitespace, weight=3.0)
    assert dict(merged.translations("s0")) == pytest.approx({"new": 0.75, "t0": 0.25})
    assert merged.translations("rare") == [("t0", 1.0)]
    assert dict(merged.reversed().translations("new")) == {"s0": 1.0}
    assert merged.source_counts.tolist() == [1, 0]


def test_phrases_share_their_entry():
    table = lexicon([[1]])
    entries = [DictionaryEntry("hot dog", "wurst"), DictionaryEntry("hot", "warm")]
    merged = table.with_dictionary(entries, whitespace)
    assert dict(merged.translations("hot")) == pytest.approx({"warm": 2 / 3, "wurst": 1 / 3})
    assert merged.translations("dog") == [("wurst", 1.0)]


def test_explanations_are_not_translations():
    entries = [DictionaryEntry("word", "a long text that explains it")]
    assert lexicon([[1]]).with_dictionary(entries, whitespace).translations("word") == []


@given(lexicons())
@settings(max_examples=20)
def test_saving_and_loading_changes_nothing(table):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as name:
        table.save(Path(name) / "table")
        loaded = Lexicon.load(Path(name) / "table")
    assert same(loaded, table, tolerance=0)
    assert (loaded.source_counts == table.source_counts).all()


def test_everything_beside_the_tables_is_saved(tmp_path):
    splitter = CompoundSplitter("de", {"haus": 5, "boot": 3}, 4)
    table = lexicon([[1, 2]], analysis={"stop": True, "stem": False}, splitters={"de": splitter})
    table.save(tmp_path / "table")
    loaded = Lexicon.load(tmp_path / "table")
    assert (loaded.source, loaded.target) == ("en", "de")
    assert loaded.analysis == table.analysis
    assert loaded.splitters["de"].split("hausboot") == ["haus", "boot"]
    assert loaded.splitters["de"].signature == splitter.signature


@given(lexicons())
@settings(max_examples=20)
def test_packed_tables_are_close_and_still_probabilities(table):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "packed"
        path.write_bytes(table.pack())
        loaded = Lexicon.unpack(path)
    assert np.allclose(loaded.forward.toarray(), table.forward.toarray(), rtol=0.05, atol=1e-7)
    assert np.allclose(loaded.backward.toarray(), table.backward.toarray(), rtol=0.05, atol=1e-7)
    sums = sparse_rows.row_sums(loaded.forward)
    assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()
    assert table.pack() == table.pack()


def test_packing_keeps_pairs_that_only_one_direction_has(tmp_path):
    table = lexicon([[5, 1], [1, 0]]).pruned(top=1)
    assert table.forward.nnz + table.backward.nnz == 4
    (tmp_path / "packed").write_bytes(table.pack())
    assert same(Lexicon.unpack(tmp_path / "packed"), table)


def test_an_analysis_that_does_not_fit_is_refused():
    table = lexicon([[1]], analysis={"stop": True, "stem": True, "min_length": 1})
    table.check_analysis(AnalyzerConfig())
    with pytest.raises(ConfigError, match="analysed with stem=True; found stem=False"):
        table.check_analysis(AnalyzerConfig(stem=False))


def test_the_table_s_own_analyser_gives_its_words():
    splitter = CompoundSplitter("de", {"haus": 5, "boot": 3}, 4)
    analysis = {"stop": True, "stem": False, "min_length": 1, "cjk": "bigrams"}
    analyzer = lexicon([[1]], analysis=analysis, splitters={"de": splitter}).analyzer()
    assert analyzer("Hausboot", "de") == ["hausboot", "haus", "boot"]
