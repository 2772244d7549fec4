"""Which documents are translations of each other, on vectors that are made by hand."""

import json

import numpy as np
import pytest

import dragoman
from dragoman.errors import InputError
from dragoman.indexes.search.translations import (
    BACKGROUND,
    DATA,
    FORMAT,
    PairModel,
    TextFacts,
    TranslationPair,
    compared,
    mean_rows,
    shipped_model,
    translation_pairs,
    translations,
)
from dragoman.indexes.spaces import Record
from dragoman.scores.logistic import LogisticModel
from dragoman.types import Document
from small_systems import settings_of


def documents(*languages: str, text: str = "In 1815, 40 ships came.") -> list[Document]:
    return [Document(f"d{row}", text, language=code) for row, code in enumerate(languages)]


def vectors(*rows: list[float]) -> np.ndarray:
    made = np.array(rows, np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def unlikeness(text: str, other: str) -> float:
    return compared(TextFacts.of(text), TextFacts.of(other))[1]


def test_a_pair_is_each_others_nearest_and_the_margin_is_to_the_next():
    rows = vectors([1, 0, 0], [1, 0.1, 0], [1, 1, 0], [0, 0, 1])
    (pair,) = translation_pairs(documents("en", "de", "de", "en"), rows)[:1]
    cosine, margin, *_ = pair.features
    assert (pair.first, pair.second) == (0, 1)
    assert cosine == pytest.approx(float(rows[0] @ rows[1]), abs=1e-6)
    assert margin == pytest.approx(float(rows[0] @ rows[1] - rows[0] @ rows[2]), abs=1e-6)


def test_a_lone_document_of_its_language_is_compared_with_what_one_subject_has_in_common():
    rows = vectors([1, 0], [1, 0.8])
    (pair,) = translation_pairs(documents("en", "de"), rows)
    assert pair.features[1] == pytest.approx(pair.features[0] - BACKGROUND, abs=1e-6)


def test_documents_of_one_language_and_documents_without_a_vector_are_no_pairs():
    assert translation_pairs(documents("en", "en"), vectors([1, 0], [1, 0.1])) == []
    assert translation_pairs(documents("en", "de"), np.zeros((2, 3), np.float32)) == []


@pytest.mark.parametrize(
    ("text", "other", "agreement"),
    [
        ("In 1815 came 40", "1815 kamen 40", 2 / 4),
        ("in 1815", "١٨١٥", 1 / 3),  # digits of another script
        ("in 1815", "1816", -2 / 4),
        ("no number", "keine Zahl", 0.0),
    ],
)
def test_numbers_agree_or_speak_against_a_translation(text, other, agreement):
    assert compared(TextFacts.of(text), TextFacts.of(other))[0] == pytest.approx(agreement)


def test_a_wide_letter_counts_as_two_and_texts_of_the_same_length_are_not_unlike():
    assert unlikeness("abcdef", "abcdef") == 0
    assert unlikeness("abcdef", "三个字") == 0
    assert unlikeness("a" * 2_000, "三" * 1_000) == 0
    assert unlikeness("a" * 100, "a") == 2.0
    assert unlikeness("", "") == 0


def test_translations_are_found_among_others_on_the_same_subject():
    rows = vectors([1, 0, 0.3], [1, 0.1, 0.3], [0.5, 1, 0.3], [0.5, 0, 1])
    assert translations(documents("en", "de", "en", "de"), rows)[0] == (0, 1)


def test_numbers_that_differ_outweigh_a_good_cosine():
    pair = [Document("a", "1815 40 7 12", language="en"), Document("b", "3 99 5 1", language="de")]
    rows = vectors([1, 0.0], [1, 0.6])
    assert translations(pair, rows) == []
    assert translations(documents("en", "de"), rows) == [(0, 1)]


def test_links_are_those_above_the_least_odds_with_the_likeliest_first():
    model = PairModel(LogisticModel(0.0, (1.0, 0.0, 0.0, 0.0)), least=0.5)
    pairs = [
        TranslationPair(0, row, (cosine, 0, 0, 0)) for row, cosine in enumerate((0.4, 0.6, 0.9))
    ]
    assert model.links(pairs) == [(0, 2), (0, 1)]


def test_the_mean_of_a_documents_rows_has_length_one_and_none_is_zero(tmp_path):
    settings = settings_of("dense", tmp_path)
    with dragoman.index(
        documents("en"), tmp_path / "index", system="dense", settings=settings
    ) as index:
        eye = np.eye(8, dtype=np.float32)
        index.store_records(
            [
                Record(Document("two", "x", language="en"), {"dense": eye[:2]}),
                Record(Document("zero", "x", language="en"), {}),
            ]
        )
        with index.snapshot() as snapshot:
            means = mean_rows(snapshot, "dense", snapshot.numbers_of(["two", "zero"]))
    assert means[0].tolist() == pytest.approx([0.5**0.5] * 2 + [0] * 6, abs=1e-3)
    assert not means[1].any()


def test_the_shipped_model_weighs_what_a_pair_has_in_the_direction_of_each():
    model, least = shipped_model()
    assert len(model.weights) == 4
    assert min(model.weights[1:3]) > 0 > model.weights[3]
    assert least > 0  # likelier than not


def test_another_format_of_the_model_is_refused(tmp_path):
    facts = json.loads(DATA.read_text(encoding="utf-8"))
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**facts, "version": 99}), encoding="utf-8")
    with pytest.raises(InputError, match="version 99"):
        FORMAT.read(path)
