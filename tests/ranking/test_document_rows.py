import numpy as np
import pytest

from dragoman.errors import IndexFault, InputError
from dragoman.ranking.document_rows import DocumentRows, rounded

IDS = ["c", "a", "b", "d"]
LANGUAGES = ["en", "fr", "en", "de"]
ROWS = [np.array([3.0]), np.array([1.0]), np.array([2.0]), None]


@pytest.fixture
def rows():
    return DocumentRows.arranged(IDS, LANGUAGES, ROWS)


def test_rows_stand_by_id_and_documents_without_one_are_left_out(rows):
    assert list(rows.ids) == ["a", "b", "c"]
    assert list(rows.languages) == ["fr", "en", "en"]
    assert rows.rows.tolist() == [[1], [2], [3]]


def test_the_best_are_best_first_and_equal_ones_by_id(rows):
    def score(chosen):
        return rows.rows[chosen, 0].astype(np.float64)

    assert [hit.doc_id for hit in rows.best(score, 2)] == ["c", "b"]
    assert [hit.doc_id for hit in rows.best(lambda chosen: np.zeros(len(chosen)), 9)] == list("abc")
    assert [(hit.doc_id, hit.score) for hit in rows.best(score, 9, ["en", "it"])] == [
        ("c", 3.0),
        ("b", 2.0),
    ]
    assert rows.best(score, 9, ["it"]) == ()


def test_languages_are_those_of_the_documents(rows):
    assert rows.found_in() == ("en", "fr")
    assert rows.found_in(["de", "fr"]) == ("fr",)
    places = rows.by_language(np.array([0, 2, 1]))
    assert {code: found.tolist() for code, found in places.items()} == {"en": [1, 2], "fr": [0]}


def test_nothing_can_be_arranged_and_saved(tmp_path):
    nothing = DocumentRows.arranged([], [], [])
    nothing.save(tmp_path)
    assert len(DocumentRows.load(tmp_path)) == 0
    assert nothing.best(lambda chosen: np.zeros(len(chosen)), 3) == ()


def test_saved_and_loaded_they_are_the_same(rows, tmp_path):
    rows.save(tmp_path)
    again = DocumentRows.load(tmp_path)
    assert list(again.ids) == list(rows.ids)
    assert again.rows.tolist() == rows.rows.tolist()
    assert again.chosen(["en"]).tolist() == [1, 2]
    (tmp_path / "rows.npy").unlink()
    with pytest.raises(IndexFault, match="build the index again"):
        DocumentRows.load(tmp_path)


def test_an_id_that_comes_twice_is_refused():
    with pytest.raises(InputError, match="line 3: found the id 'a' a second time"):
        DocumentRows.arranged(["a", "b", "a"], ["en"] * 3, [None] * 3)


def test_zero_has_no_sign():
    assert np.signbit(rounded(np.array([-0.0, -1e-9]))).tolist() == [False, False]
