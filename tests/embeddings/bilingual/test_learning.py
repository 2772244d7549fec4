import json

import numpy as np
import pytest

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
from dragoman.embeddings.bilingual.methods import Method
from dragoman.embeddings.readers.loader import open_vectors
from dragoman.errors import ConfigError
from dragoman.lexicons.alignment.aligner import AlignmentConfig
from dragoman.types import DictionaryEntry, SentencePair
from toy_bitext import TRANSLATIONS, sentences

BITEXT = [SentencePair(*pair) for pair in sentences(400)]
DICTIONARY = [DictionaryEntry(*pair) for pair in TRANSLATIONS.items()]


def learnt(method=Method.DIRECT, dictionary=DICTIONARY, stage=None, **settings):
    config = EmbeddingsConfig(
        method=method, dimension=8, alignment=AlignmentConfig(workers=1), **settings
    )
    told = {} if stage is None else {"stage": stage}
    return learn_embeddings(BITEXT, dictionary, "en", "sw", config, **told)


@pytest.mark.parametrize("method", list(Method))
def test_held_out_words_are_translated(method):
    found = learnt(method)
    assert found.accuracy.origin == "held-out dictionary entries"
    assert found.accuracy.forward.test_words == 3  # a fifth of 16
    assert found.entries == 13
    assert found.source.facts["method"] == method


def test_without_a_dictionary_sentences_are_held_out():
    found = learnt(dictionary=[])
    assert found.accuracy.origin == "words of held-out sentences"
    assert found.accuracy.forward.csls > 0.5
    unique = len({(pair.source, pair.target) for pair in BITEXT})
    assert found.pairs == unique - unique // 20


def test_nothing_is_held_out_where_nothing_is_asked():
    for dictionary, entries in ((DICTIONARY, len(DICTIONARY)), ([], 0)):
        found = learnt(dictionary=dictionary, held_out=0)
        assert found.entries == entries
        assert found.accuracy.forward.test_words == 0


def test_what_is_saved_is_opened_by_language(tmp_path):
    found = learnt()
    found.save(tmp_path / "vectors")
    for vectors in (found.source, found.target):
        opened = open_vectors(tmp_path / "vectors", vectors.language)
        assert tuple(opened.words) == vectors.words
        np.testing.assert_array_equal(opened.matrix, vectors.matrix)
    report = json.loads((tmp_path / "vectors" / "embeddings.json").read_text())
    assert report["languages"] == ["en", "sw"]
    assert report["accuracy"]["forward"]["test_words"] == 3


def test_progress_is_told_by_stages():
    told = []

    def stage(name, total):
        told.append((name, total, []))
        return lambda steps=1, done=told[-1][2]: done.append(steps)

    learnt(stage=stage)
    assert [name for name, _, _ in told] == ["aligning words", "factorising"]
    assert all(sum(done) == total for _, total, done in told)


def test_the_same_seed_gives_the_same_vectors():
    one, other = learnt(seed=3), learnt(seed=3)
    np.testing.assert_array_equal(one.source.matrix, other.source.matrix)
    assert one.accuracy == other.accuracy


def test_one_language_on_both_sides_is_refused():
    with pytest.raises(ConfigError, match="found the language 'en' on both sides"):
        learn_embeddings(BITEXT, [], "en", "eng", EmbeddingsConfig())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dimension": 1}, "dimension must be at least 2, got 1"),
        ({"window": 0}, "window must be at least 1, got 0"),
        ({"pull": -1.0}, "pull must not be below 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        EmbeddingsConfig(**settings)
