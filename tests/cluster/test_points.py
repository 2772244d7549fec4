import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cluster.points import (
    MOST_ROWS,
    StoredDocument,
    payload_of,
    point_id,
    read_payload,
    vectors_of,
)
from dragoman.errors import IndexFault, UserError
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.spaces import Counts, Record, Space, SpaceKind
from dragoman.types import Document

SPACES = (Space("words", SpaceKind.COUNTS), Space("rows", SpaceKind.ROWS, 2))
TEXT = st.text(st.characters(codec=None), max_size=20)


def stored(document, rows=2):
    counts = Counts(np.array([3, 9]), np.array([1.0, 2.5]), 4)
    matrix = np.stack([np.arange(rows), -np.arange(rows)], axis=1) / max(rows, 1)
    packed = pack_record(Record(document, {"words": counts, "rows": matrix}), SPACES)
    return StoredDocument(document, packed, 5)


@given(TEXT.filter(bool), TEXT, TEXT, st.dictionaries(TEXT, st.integers() | TEXT, max_size=3))
def test_a_document_comes_back_as_it_was_whatever_its_letters(doc_id, text, title, metadata):
    document = Document(doc_id, text, title, "en", metadata)
    payload = payload_of(stored(document), SPACES, fence=1)
    again = read_payload(payload)
    assert (again.document, again.version) == (document, 5)
    assert again.vectors["words"]["counts"].tolist() == [1.0, 2.5]
    assert again.vectors["rows"]["rows"].tolist() == [[0, 0], [0.5, -0.5]]


@given(TEXT, TEXT)
def test_documents_with_different_ids_have_different_points(one, other):
    assert (point_id(one) == point_id(other)) == (one == other)


@pytest.mark.parametrize("part", ["document", "record"])
def test_a_damaged_point_is_refused(part):
    payload = payload_of(stored(Document("a", "Bread.", "", "en")), SPACES, fence=1)
    payload[part] = payload[part].replace("A" if part == "record" else "Bread", "B", 1)
    with pytest.raises(IndexFault, match="its checksum differs"):
        read_payload(payload)


def test_counts_are_saturated_by_the_mean_length_of_their_language():
    vectors = vectors_of(stored(Document("a", "Bread.", "", "en")), SPACES, {"words": {"en": 8.0}})
    norm = 1.2 * (1 - 0.75 + 0.75 * 4 / 8)
    assert vectors["words"].indices == [3, 9]
    assert vectors["words"].values == pytest.approx([1 / (1 + norm), 2.5 / (2.5 + norm)])


def test_of_very_many_rows_some_are_searched_from_the_first_to_the_last():
    rows = 3 * MOST_ROWS
    vectors = vectors_of(stored(Document("a", "Bread.", "", "en"), rows), SPACES, {"words": {}})
    chosen = np.array(vectors["rows"])[:, 0]
    assert len(chosen) == MOST_ROWS
    assert (chosen[0], chosen[-1]) == (0, pytest.approx((rows - 1) / rows, abs=1e-3))
    assert np.all(np.diff(chosen) > 0)


def test_a_document_too_large_for_a_point_is_refused():
    with pytest.raises(UserError, match=r"'a' takes .* bytes; expected at most .* Split it"):
        payload_of(stored(Document("a", "x" * (25 << 20), "", "en")), SPACES, fence=1)
