"""Documents of a segment: ordered, found by their keys, refused where a file is not theirs."""

import numpy as np
import pytest

from dragoman.errors import IndexFault
from dragoman.indexes.memtable import from_bytes, pack_record, to_bytes
from dragoman.indexes.segment import ABSENT, Entry, Segment, write_segment
from dragoman.storage.array_file import DamagedFile
from stored import SPACES, of_rows, record

RECORDS = [
    record(3, "en"),
    record(10, "de"),
    record(2, "en"),
    record(9, "de"),
    of_rows("mute", [], "sw"),
]
ENTRIES = [
    Entry(key, mine.document.doc_id, mine.document.language, pack_record(mine, SPACES))
    for key, mine in zip((70, 11, 45, 12, 5), RECORDS, strict=True)
]


@pytest.fixture(params=["memory", "file"])
def segment(request, tmp_path):
    if request.param == "memory":
        return Segment.of(ENTRIES, SPACES)
    identity = write_segment(tmp_path / "one", ENTRIES, SPACES)
    return Segment.open(tmp_path / "one", identity)


def test_documents_stand_by_language_and_within_it_by_id(segment):
    assert list(segment.ids) == ["d10", "d9", "d2", "d3", "mute"]
    assert segment.languages == {"de": (0, 2), "en": (2, 4), "sw": (4, 5)}
    assert segment.keys.tolist() == [11, 12, 45, 70, 5]
    assert len(segment) == 5


def test_documents_are_found_by_their_keys(segment):
    keys = np.array([5, 70, 46, 0, 11, 1000])
    assert segment.positions_of(keys).tolist() == [4, 3, ABSENT, ABSENT, 0, ABSENT]
    assert segment.positions_of(np.zeros(0, np.int64)).tolist() == []


def test_the_spaces_of_a_document_are_those_it_came_with(segment):
    matrix, postings = segment.rows("passages"), segment.postings("words")
    by_id = {mine.document.doc_id: mine.vectors for mine in RECORDS}
    for place, doc_id in enumerate(segment.ids):
        rows = by_id[doc_id].get("passages", np.zeros((0, 4)))
        assert matrix.of(place).tolist() == rows.astype(np.float16).tolist()
        counts = by_id[doc_id].get("words")
        mine = np.flatnonzero(postings.documents == place)
        dimensions = np.repeat(postings.dimensions, np.diff(postings.starts))[mine]
        assert dimensions.tolist() == ([] if counts is None else counts.dimensions.tolist())
        assert postings.lengths[place] == (0 if counts is None else counts.length)


def test_a_segment_without_documents_has_empty_spaces():
    empty = Segment.of([], SPACES)
    assert len(empty) == 0
    assert empty.languages == {}
    assert empty.positions_of(np.array([1])).tolist() == [ABSENT]
    assert empty.rows("passages").starts.tolist() == [0]
    assert empty.postings("words").locate(np.array([3]))[0].tolist() == [0]


def test_a_file_that_another_transaction_named_is_refused(tmp_path):
    identity = write_segment(tmp_path / "one", ENTRIES, SPACES)
    other = write_segment(tmp_path / "two", ENTRIES[:2], SPACES)
    with pytest.raises(IndexFault, match="does not belong to this index"):
        Segment.open(tmp_path / "one", other)
    assert Segment.open(tmp_path / "one", identity).name == "one"


def test_a_file_that_is_no_segment_is_damaged_and_one_that_is_missing_is_missing(tmp_path):
    identity = write_segment(tmp_path / "one", ENTRIES, SPACES)
    (tmp_path / "one").write_bytes((tmp_path / "one").read_bytes()[:-7])
    with pytest.raises(DamagedFile, match="expected the bytes that were written"):
        Segment.open(tmp_path / "one", identity)
    with pytest.raises(FileNotFoundError, match="two"):
        Segment.open(tmp_path / "two", identity)


@pytest.mark.parametrize("mine", RECORDS, ids=lambda mine: mine.document.doc_id)
def test_a_documents_vectors_come_back_from_the_database_as_they_went_in(mine):
    vectors = pack_record(mine, SPACES)
    again = from_bytes(to_bytes(vectors))
    assert again.keys() == vectors.keys()
    for space, arrays in vectors.items():
        assert again[space].keys() == arrays.keys()
        for name, array in arrays.items():
            assert again[space][name].dtype == array.dtype
            assert np.array_equal(again[space][name], array)
