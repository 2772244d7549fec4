import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.learning import learn_lexicon
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.report import entropies, language_report, lexicon_report
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.types import SentencePair


def table():
    joint = csr_array(np.array([[1, 1], [0, 1], [0, 0]], dtype=np.float32))
    return Lexicon(
        "en",
        "de",
        Vocabulary(("often", "seldom", "untranslated")),
        Vocabulary(("x", "y")),
        np.array([6, 2, 2]),
        np.array([5, 5]),
        sparse_rows.normalised(joint),
        sparse_rows.normalised(csr_array(joint.T)),
    )


def test_entropy_is_a_bit_for_two_equal_translations():
    assert entropies(table()) == pytest.approx([1, 0, 0])


def test_coverage_counts_running_words():
    found = language_report(table())
    assert found.coverage == pytest.approx(0.8)
    assert found.translated_words == pytest.approx(2 / 3)
    assert found.entropy == pytest.approx(0.6)
    assert list(found.translations) == ["often", "seldom", "untranslated"]
    assert found.translations["seldom"] == (("y", 1.0),)


def test_a_report_is_ready_for_json():
    bitext = [SentencePair("red house", "nyumba nyekundu")] * 3
    written = json.loads(
        json.dumps(lexicon_report(learn_lexicon(bitext, [], "en", "sw")).as_json())
    )
    assert written["languages"] == "en-sw"
    assert written["pairs"] == 3
    assert [language_report["language"] for language_report in written["sides"]] == ["en", "sw"]
    assert {"model", "number", "log_likelihood"} <= written["rounds"][0].keys()
    assert written["samples"][0]["source"] == ["red", "hous"]
