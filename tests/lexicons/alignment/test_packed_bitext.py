import numpy as np
from hypothesis import given, settings

from corpora import KOEHN, corpora, packed
from dragoman.lexicons.alignment import packed_bitext as module
from dragoman.lexicons.alignment.packed_bitext import WeightedPair, pack
from dragoman.protocols import no_progress


def unpacked(bitext):
    sides = (
        (bitext.source_words, bitext.texts.source, bitext.texts.source_starts),
        (bitext.target_words, bitext.texts.target, bitext.texts.target_starts),
    )
    return [
        tuple(
            [words[int(w)] for w in text[starts[n] : starts[n + 1]]]
            for words, text, starts in sides
        )
        for n in range(len(bitext))
    ]


@given(pairs=corpora())
@settings(max_examples=20, deadline=None)
def test_packing_loses_nothing(pairs, tmp_path_factory):
    assert unpacked(packed(pairs, tmp_path_factory.mktemp("packed"))) == pairs


def test_small_buffers_give_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BUFFERED", 2)
    assert unpacked(packed(KOEHN, tmp_path)) == KOEHN


def test_frequent_words_come_first_then_the_alphabet(tmp_path):
    bitext = packed([(["b", "a", "c", "c"], ["x"])], tmp_path)
    assert bitext.source_words.words == ("c", "a", "b")
    assert bitext.counts()[0].tolist() == [2, 1, 1]


def test_text_lives_on_disk(tmp_path):
    bitext = packed(KOEHN, tmp_path)
    assert isinstance(bitext.texts.source, np.memmap)
    assert (tmp_path / "source.int32").stat().st_size == 4 * len(bitext.texts.source)


def test_nothing_packs_to_nothing(tmp_path):
    bitext = pack([], tmp_path, no_progress)
    assert len(bitext) == len(bitext.source_words) == 0


def test_weights_are_kept(tmp_path):
    bitext = pack([WeightedPair(["a"], ["x"], 3)], tmp_path, no_progress)
    assert bitext.weights.tolist() == [3]
