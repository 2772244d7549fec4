import numpy as np

from dragoman.embeddings.normalization import StopWordList
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.systems.bags.reader import BagReader
from dragoman.systems.bags.word_sources import VectorWordSource
from dragoman.types import Text

WORDS = ("cat", "dog")
SPACE = WordSpace.stack([WordVectors("en", WORDS, np.eye(2, dtype=np.float32))])
SOURCE = VectorWordSource(SPACE, ["en:cat", "en:dog"], ["en"], "axes")


def reader(**settings):
    return BagReader(SOURCE, BagSystemConfig(**settings))


def test_known_words_are_counted_in_the_order_of_their_keys():
    counts = reader()(Text("A dog, the Cat and a dog; zebras", "en"))
    assert counts.keys == ("en:cat", "en:dog")
    assert counts.surfaces == ("cat", "dog")
    assert counts.counts == (1, 2)
    assert counts.unknown == 1


def test_only_the_first_known_words_count():
    words = ["unknown", "cat", "strange", "cat", "dog"]
    counts = reader(stop=StopWordList.LISTED, first=2).count(words, "en")
    assert (counts.keys, counts.counts, counts.unknown) == (("en:cat",), (2,), 3)


def test_settings_of_the_reader_are_in_its_signature():
    signatures = {
        reader(**one).signature for one in ({}, {"first": 2}, {"stop": StopWordList.LISTED})
    }
    assert len(signatures) == 3
